import type { Span } from '../rate-span.ts'
import type { AskedOnce, Fit } from './asked-once.ts'

/** When a window may have begun, and how many it has taken. */
type Begun = Span & { count: number }

/** How many ways it may have gone are followed: a window may have begun with any that it took. */
const mostStates = (burst: number) => 2 * Math.min(burst, 1_000) + 32

/** Windows that may begin with a question, given the one before; for the same question. */
type Next = (before: Begun, asked: AskedOnce, period: Span) => Span[]

/** A fixed window that begins with the first request after the last one. */
export const anchoredFit: Fit = (asked, burst, period) => {
  const long = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY, count: 0 }
  return isWindow(asked, burst, period, { first: long, next: anchored })
}

/** A fixed window of the clock: each ends where the next begins, whatever is asked. */
export const clockFit: Fit = (asked, burst, period) => {
  const [{ sent, answered } = { sent: 0, answered: 0 }] = asked
  const first = { from: sent - period.to, to: answered, count: 0 }
  return isWindow(asked, burst, period, { first, next: byClock })
}

const anchored: Next = (before, { sent, answered }, period) => {
  const from = Math.max(sent, before.from + period.from)
  return from <= answered ? [{ from, to: answered }] : []
}

const byClock: Next = (before, { sent, answered }, period) => {
  const begun: Span[] = []
  const passed = Math.floor((sent - before.to) / period.to)
  for (let nth = Math.max(1, passed); before.from + nth * period.from <= answered; nth++) {
    const from = Math.max(before.from + nth * period.from, sent - period.to)
    const to = Math.min(before.to + nth * period.to, answered)
    if (from <= to) begun.push({ from, to })
  }
  return begun
}

function isWindow(
  asked: readonly AskedOnce[],
  burst: number,
  period: Span,
  { first, next }: { first: Begun; next: Next }
): boolean {
  let all: Begun[] = [first]
  for (const one of asked) {
    const { sent, isAccepted } = one
    const after: Begun[] = []
    for (const begun of all) {
      const isTaken = begun.count < burst
      if (sent < begun.to + period.to && isTaken === isAccepted) {
        const from = Math.max(begun.from, sent - period.to)
        after.push({ from, to: begun.to, count: begun.count + (isAccepted ? 1 : 0) })
      }
      // A window that has just begun takes whatever comes first.
      if (isAccepted) after.push(...next(begun, one, period).map((at) => ({ ...at, count: 1 })))
    }
    if (after.length === 0) return false
    all = merged(after)
    // Where it may be that many, the questions were too far apart to tell anything.
    if (all.length > mostStates(burst)) return true
  }
  return true
}

/** Those with the same count that overlap are one. */
function merged(all: Begun[]): Begun[] {
  const kept: Begun[] = []
  for (const one of all) {
    const same = kept.find(({ count, from, to }) => {
      return count === one.count && from <= one.to && one.from <= to
    })
    if (!same) kept.push(one)
    else Object.assign(same, { from: Math.min(same.from, one.from), to: Math.max(same.to, one.to) })
  }
  return kept
}
