import type { Span } from '../rate-span.ts'
import type { AskedOnce, Fit } from './asked-once.ts'

/** In so many places a window may begin; what is between two of them is one of both. */
const places = 48

/**
 * A sliding counter: the window so far, and of the one before the part that is not a window old.
 * Some round that part down and others do not, so that one more or less is let pass where it
 * counts; after a rest it does not.
 */
export const counterFit: Fit = (asked, burst, period) => {
  const start = asked[0]?.sent ?? 0
  return Array.from({ length: places }, (_, place) => place / places).some((part) => {
    const to = start - part * period.from
    const begun = { from: to - period.to / places, to }
    return isCounter(asked, { burst, period, begun, isOwn: false })
  })
}

/** One whose windows begin with the first request after a rest of two. */
export const ownCounterFit: Fit = (asked, burst, period) => {
  const [{ sent, answered } = { sent: 0, answered: 0 }] = asked
  return isCounter(asked, { burst, period, begun: { from: sent, to: answered }, isOwn: true })
}

/** A counter whose first window began at some time in a span. */
type Counter = { burst: number; period: Span; begun: Span; isOwn: boolean }

function isCounter(asked: readonly AskedOnce[], { burst, period, begun, isOwn }: Counter): boolean {
  const none = { from: 0, to: 0 }
  // The earliest and the latest time at which the window may have begun.
  let { from, to } = begun
  let [before, count, next] = [none, none, 0]
  for (const { sent, answered, isAccepted } of asked) {
    if (isOwn && sent >= to + 2 * period.to) {
      ;[from, to] = [sent, answered]
      ;[before, count, next] = [none, none, 0]
    }
    while (sent >= to + period.to) {
      before = count
      count = { from: 0, to: next }
      next = 0
      from += period.from
      to += period.to
    }
    const isNext = answered >= from + period.from
    const inThis = before.from * left(answered - from, period.from) + count.from
    const inNext = count.from * left(answered - from - period.from, period.from)
    const least = isNext ? Math.min(inThis, inNext) : inThis
    const most = before.to * left(sent - to, period.to) + count.to + next
    if (isAccepted ? least >= burst : most <= burst - 1) return false
    if (!isAccepted) continue
    count = { from: count.from + (isNext ? 0 : 1), to: count.to + 1 }
    if (isNext) next++
  }
  return true
}

/** Which part of the window before still counts, so many ms after it ended. */
function left(goneMs: number, periodMs: number): number {
  return Math.min(1, Math.max(0, 1 - goneMs / periodMs))
}
