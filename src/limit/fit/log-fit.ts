import type { Span } from '../rate-span.ts'
import type { Fit } from './asked-once.ts'

/** A sliding log: of what was taken, each counts for a window from when it was. */
export const logFit: Fit = (asked, burst, period) => {
  const taken: Span[] = []
  for (const { sent, answered, isAccepted } of asked) {
    const oldest = taken.at(-burst)
    if (isAccepted) {
      let from = sent
      if (oldest) {
        if (answered < oldest.from + period.from) return false
        oldest.to = Math.min(oldest.to, answered - period.from)
        from = Math.max(sent, oldest.from + period.from)
      }
      taken.push({ from, to: answered })
    } else {
      if (!oldest || sent >= oldest.to + period.to) return false
      oldest.from = Math.max(oldest.from, sent - period.to)
    }
  }
  return true
}
