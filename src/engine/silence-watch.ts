import { plannedIterations } from '../load/arrivals/pacer.ts'
import { requestsIn } from '../load/figures/metrics.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { unansweredEndings } from '../load/figures/sample.ts'
import { streamMetrics } from '../load/figures/stream-metrics.ts'
import { cellOf, cellTopUs, type Reading } from '../load/health/live-counters.ts'
import { durationMs, type Load, measuredFrom } from '../load/load.ts'
import type { FinalSilence } from '../verdict/final-silence.ts'

/** Looks for when the last answer to a load came. */
export type SilenceWatch = {
  /** Takes the next reading. */
  see: (reading: Reading) => void
  /** How the load ended, where nothing came back for the last of it. */
  found: (result: LoadResult) => FinalSilence | undefined
}

/** From this share of the time that requests are given on, a time in live counts is a timeout's. */
const nearly = 0.97

/** Of a stream that has no end in its time there came something all the same. */
const isOfStreams = ({ tally: { own = {} } }: LoadResult) =>
  Object.keys(streamMetrics).some((name) => Object.hasOwn(own, name))

/**
 * Watches readings for the last one before which anything came: refusals of connections and what
 * ends without an answer are none.
 */
export function createSilenceWatch({ load, seed }: { load: Load; seed: number }): SilenceWatch {
  const { phases, timeoutMs } = load
  const firstLate = cellOf(timeoutMs * 1_000 * nearly) + 1
  const slowestMs = ({ cells }: Reading) =>
    cellTopUs(
      Math.max(
        0,
        cells.subarray(0, firstLate).findLastIndex((n) => n > 0)
      )
    ) / 1_000
  let came = 0
  let begun = 0
  let last: Reading | undefined
  let beganAt = 0

  return {
    see(reading) {
      const now = reading.finished - reading.unanswered
      if (now > came) last = reading
      came = now
      const next = reading.begun + reading.dropped
      if (next > begun) beganAt = reading.atMs
      begun = next
    },
    found(result) {
      if (last === undefined || isOfStreams(result)) return
      const { tally, begun, durationMs: measuredMs } = result
      const results: Record<string, number> = tally.results
      const lost = unansweredEndings.reduce((sum, ending) => sum + (results[ending] ?? 0), 0)
      // Live counts of other machines may be late.
      if (requestsIn(tally) - lost !== last.measured - last.unanswered) return
      const overMs = measuredFrom(phases) + measuredMs
      // Of a load that is made before its time is over nothing more is asked.
      const isMade = begun + tally.dropped >= plannedIterations(load, seed)
      const endMs = isMade ? beganAt : Math.min(durationMs(phases), overMs)
      const unanswered = lost - last.unanswered
      if (unanswered === 0 || endMs <= last.atMs) return
      const loadMs = endMs - last.atMs
      const afterMs = Math.max(0, overMs - endMs)
      return { unanswered, loadMs, afterMs, slowestMs: slowestMs(last) }
    }
  }
}
