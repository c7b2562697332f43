import { type Clock, longestTimerMs } from '../../clock.ts'
import { threadRing } from '../uring/thread-ring.ts'
import type { Ticker } from './ticker.ts'

/** The time of one load, or of all over the same connections: milliseconds since its start. */
export type Timeline = {
  /** Negative before the start. */
  now(): number
  /** Calls at that moment or a little before it, at once if it is past: look again at `now`. */
  at(ms: number, call: () => void): void
  /** The same without turning the loop meanwhile: saves a core, and may be a tenth of a ms late. */
  wakeAt(ms: number, call: () => void): void
  /**
   * Calls once so many milliseconds have passed, or a little more: cheap, where no moment matters.
   */
  after(ms: number, call: () => void): void
  /** Processor time so far, in milliseconds, of what wakes this thread. */
  wakingMs(): number
}

/**
 * Timers are this late at times; the rest of the way is gone from one turn of the loop to the next.
 */
const timerSlackMs = 1.5

/** To be put to sleep and woken takes about so long: for less, the loop turns. */
const worthSleepingMs = 0.05

/** What comes closer together is let go together: each wake costs some 40 µs of a core. */
const shortestSleepMs = 0.15

/**
 * Real time. A timer alone is a millisecond off. Far from the moment it is good enough; near it,
 * either the event loop is kept turning, which costs a core but hits the moment within
 * microseconds, or the ticker wakes the loop.
 */
export function createTimeline(clock: Clock, ticker: Ticker): Timeline {
  const start = clock.now()
  const now = () => clock.now() - start
  const at = (ms: number, call: () => void) => {
    const wait = ms - now() - timerSlackMs
    if (wait >= 1) setTimeout(call, Math.min(wait, longestTimerMs))
    else turn(call)
  }
  const turn = (call: () => void) => {
    threadRing()?.yield()
    setImmediate(call)
  }
  return {
    now,
    at,
    wakeAt(ms, call) {
      const wait = ms - now()
      // A ring wakes as precisely as the ticker's thread, for a fraction of what that costs.
      if (threadRing()?.wake(Math.max(0, wait), call)) return
      if (wait < worthSleepingMs) turn(call)
      else if (!ticker.wake(Math.max(wait, shortestSleepMs), call)) at(ms, call)
    },
    // What is still to come when a load is over is no reason to stay; its connections are, till
    // then.
    after: (ms, call) => void setTimeout(call, ms).unref(),
    wakingMs: ticker.usedMs
  }
}
