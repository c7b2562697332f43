import { createGate } from './gate.ts'
import { type Manner, queryOf } from './manner.ts'
import { createTally } from './tally.ts'

/** What came in under one label so far. */
export type Seen = {
  /** Requests that came, redirected ones each time. */
  requests: number
  /** Those that were answered in full. */
  finished: number
  /** Those whose connection was closed before their answer was sent. */
  dropped: number
  /** Those being answered now. */
  open: number
  /** The most that were being answered at once. */
  peak: number
  /** Names of the requests in the order in which they came; the first 10,000. */
  order: string[]
  /** Bytes of the requests' bodies. */
  received: number
  /** Bytes of the answers' bodies. */
  sent: number
}

/** The requests of one label. */
export type Lane = {
  /** A URL for the target to call, which is answered in this manner. */
  url(manner?: Manner): string
  seen(): Seen
  /** Lets this many of the answers that are held go, the oldest first; by default all, for good. */
  release(count?: number): void
  /** Whether this comes to be true before so many milliseconds are over. */
  until(isTrue: (seen: Seen) => boolean, timeoutMs: number): Promise<boolean>
}

/** One request of a lane, as the backend tells of it. */
export type Visit = {
  /** Resolves when its answer may go on. */
  released(): Promise<void>
  received(bytes: number): void
  sent(bytes: number): void
  /** Says that it is over, and whether it was answered in full. */
  end(isFinished: boolean): void
}

const longestOrder = 10_000
const nothing = { requests: 0, finished: 0, dropped: 0, open: 0, peak: 0, received: 0, sent: 0 }

/** An empty lane, and the door to it; its URLs begin with `base`. */
export function createLane(base: string): { lane: Lane; admit(name: string): Visit } {
  const { seen, count, until } = createTally<Seen>({ ...nothing, order: [] })
  const { pass, release } = createGate()
  return {
    lane: { url: (manner = {}) => `${base}?${queryOf(manner)}`, seen, release, until },
    admit(name) {
      count((now) => {
        now.requests++
        now.open++
        now.peak = Math.max(now.peak, now.open)
        if (now.order.length < longestOrder) now.order.push(name)
      })
      return {
        released: pass,
        received: (bytes) =>
          count((now) => {
            now.received += bytes
          }),
        sent: (bytes) =>
          count((now) => {
            now.sent += bytes
          }),
        end: (isFinished) =>
          count((now) => {
            now.open--
            now[isFinished ? 'finished' : 'dropped']++
          })
      }
    }
  }
}
