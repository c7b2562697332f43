import type { Answer } from './answer.ts'
import type { Span } from './rate-span.ts'

/** One answer, and between which times it was decided on, in ms of the clock. */
type Decided = { kind: Answer['kind']; sent: number; answered: number }

/** How long refusals lasted that began and ended while it was asked. */
export type Refusals = {
  /** In the order of time: from the first that was refused to one that was accepted, in ms. */
  lasted: Span[]
  /** For how long at least nothing was to be had: between questions, none under way, in ms. */
  empty: number[]
  /** Takes what one question was answered, in the order of sending. */
  see: (seen: readonly Decided[]) => void
}

/**
 * A refusal that goes on: when it began, when nothing else was under way, and when the last one of
 * it was sent.
 */
type Open = { began: Span; settled: number; last: number }

/** Watches for how long nothing is accepted, whatever is asked and why. */
export function refusalsSeen(): Refusals {
  const lasted: Span[] = []
  const empty: number[] = []
  let open: Open | undefined
  let isAfterOne = false
  return {
    lasted,
    empty,
    see(seen) {
      const accepted = seen.find(({ kind }) => kind === 'accepted')
      const refused = seen.filter(({ kind }) => kind === 'rejected')
      if (accepted && open) {
        const from = Math.max(0, open.last - open.began.to)
        lasted.push({ from, to: accepted.answered - open.began.from })
        empty.push(Math.max(0, open.last - open.settled))
      }
      if (accepted) [open, isAfterOne] = [undefined, true]
      if (refused.length === 0) return
      // Of what had been refused before it was ever asked it is not known since when.
      const from = isAfterOne ? refused[0]!.sent : Number.NEGATIVE_INFINITY
      const to = Math.min(...refused.map(({ answered }) => answered))
      const last = Math.max(...refused.map(({ sent }) => sent))
      const settled = Math.max(...seen.map(({ answered }) => answered))
      open = { began: { from, to }, settled, ...open, last }
    }
  }
}
