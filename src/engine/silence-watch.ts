import { plannedIterations } from '../load/arrivals/pacer.ts'
import { requestsIn } from '../load/figures/metrics.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { unansweredEndings } from '../load/figures/sample.ts'
import { streamMetrics } from '../load/figures/stream-metrics.ts'
import { cellMs } from '../load/figures/waits.ts'
import { cellOf, cellTopUs, type Reading } from '../load/health/live-counters.ts'
import { durationMs, type Load, measuredFrom, peak } from '../load/load.ts'
import { type FinalSilence, silenceText, silentPart } from '../verdict/final-silence.ts'

/** Looks for when the last answer to a load came. */
export type SilenceWatch = {
  /** Takes the next reading. */
  see: (reading: Reading) => void
  /** How the load ended, where nothing came back for the last of it, or to a part of it. */
  found: (result: LoadResult) => FinalSilence | undefined
}

/** From this share of the time that requests are given on, a time in live counts is a timeout's. */
const nearly = 0.97

/** Of a stream that has no end in its time there came something all the same. */
const isOfStreams = ({ tally: { own = {} } }: LoadResult) =>
  Object.keys(streamMetrics).some((name) => Object.hasOwn(own, name))

/** How many requests can be under way at once, each in the way of the next one. */
function lanesOf(load: Load): number {
  const most = load.model === 'closed' ? Math.ceil(peak(load.phases)) : load.maxInFlight
  return Math.min(most, load.connections * load.pipelining)
}

/**
 * Watches readings for the last one before which anything came: refusals of connections and what
 * ends without an answer are none.
 */
export function createSilenceWatch({ load, seed }: { load: Load; seed: number }): SilenceWatch {
  const { phases, timeoutMs } = load
  const firstLate = cellOf(timeoutMs * 1_000 * nearly) + 1
  /** The slowest answer between two readings; timeouts are none. */
  const slowestMs = (cells: Uint32Array, before?: Uint32Array) => {
    const isMore = (count: number, cell: number) => count !== (before?.[cell] ?? 0)
    return cellTopUs(Math.max(0, cells.subarray(0, firstLate).findLastIndex(isMore))) / 1_000
  }
  /**
   * The slowest answer of each quarter of a second in which any came. Their median is what is
   * usual: the slowest of all may be of a stall, after which all else would seem to be quick.
   */
  const slowest: number[] = []
  const usuallyMs = () => slowest.toSorted((a, b) => a - b)[slowest.length >> 1] ?? 0
  let previous: Reading | undefined
  let came = 0
  let begun = 0
  let last: Reading | undefined
  let beganAt = 0

  return {
    see(reading) {
      const now = reading.finished - reading.unanswered
      if (now > came) {
        last = reading
        slowest.push(slowestMs(reading.cells, previous?.cells))
      }
      came = now
      previous = reading
      const next = reading.begun + reading.dropped
      if (next > begun) beganAt = reading.atMs
      begun = next
    },
    found(result) {
      if (last === undefined || isOfStreams(result)) return
      const { tally, begun, durationMs: measuredMs, waits = [] } = result
      const overMs = measuredFrom(phases) + measuredMs
      const soonestMs = Math.min(durationMs(phases), overMs)
      const of = lanesOf(load)
      const part = silentPart(waits, { cellMs, endMs: soonestMs, of, slowestMs: usuallyMs() })
      const results: Record<string, number> = tally.results
      const lost = unansweredEndings.reduce((sum, ending) => sum + (results[ending] ?? 0), 0)
      // Live counts of other machines may be late.
      if (requestsIn(tally) - lost !== last.measured - last.unanswered) return part
      // Of a load that is made before its time is over nothing more is asked.
      const isMade = begun + tally.dropped >= plannedIterations(load, seed)
      const endMs = isMade ? beganAt : soonestMs
      const unanswered = lost - last.unanswered
      if (unanswered === 0 || endMs <= last.atMs) return part
      const loadMs = endMs - last.atMs
      const afterMs = Math.max(0, overMs - endMs)
      const whole = { unanswered, loadMs, afterMs, slowestMs: usuallyMs() }
      return silenceText(whole) === undefined ? (part ?? whole) : whole
    }
  }
}
