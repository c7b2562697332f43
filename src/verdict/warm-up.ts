import { warmUpLength } from '../statistics/mser.ts'
import { median } from '../statistics/quantile.ts'

/** The beginning of a load that was slower than the rest of it, by medians. */
export type WarmUp = { untilMs: number; p50Us: number; laterUs: number }

/** How much slower a beginning has to be to be worth a word. */
const notable = 1.1

/** A stretch of a load; null where nothing came back. */
type Stretch = { toMs: number; p50Us: number | null }

/** What of a load was warm-up; undefined where nothing notable was, or it never settled. */
export function warmUpOf(stretches: readonly Stretch[]): WarmUp | undefined {
  const told = stretches.filter(({ p50Us }) => p50Us !== null)
  const medians = told.map(({ p50Us }) => p50Us!)
  const length = warmUpLength(medians)
  if (length === undefined || length === 0) return
  const p50Us = median(medians.slice(0, length))
  const laterUs = median(medians.slice(length))
  if (p50Us < notable * laterUs) return
  return { untilMs: told[length - 1]!.toMs, p50Us, laterUs }
}
