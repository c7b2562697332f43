import { type BoundKind, brokenKinds, exceeds } from '../load/figures/bounds.ts'
import type { LoadSummary } from '../load/figures/summary.ts'
import { mostWaiting, waitedText } from '../load/health/health.ts'
import type { Conclusion } from './outcome.ts'

/** Whether the generator had no processor for so long that what it saw is as much its own doing. */
export function isStarved({ generator: { waitShare = 0 } }: LoadSummary): boolean {
  return waitShare > mostWaiting
}

/** How many answers said no, which are the target's on however busy a machine. */
export function answeredNo({ statuses }: LoadSummary): number {
  const refused = Object.entries(statuses).filter(([status]) => Number(status) >= 400)
  return refused.reduce((sum, [, count]) => sum + count, 0)
}

/** How many requests failed, however they did. */
export function failuresIn({ errors, timeouts }: LoadSummary): number {
  return Object.values(errors).reduce((sum, count) => sum + count, timeouts)
}

/**
 * Whether too many failures may be the generator's: it had no processor, and what did not come, as
 * a request that timed out before it was ever sent, is more than answers that said no.
 */
export function mayHaveFailed(summary: LoadSummary, errorRatio = Infinity): boolean {
  const refused = answeredNo(summary)
  if (!isStarved(summary) || exceeds(refused, errorRatio, summary.requests)) return false
  return failuresIn(summary) > refused
}

/** Whether all that was broken on the way may be the generator's doing. */
export function mayHaveBroken(
  summary: LoadSummary,
  broken: readonly string[],
  errorRatio?: number
): boolean {
  const isOurs: Record<BoundKind, boolean> = {
    latency: true,
    errors: mayHaveFailed(summary, errorRatio),
    dropped: isStarved(summary)
  }
  return broken.every((said) => {
    const kinds = brokenKinds(said)
    return kinds.length > 0 && kinds.every((kind) => isOurs[kind])
  })
}

/** What is said where what missed an objective may be the generator's doing. */
export function unattributed(summary: LoadSummary, observed: string, missed: string): Conclusion {
  const { waitShare = 0, standstillShare } = summary.generator
  if (!isStarved(summary)) {
    const because = `${missed}; arrivals were so late that it may have been met`
    return { outcome: 'inconclusive', observed, because }
  }
  const why = `the generator ${waitedText(waitShare, standstillShare)}: leave it a core`
  const because = `${missed}; ${why}`
  return { outcome: 'error', observed: 'the generator was the bottleneck', because }
}
