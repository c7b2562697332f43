import type { Span } from '../rate-span.ts'

/** By how many ms a target's clock may be off that it reads now and then. */
export const tickMs = 1.5

/** A question and what came of it: it was decided upon at some time between these two, in ms. */
export type AskedOnce = {
  sent: number
  answered: number
  isAccepted: boolean
  /** It was refused beside others that were accepted: which of them came first is not known. */
  isBeside?: boolean
}

/**
 * Whether a limiter of one kind can have decided so upon all that was asked one after another,
 * after a rest that filled it, whenever within its span each was decided upon.
 *
 * `period` is the window, of a bucket the time in which one token comes, in ms; it may be anywhere
 * in its span, so that what fits no span fits no number within it.
 */
export type Fit = (asked: readonly AskedOnce[], burst: number, period: Span) => boolean
