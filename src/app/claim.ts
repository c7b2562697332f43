import assert from 'node:assert/strict'
import type { App } from './app.ts'
import { type AppDimension, type AppOptions, boundary, limiter } from './find.ts'
import { refuseMisuse, refuseSize } from './misuse.ts'

/** What is claimed of an app's limit on rates; what is left out is not looked at. */
export type LimitClaim = {
  /** How many are accepted at once after a rest. */
  burst?: number
  /**
   * How many a second in the long run, give or take a twentieth, or a fiftieth where time is moved
   * by hand, of which none is lost.
   */
  perSecond?: number
  /** Status of what is refused. */
  status?: number
}

/** Whether a claim holds, whether that could be told, and what was seen. */
export type ClaimOutcome = { pass: boolean; isClear: boolean; seen: string }

/** By how much of itself a rate may be off what is claimed, and where time is moved by hand. */
const tolerance = { usual: 0.05, moved: 0.02 }

/**
 * How many a second show that what is claimed is not so: several times what would be let through,
 * though a machine that is busy may never ask as fast as is asked without a claim.
 */
function enough({ burst = 0, perSecond = 0 }: LimitClaim): number | undefined {
  const most = perSecond > 0 ? 3 * perSecond : 10 * burst
  return most > 0 ? Math.min(1_000, most) : undefined
}

/** Whether an app limits the rate of requests as claimed; rejects what no claim can be. */
export async function limits(
  app: App,
  claim: LimitClaim,
  options: AppOptions = {}
): Promise<ClaimOutcome> {
  refuseMisuse('claim', claim)
  const asked = { upTo: enough(claim), ...options }
  const { algorithm, burst, perSecond, status, because } = await limiter(app, asked)
  const isFound = algorithm !== 'none' && algorithm !== 'unclear'
  const off = Math.abs((perSecond ?? 0) / (claim.perSecond ?? 1) - 1)
  const most = options.clock ? tolerance.moved : tolerance.usual
  const isRate = claim.perSecond === undefined || off <= most
  const isSame = (claimed: number | undefined, seen: number | undefined) => {
    return claimed === undefined || claimed === seen
  }
  const pass = isFound && isRate && isSame(claim.burst, burst) && isSame(claim.status, status)
  const how = status === 0 ? 'closed connections' : status
  const by = status === undefined || algorithm === 'none' ? '' : `, refused by ${how}`
  const kind = algorithm === 'none' ? 'no limit' : algorithm.replaceAll('-', ' ')
  const seen = `${kind}: ${because}${by}`
  return { pass, isClear: algorithm !== 'unclear', seen }
}

/** Whether an app accepts up to so much, and refuses one more; rejects what no size can be. */
export async function acceptsUpTo(
  app: App,
  most: number,
  options: AppOptions & { of?: AppDimension; status?: number } = {}
): Promise<ClaimOutcome> {
  refuseSize(most)
  refuseMisuse('acceptsUpTo', options)
  const { status: claimed, ...asked } = options
  const found = await boundary(app, { ...asked, expected: most })
  const { kind, accepted, rejected, status, because } = found
  const isSame = claimed === undefined || claimed === status
  const pass = kind === 'found' && accepted === most && rejected === most + 1 && isSame
  const line = `${accepted ?? 'nothing'} accepted, ${rejected ?? 'nothing'} refused`
  const seen = kind === 'found' ? `${line} (${status})` : `${line}: ${because}`
  return { pass, isClear: kind !== 'unclear', seen }
}

/** Rejects with an AssertionError unless an app limits the rate of requests as claimed. */
export async function assertLimits(...claimed: Parameters<typeof limits>): Promise<void> {
  const { pass, seen } = await limits(...claimed)
  assert(pass, `expected ${JSON.stringify(claimed[1])}, found ${seen}`)
}

/** Rejects with an AssertionError unless an app accepts up to so much, and not one more. */
export async function assertAcceptsUpTo(...claimed: Parameters<typeof acceptsUpTo>): Promise<void> {
  const { pass, seen } = await acceptsUpTo(...claimed)
  assert(pass, `expected up to ${claimed[1]}, found ${seen}`)
}
