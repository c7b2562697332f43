import { tally } from './coverage.ts'
import type { Report } from './record.ts'

/**
 * A run as one JSON document: header fields and totals on top, so that a script need not look for
 * them, then every verdict with its evidence. A run that was cut short has `exit: null`.
 */
export function json({ header, footer, ...rest }: Report): string {
  const { t: _, ...head } = header
  const { counts, coverage } = tally({ header, footer, ...rest })
  const { exit = null, complete = false, ms = null, remarks } = footer ?? {}
  const totals = { exit, complete, ms, counts, coverage, remarks }
  return `${JSON.stringify({ ...head, ...totals, ...rest }, null, 2)}\n`
}
