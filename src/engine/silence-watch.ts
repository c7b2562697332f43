import { plannedIterations } from '../load/arrivals/pacer.ts'
import { requestsIn } from '../load/figures/metrics.ts'
import type { LoadResult } from '../load/figures/result.ts'
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

/** From this share of the time that requests are given on, live counts take one for a timeout. */
const nearly = 0.97

/** Of a stream that has no end in its time there came something all the same. */
const isOfStreams = ({ tally: { own = {} } }: LoadResult) =>
  Object.keys(streamMetrics).some((name) => Object.hasOwn(own, name))

/**
 * Watches readings for the last one before which anything but timeouts came: live counts tell none
 * of the times of single requests, and all that it takes is there.
 */
export function createSilenceWatch({ load, seed }: { load: Load; seed: number }): SilenceWatch {
  const { phases, timeoutMs, pipelining } = load
  const firstLate = cellOf(timeoutMs * 1_000 * nearly) + 1
  const lostBy = ({ cells, failed }: Reading) => {
    const late = cells.subarray(firstLate).reduce((sum, count) => sum + count, 0)
    // Those behind one on its connection are given up with it, and have no time of their own.
    return late > 0 && pipelining > 1 ? failed : Math.min(late, failed)
  }
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
      const now = reading.finished - lostBy(reading)
      if (now > came) last = reading
      came = now
      const next = reading.begun + reading.dropped
      if (next > begun) beganAt = reading.atMs
      begun = next
    },
    found(result) {
      if (last === undefined || isOfStreams(result)) return
      const { tally, begun, durationMs: measuredMs } = result
      const { timeout = 0, abandoned = 0 } = tally.results
      const lost = timeout + abandoned
      // Live counts take slow refusals for timeouts, and those of other machines may be late.
      if (requestsIn(tally) - lost !== last.measured - lostBy(last)) return
      const overMs = measuredFrom(phases) + measuredMs
      // Of a load that is made before its time is over nothing more is asked.
      const isMade = begun + tally.dropped >= plannedIterations(load, seed)
      const endMs = isMade ? beganAt : Math.min(durationMs(phases), overMs)
      const unanswered = lost - lostBy(last)
      if (unanswered === 0 || endMs <= last.atMs) return
      const loadMs = endMs - last.atMs
      const afterMs = Math.max(0, overMs - endMs)
      return { unanswered, loadMs, afterMs, slowestMs: slowestMs(last) }
    }
  }
}
