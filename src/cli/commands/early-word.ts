import type { Clock } from '../../clock.ts'
import { duration } from '../../report/quantity.ts'

/** How many at once are asked about, and in which time. */
export type EarlyOptions = {
  limit: string
  /** How many are asked for at most. */
  ceiling: number
  /** How many limits of its kind are looked for in this time, it included. */
  limits: number
  clock: Clock
  /** How many ms are left for all of it. */
  leftMs: () => number
  note: (text: string) => void
}

/** After how many ms it is known how long one question takes, and another is not for long. */
const earlyMs = 10_000

/**
 * Says once, as soon as that shows, that the time will not do: so many at once are answered so
 * slowly that as many as are asked for in the end would take longer. To be told of every answer.
 */
export function createEarlyWord(options: EarlyOptions): (value: number) => void {
  const { limit, ceiling, limits, clock, leftMs, note } = options
  const begun = clock.now()
  let [since, isSaid] = [begun, false]
  return (value) => {
    const now = clock.now()
    const tookMs = now - since
    since = now
    if (isSaid || now - begun < earlyMs || value <= 1) return
    // It is doubled up to the most, and each takes as much longer than the one before.
    const missingMs = tookMs * Math.max(2, (2 * ceiling) / value) * limits
    if (missingMs <= leftMs()) return
    isSaid = true
    note(
      `${limit}: ${value} at once take ${duration(tookMs)}, so that it may end unclear without ` +
        `more time (--time) or fewer (--up-to ${limit}=N)`
    )
  }
}
