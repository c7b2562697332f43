import type { RateLimit } from './rate-limit.ts'
import type { Span } from './rate-span.ts'

/** What is known of a limiter from asking greedily: as much as it takes, as soon as it takes it. */
export type Pace = {
  /** How many requests it seems to accept at once. */
  level: number
  /** The same with those that were accepted just before, which may have counted as well. */
  mostLevel: number
  /** How many it gave back, each time that it was waited for. */
  counts: readonly number[]
  /** Whether it takes them back little by little, rather than all at once. */
  isGradual: boolean
  /** Whether a trial has measured the window, which until then is level times spacing. */
  isMeasured?: boolean
  /** Milliseconds in which it accepts one more in the long run. */
  spacing: Span
  /** The same if what it waits for began with the first request accepted. */
  ownSpacing: Span
  /** For how many milliseconds it was asked at once, at most. */
  tookMs: number
  /** When a refusal ended that may have been the end of a window. */
  reference: Span
  /** What it is, where that is known already. */
  told?: RateLimit
}
