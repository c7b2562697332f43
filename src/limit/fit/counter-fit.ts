import type { Span } from '../rate-span.ts'
import type { AskedOnce, Fit } from './asked-once.ts'

/** In so many places a window may begin, and into how many each is parted that may be one. */
const places = 48
const finer = 4

/** Of places that are no longer than this, in ms, it makes no difference which it is. */
const sameMs = 1

/**
 * A sliding counter: the window so far, and of the one before the part that is not a window old.
 * Some round that part down and others do not, so that one more or less is let pass where it
 * counts; after a rest it does not.
 */
export const counterFit: Fit = (asked, burst, period) => isByClock(asked, burst, period)

/** One whose windows begin with the first request after a rest of two. */
export const ownCounterFit: Fit = (asked, burst, period) => isOfFirst(asked, burst, period)

/** One by the clock where what is refused counts as what is taken does. */
export const counterOfAllFit: Fit = (asked, burst, period) => {
  return isByClock(asked, burst, period, { countsRefused: true })
}

/** One from the first request where what is refused counts as well. */
export const ownCounterOfAllFit: Fit = (asked, burst, period) => {
  return isOfFirst(asked, burst, period, { countsRefused: true })
}

function isByClock(
  asked: readonly AskedOnce[],
  burst: number,
  period: Span,
  manner: Manner = {}
): boolean {
  const start = asked[0]?.sent ?? 0
  const isOf = (begun: Span) => {
    return isCounter(asked, { ...manner, burst, period, begun, isOwn: false })
  }
  return Array.from({ length: places }, (_, place) => place / places).some((part) => {
    const to = start - part * period.from
    return isSome({ from: to - period.to / places, to }, isOf)
  })
}

/** Whether some part of a span may be one: what is none as a whole has no part that is. */
function isSome({ from, to }: Span, isOf: (one: Span) => boolean): boolean {
  if (!isOf({ from, to })) return false
  if (to - from <= sameMs) return true
  const part = (to - from) / finer
  return Array.from({ length: finer }, (_, nth) => from + nth * part).some((begin) => {
    return isSome({ from: begin, to: begin + part }, isOf)
  })
}

function isOfFirst(
  asked: readonly AskedOnce[],
  burst: number,
  period: Span,
  manner: Manner = {}
): boolean {
  const [{ sent, answered } = { sent: 0, answered: 0 }] = asked
  const begun = { from: sent, to: answered }
  return isCounter(asked, { ...manner, burst, period, begun, isOwn: true })
}

/**
 * What it does with the part of a request that is left of the window before: one that rounds down
 * takes what comes while it counts less than its size, one that does not what fits as a whole.
 */
export type Rounding = 'down' | 'none' | 'either'

/** One that forgets what it refused, by the clock or from the first request, and rounds so. */
export function roundingFit(isOwn: boolean, rounding: Rounding): Fit {
  return isOwn
    ? (asked, burst, period) => isOfFirst(asked, burst, period, { rounding })
    : (asked, burst, period) => isByClock(asked, burst, period, { rounding })
}

/** How it counts, where that is not as usual. */
type Manner = { countsRefused?: boolean; rounding?: Rounding }

/** A counter whose first window began at some time in a span. */
type Counter = Manner & {
  burst: number
  period: Span
  begun: Span
  isOwn: boolean
}

function isCounter(asked: readonly AskedOnce[], counter: Counter): boolean {
  const { burst, period, begun, isOwn, countsRefused = false, rounding = 'either' } = counter
  const none = { from: 0, to: 0 }
  // The earliest and the latest time at which the window may have begun.
  let { from, to } = begun
  let [before, count, next, isRolled] = [none, none, 0, false]
  for (const [index, { sent, answered, isAccepted }] of asked.entries()) {
    // One that was asked as it may have ended may have begun the next.
    const latest = isRolled ? to + period.to : to
    if (isOwn && sent >= latest + 2 * period.to) {
      ;[from, to] = [sent, answered]
      ;[before, count, next, isRolled] = [none, none, 0, false]
    } else if (isOwn && index > 0 && answered >= from + 2 * period.from) {
      // Whether that was a rest is not known: it may have been, or the windows go on.
      const anew = { ...counter, begun: { from: sent, to: answered } }
      if (isCounter(asked.slice(index), anew)) return true
    }
    while (sent >= to + period.to) {
      before = count
      count = { from: 0, to: next }
      next = 0
      isRolled = false
      from += period.from
      to += period.to
    }
    const isNext = answered >= from + period.from
    isRolled ||= isNext
    // If it belongs to this window, so do all before it; and if to the next, most counts if all do.
    const inThis = before.from * left(answered - from, period.from) + count.from + next
    const inNext = (count.from + next) * left(answered - from - period.from, period.from)
    const least = isNext ? Math.min(inThis, inNext) : inThis
    const most = before.to * left(sent - to, period.to) + count.to + next
    const isOver = rounding === 'none' ? least > burst - 1 : least >= burst
    const isRoom = rounding === 'down' ? most < burst : most <= burst - 1
    if (isAccepted ? isOver : isRoom) return false
    if (!isAccepted && !countsRefused) continue
    count = { from: count.from + (isNext ? 0 : 1), to: count.to + 1 }
    if (isNext) next++
  }
  return true
}

/** Which part of the window before still counts, so many ms after it ended. */
function left(goneMs: number, periodMs: number): number {
  return Math.min(1, Math.max(0, 1 - goneMs / periodMs))
}
