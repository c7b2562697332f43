import type { Iterations } from '../requests/iterations.ts'
import type { Share } from '../share.ts'
import type { Timeline } from './timeline.ts'

/** What begins the iterations of a load. */
export type Beginning = Pick<Iterations, 'begin' | 'flush'>

/**
 * What carries out a load: decides when the next iteration begins, and is told when one has ended.
 */
export type Executor = {
  /** Carries the load out; resolves when it is over, with how many iterations are unfinished. */
  run(iterations: Beginning): Promise<number>
  /** How many iterations have begun and not ended. */
  inFlight(): number
  /** How many iterations have begun. */
  begun(): number
  /** An iteration has ended, at that many milliseconds after the start. */
  finished(token: number, end: number): void
}

/** What every executor needs. */
export type Conditions = {
  share: Share
  timeline: Timeline
  /** Whether someone asked for the load to end early. */
  stopped: () => boolean
}
