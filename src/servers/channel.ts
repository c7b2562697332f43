import { type AnswerOptions, queryOf } from './answer-options.ts'
import { createAwaitedCounts } from './awaited-counts.ts'
import { createLatch } from './latch.ts'

/** What came in under one label so far. */
export type ChannelCounts = {
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
export type Channel = {
  /** A URL for the target to call, which is answered in this wanted. */
  url(wanted?: AnswerOptions): string
  seen(): ChannelCounts
  /** Lets this many of the answers that are held go, the oldest first; by default all, for good. */
  release(count?: number): void
  /** Whether this comes to be true before so many milliseconds are over. */
  until(isTrue: (seen: ChannelCounts) => boolean, timeoutMs: number): Promise<boolean>
}

/** One request of a channel, as the backend tells of it. */
export type ChannelRequest = {
  /** The how-manieth of its channel it is, from 1. */
  nth: number
  /** Resolves when its answer may go on. */
  released(): Promise<void>
  received(bytes: number): void
  sent(bytes: number): void
  /** Says that it is over, and whether it was answered in full. */
  end(isFinished: boolean): void
}

const longestOrder = 10_000
const nothing = { requests: 0, finished: 0, dropped: 0, open: 0, peak: 0, received: 0, sent: 0 }

/** An empty channel, and the door to it; its URLs begin with `base`. */
export function createChannel(base: string): {
  channel: Channel
  admit(name: string): ChannelRequest
} {
  const { seen, count, until } = createAwaitedCounts<ChannelCounts>({ ...nothing, order: [] })
  const { pass, release } = createLatch()
  return {
    channel: { url: (wanted = {}) => `${base}?${queryOf(wanted)}`, seen, release, until },
    admit(name) {
      count((now) => {
        now.requests++
        now.open++
        now.peak = Math.max(now.peak, now.open)
        if (now.order.length < longestOrder) now.order.push(name)
      })
      return {
        nth: seen().requests,
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
