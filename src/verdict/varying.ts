import { mergeDistributions, shapeCellUs, shapeOf } from '../load/figures/histogram.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { type ServiceTimes, variationOf } from '../statistics/queue-capacity.ts'
import { waitIn } from './rate-trial.ts'

/** How long requests take without a queue where that differs by chance: with (SD ÷ mean)². */
export type Varying = { service: ServiceTimes; scv: number }

/** A squared deviation over the mean² from which on more requests are asked to know it. */
const leastScv = 0.1

/**
 * What it has to be without the slowest of many requests: a machine that has something else to do
 * makes a few of them late, of a target that is always as quick as well.
 */
const least = { scv: 0.2, without: 0.02 }

/** Service times without a share of the slowest requests. */
function trimmed(service: ServiceTimes, share: number): ServiceTimes {
  let left = Math.round(share * service.reduce((sum, { count }) => sum + count, 0))
  const kept = service.toReversed().map(({ seconds, count }) => {
    const cut = Math.min(left, count)
    left -= cut
    return { seconds, count: count - cut }
  })
  return kept.filter(({ count }) => count > 0)
}

/** How long requests took, from the quickest up, as cells of 4 % tell them apart. */
function serviceIn(seen: readonly LoadResult[]): ServiceTimes {
  const all = mergeDistributions(seen.map(({ tally }) => tally.response))
  return Object.entries(shapeOf(all)).map(([cell, count]) => {
    return { seconds: shapeCellUs(Number(cell) + 0.5) / 1e6, count }
  })
}

/** Whether a few requests differ so much that it takes more of them to know. */
export function mayVary(seen: readonly LoadResult[]): boolean {
  return variationOf(serviceIn(seen)).scv >= leastScv
}

/** A generator that waited for a processor for more of the time says nothing of how they vary. */
const mostWait = 0.05

/**
 * How requests vary by chance, by what little load showed; undefined where they are much alike, or
 * where at last it may be the machine that made them differ.
 */
export function varyingIn(seen: readonly LoadResult[]): Varying | undefined {
  const last = seen.at(-1)
  if (last === undefined || waitIn(last) > mostWait) return
  const service = serviceIn(seen)
  const { scv } = variationOf(trimmed(service, least.without))
  return scv >= least.scv ? { service, scv: variationOf(service).scv } : undefined
}
