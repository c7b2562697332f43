import type { Span } from '../rate-span.ts'
import type { AskedOnce, Fit } from './asked-once.ts'

/** A sliding log: of what was taken, each counts for a window from when it was. */
export const logFit: Fit = (asked, burst, period) => isLog(asked, burst, period, false)

/** One in which what it refused counts for as long as what it took. */
export const logOfAllFit: Fit = (asked, burst, period) => isLog(asked, burst, period, true)

function isLog(
  asked: readonly AskedOnce[],
  burst: number,
  period: Span,
  countsRefused: boolean
): boolean {
  const counted: Span[] = []
  for (const { sent, answered, isAccepted } of asked) {
    const oldest = counted.at(-burst)
    let own = { from: sent, to: answered }
    if (isAccepted) {
      if (oldest) {
        if (answered < oldest.from + period.from) return false
        oldest.to = Math.min(oldest.to, answered - period.from)
        own = { ...own, from: Math.max(sent, oldest.from + period.from) }
      }
    } else {
      if (!oldest || sent >= oldest.to + period.to) return false
      oldest.from = Math.max(oldest.from, sent - period.to)
      own = { ...own, to: Math.min(answered, oldest.to + period.to) }
    }
    if (isAccepted || countsRefused) counted.push(own)
  }
  return true
}
