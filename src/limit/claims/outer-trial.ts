import { type ClaimCheck, seconds, wholeSecondMs } from './check.ts'
import { costOf } from './cost.ts'
import { mayBeFailure, refusals } from './failure.ts'
import type { Round, Row } from './row.ts'
import { roundedBy } from './told-time.ts'
import { acceptedOver, nonesOf } from './unenforced.ts'
import type { WindowOptions } from './window-trial.ts'

/** A policy that another one comes before: so many in a window of so many ms. */
type OuterPolicy = { field: string; limit: number; windowMs: number }

/** How often something has to be false: once may be another client's doing. */
const trials = 2

/** What every wait is longer by than what was said, in ms, and how long it is at least. */
const slackMs = 20
const leastMs = 50

/**
 * Holds a policy to its word that rounds did not meet, since the other one refused first and a rest
 * made it forget: asks without a rest for a window of it, until it refuses or something does that
 * no policy has a reason for, and waits then for as long as that says.
 */
export async function outerChecks(
  rounds: readonly Round[],
  options: WindowOptions
): Promise<ClaimCheck[]> {
  const outer = outerOf(rounds, options)
  if (!outer) return []
  const checks: ClaimCheck[] = []
  const { field, limit, windowMs } = outer
  const cost = costIn(rounds)
  for (let nth = 0; nth < trials; nth++) {
    const refused = await meet({ ...outer, cost }, options)
    if (!refused) return checks
    const accepted = options.asked.filter(({ kind }) => kind === 'accepted')
    const within = accepted.filter(({ sent }) => sent > refused.sent - windowMs).length
    // One more may be back as what is left is rounded.
    const isHeld = (acceptedOver(options.asked, field)?.over ?? 0) <= 1
    const left = enoughLeft(refused, cost)
    if (left) {
      checks.push({ field: left.field, counterexample: `${left.value}; the next was refused` })
    }
    const waited = await waitChecks(refused, options)
    checks.push(...waited)
    if (!left && within >= limit && isHeld) {
      checks.push({ field, holds: `${limit} were accepted, one more was not` })
    }
    if (!left && waited.every(({ counterexample }) => counterexample === undefined)) return checks
  }
  return checks
}

/** How much each request takes, by the round that took most. */
function costIn(rounds: readonly Round[]): number | undefined {
  const [longest = []] = rounds.map((round) => round.accepted).toSorted(byLength)
  return costOf(longest)
}

const byLength = (one: readonly Row[], other: readonly Row[]) => other.length - one.length

/** What a refusal says is left where it is as much as a request takes. */
function enoughLeft({ claims }: Row, cost = Number.POSITIVE_INFINITY) {
  return claims.remaining.find(({ value }) => value >= cost)
}

/**
 * Another policy than the one that refused last: the one of the shortest window. Where several had
 * none left, that may have been the one of the shortest window among them.
 */
function outerOf(rounds: readonly Round[], { leftMs }: WindowOptions): OuterPolicy | undefined {
  const refused = rounds.findLast((round) => round.refused)?.refused
  if (!refused) return
  const { limit, windowMs, apart, apartWindowMs } = refused.claims
  const nones = nonesOf(refused, costIn(rounds)).map(({ field }) => field)
  const isOpen = nones.length > 1
  const windows = isOpen ? [...windowMs, ...apartWindowMs] : apartWindowMs
  const limits = isOpen ? [...limit, ...apart] : apart
  const policies = limits.flatMap(({ field, value }): OuterPolicy[] => {
    const window = windows.find((one) => one.field === field)?.value
    if (!window || (isOpen && !nones.includes(field))) return []
    return [{ field, limit: value, windowMs: window }]
  })
  const byWindow = policies.toSorted((one, other) => one.windowMs - other.windowMs)
  const outer = byWindow[isOpen ? 1 : 0]
  // It is asked for a window, and waited for as often as it may have to be.
  return outer && (1 + trials) * outer.windowMs < leftMs() ? outer : undefined
}

/** Its refusal, which no other policy may be the reason of, or one for which none has a reason. */
async function meet(
  { field, windowMs, cost }: OuterPolicy & { cost: number | undefined },
  { ask, clock, stopped, signal, mostRequests, leftMs }: WindowOptions
): Promise<Row | undefined> {
  const until = clock.now() + windowMs
  let failures = 0
  for (let nth = 0; nth < mostRequests && clock.now() < until && !stopped(); nth++) {
    const row = await ask()
    if (row.kind === 'unclear' || leftMs() < wholeSecondMs) return
    // What a limit refuses, it refuses again at once; a failure need not come again.
    const isFailure = mayBeFailure(row.status, row.claims.retryMs.length > 0)
    failures = row.kind === 'rejected' && isFailure ? failures + 1 : 0
    const isAgain = failures > 0 && failures < refusals
    if (row.kind === 'accepted' || isAgain) continue
    const nones = nonesOf(row, cost)
    const isOwn = row.claims.limit[0]?.field === field && nones.length < 2
    if (enoughLeft(row, cost) || isOwn) return row
    // Where the others have some again it shows whether it refuses.
    const others = nones.length < 2 ? [] : nones.filter((one) => one.field !== field)
    const resets = others.flatMap(({ resetMs }) => resetMs ?? [])
    const [retryMs = 0] = row.claims.retryMs.map(({ value }) => value)
    const waitMs = Math.max(leastMs, ...(resets.length > 0 ? resets : [retryMs]))
    await clock.until(row.answered + Math.min(waitMs, windowMs) + slackMs, signal)
  }
}

/** Waits for as long as refusals say, and asks again. */
async function waitChecks(refused: Row, options: WindowOptions): Promise<ClaimCheck[]> {
  const { ask, clock, stopped, signal, leftMs } = options
  const checks: ClaimCheck[] = []
  let last = refused
  while (checks.length < trials) {
    const [claimed] = last.claims.retryMs
    if (!claimed || claimed.value < 0 || claimed.value > leftMs()) return checks
    const laterMs = claimed.day ? roundedBy(claimed) : 0
    await clock.until(last.answered + claimed.value + laterMs + slackMs, signal)
    if (stopped()) return checks
    const next = await ask()
    const { field, text } = claimed
    const after = seconds(next.sent - last.answered)
    if (next.kind === 'accepted' && checks.length === 0) {
      return [{ field, holds: `${text}; accepted ${after} later`, waits: { kept: 1, of: 1 } }]
    }
    if (next.kind !== 'rejected') return checks
    const counterexample = `${text}; refused ${after} later, by another policy`
    checks.push({ field, counterexample, waits: { kept: 0, of: 1 } })
    last = next
  }
  return checks
}
