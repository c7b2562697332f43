import type { Span } from '../rate-span.ts'

/** The limiters that let so many through at once, and then refuse. */
export type WindowedAlgorithm = 'fixed-window' | 'sliding-log' | 'sliding-counter' | 'token-bucket'

/** A limit on the rate as it is stated. */
export type StatedLimiter = {
  algorithm: WindowedAlgorithm
  /** How many are accepted at once after a rest. */
  burst: number
  /** Milliseconds of the window; of a token bucket, the time in which it fills. */
  windowMs: number
}

/** A limiter that fits, and by what part of itself its period is off what is stated. */
export type FittingLimiter = { algorithm: WindowedAlgorithm; burst: number; off: Span }
