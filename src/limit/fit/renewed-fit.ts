import type { Fit } from './asked-once.ts'

/**
 * A bucket from which what is refused takes as well: so many periods are owed at most, or as many
 * as were asked for. Who asks faster than tokens come is never let through.
 */
export const bucketOfAllFit: Fit = (asked, burst, period) => {
  return [burst * period.to, Number.POSITIVE_INFINITY].some((mostMs) => {
    let [from, to] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const { sent, answered, isAccepted } of asked) {
      const isEmpty = to <= sent + (burst - 1) * period.from
      const isFull = from > answered + (burst - 1) * period.to
      if (isAccepted ? isFull : isEmpty) return false
      from = Math.min(Math.max(sent, from) + period.from, sent + mostMs)
      to = Math.min(Math.max(answered, to) + period.to, answered + mostMs)
    }
    return true
  })
}

/**
 * A ban that every request renews, for a period from the last one that was refused: nothing is let
 * through before it is over, and the first after it is.
 */
export const renewedBanFit: Fit = (asked, burst, period) => {
  let since: { from: number; to: number } | undefined
  let count = 0
  for (const { sent, answered, isAccepted } of asked) {
    if (isAccepted) {
      if (since && answered < since.from + period.from) return false
      since = undefined
      count++
      continue
    }
    if (since ? sent >= since.to + period.to : count < burst / 2) return false
    since = { from: sent, to: answered }
    count = 0
  }
  return true
}
