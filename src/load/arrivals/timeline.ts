import { type Clock, longestTimerMs } from '../../clock.ts'

/** The time of one load, or of all over the same connections: milliseconds since its start. */
export type Timeline = {
  /** Negative before the start. */
  now(): number
  /** Calls at that moment or a little before it, at once if it is past: look again at `now`. */
  at(ms: number, call: () => void): void
  /**
   * Calls once so many milliseconds have passed, or a little more: cheap, where no moment matters.
   */
  after(ms: number, call: () => void): void
}

/**
 * Timers are this late at times; the rest of the way is gone from one turn of the loop to the next.
 */
const timerSlackMs = 1.5

/**
 * Real time. A timer alone is a millisecond off; far from the moment it is good enough, and near it
 * the event loop is kept turning, which costs a core but hits the moment within microseconds.
 */
export function createTimeline(clock: Clock): Timeline {
  const start = clock.now()
  const now = () => clock.now() - start
  return {
    now,
    at(ms, call) {
      const wait = ms - now() - timerSlackMs
      if (wait >= 1) setTimeout(call, Math.min(wait, longestTimerMs))
      else setImmediate(call)
    },
    // What is still to come when a load is over is no reason to stay; its connections are, till
    // then.
    after: (ms, call) => void setTimeout(call, ms).unref()
  }
}
