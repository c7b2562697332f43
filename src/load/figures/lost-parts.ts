import { between, createLiveMemory, readLive } from '../health/live-counters.ts'

/** What was heard of parts of a load before they were lost: all that there is of them. */
export type LostParts = {
  parts: number
  /** Requests that were begun, that ended however they did, and that failed when it counted. */
  begun: number
  finished: number
  failed: number
  /** Arrivals that were due and could not be sent. */
  dropped: number
  /** Response times in microseconds, to within 1/64; null without any. */
  response: Record<'p50' | 'p90' | 'p99', number | null>
}

/** What lost parts had told by way of their live memories; undefined when that is nothing. */
export function heardOfLost(memories: readonly SharedArrayBuffer[]): LostParts | undefined {
  const [nothing, all] = [readLive([createLiveMemory()], 0), readLive(memories, 0)]
  const { begun, finished, failed, dropped, percentileUs } = between(nothing, all)
  if (begun + dropped === 0) return
  const response = { p50: percentileUs(50), p90: percentileUs(90), p99: percentileUs(99) }
  return { parts: memories.length, begun, finished, failed, dropped, response }
}
