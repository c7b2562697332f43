import { percentileUs, shapeCellUs, shapeOf } from '../load/figures/histogram.ts'
import type { Tally } from '../load/figures/metrics.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { percent } from '../number.ts'
import { stall } from '../verdict/pair-stalls.ts'
import { grouped, latency } from './quantity.ts'

/** Users who spend such a share of their time on those have met a target that stands still. */
const notable = 0.15

/**
 * What is to be said of a closed load whose users spent much of their time on few answers: each
 * such wait is one request, however many would have come meanwhile. Undefined of others, and of one
 * whose generator was at fault, since that may have been who waited.
 */
export function standstillWarning({
  model,
  health,
  tally: { response }
}: Pick<LoadResult, 'model' | 'health'> & { tally: Pick<Tally, 'response'> }): string | undefined {
  if (model !== 'closed' || !health.valid || response.count === 0) return
  const fromUs = Math.max(1_000 * stall.leastMs, stall.times * percentileUs(response, 50)!)
  const cells = Object.entries(shapeOf(response)).map(([cell, count]) => {
    const us = shapeCellUs(Number(cell))
    return { us, count, spentUs: us * count }
  })
  const slow = cells.filter(({ us }) => us >= fromUs)
  const sum = (some: typeof cells, of: 'count' | 'spentUs') =>
    some.reduce((total, cell) => total + cell[of], 0)
  const share = sum(slow, 'spentUs') / sum(cells, 'spentUs')
  if (share < notable) return
  const [few, all] = [sum(slow, 'count'), response.count].map(grouped)
  const told = `users spent ${percent(share, 2)} of their time on ${few} of ${all} answers`
  const each = `${latency(fromUs)} or longer each`
  return `${told}, ${each}: who would have come meanwhile is not among them; -r asks on`
}
