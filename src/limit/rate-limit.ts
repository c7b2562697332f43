import type { Span } from './rate-span.ts'

/** How a target limits the rate of requests, and how sure that is. */
export type RateLimit = {
  /**
   * `none`: nothing that was sent was refused, and that was as fast as was looked for. `unclear`:
   * what was seen does not tell. `leaky-queue`: what comes too fast waits, and is refused where too
   * many do. `ban`: once there were too many, nothing is taken for a while. `stacked`: behind the
   * limit that is told there is a slower one. `queued-window`: what a window does not take waits
   * for the next, which takes as many again. `queued-log`: what a log does not take waits until
   * enough of what it took is a window old. `slow-down`: what comes too often is answered later,
   * each by itself. `in-flight`: what is refused depends on how many connections are open, and on
   * no time. A token bucket of one is plain spacing, as by a leaky bucket without a burst; a
   * sliding log of one, or a window of one from the first request, acts the same and cannot be told
   * from it.
   */
  algorithm:
    | 'fixed-window'
    | 'sliding-log'
    | 'sliding-counter'
    | 'token-bucket'
    | 'leaky-queue'
    | 'queued-window'
    | 'queued-log'
    | 'slow-down'
    | 'in-flight'
    | 'ban'
    | 'stacked'
    | 'none'
    | 'unclear'
  /** Requests accepted at once after a rest; undefined where none was refused or it is unclear. */
  burst?: number
  /** Requests a second in the long run; with `none`, those offered. */
  perSecond?: number
  /** Milliseconds of the window; of a token bucket, the time in which it fills. */
  windowMs?: number
  /** Between which two ms it is, both included, where that is all that is known of it. */
  windowIn?: Span
  /** With `stacked`, what is known of the slower limit that is behind the one told. */
  behind?: Pick<RateLimit, 'algorithm' | 'burst' | 'perSecond' | 'windowMs'>
  /** HTTP status of the refusals. */
  status?: number
  /** How many a queue lets wait before it refuses; undefined where it was not seen to. */
  queue?: number
  /** For how many ms a ban lasts, from the refusal on. */
  banMs?: number
  /** By how many ms answers are held up, or with `isGrowing` each one more than the one before. */
  delayMs?: number
  isGrowing?: boolean
  /** What a window starts with: a time of the clock, or the first request after the last. */
  anchor?: 'clock' | 'first-request'
  /** Whether what it refuses counts as what it accepts, so that asking on puts the next one off. */
  countsRefused?: true
  /** What it rests on, in words for people. */
  because: string
  /** How many of the trials that could tell said so: `3/3`. */
  repeats: string
}
