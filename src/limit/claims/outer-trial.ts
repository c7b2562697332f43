import { afterRefusal, type ClaimCheck, seconds, wholeSecondMs } from './check.ts'
import { costOf } from './cost.ts'
import { mayBeFailure, refusals } from './failure.ts'
import type { Round, Row } from './row.ts'
import { roundedBy } from './told-time.ts'
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
  const all = rounds.flatMap((round) => [...round.accepted, ...afterRefusal(round)])
  const accepted = all.filter(({ kind }) => kind === 'accepted')
  const checks: ClaimCheck[] = []
  const { field, limit, windowMs } = outer
  const [longest = []] = rounds.map((round) => round.accepted).toSorted(byLength)
  const cost = costOf(longest)
  for (let nth = 0; nth < trials; nth++) {
    const refused = await meet({ ...outer, cost }, options, accepted)
    if (!refused) return checks
    const within = accepted.filter(({ sent }) => sent > refused.sent - windowMs).length
    const left = enoughLeft(refused, cost)
    if (left) {
      checks.push({ field: left.field, counterexample: `${left.value}; the next was refused` })
    }
    const waited = await waitChecks(refused, options)
    checks.push(...waited)
    if (!left && within >= limit) {
      const over = await overIn({ refused, outer, cost }, options)
      checks.push(...(over ?? [{ field, holds: `${limit} were accepted, one more was not` }]))
      if (over) continue
    }
    if (!left && waited.every(({ counterexample }) => counterexample === undefined)) return checks
  }
  return checks
}

/** How many more than can be back are no doubt too many. */
const leastOver = 3

/**
 * How many a policy accepts again of which a refusal said that none is left, where that is more
 * than can be back long before it said that all would be: another policy refused then.
 */
async function overIn(
  { refused, outer, cost = 1 }: { refused: Row; outer: OuterPolicy; cost: number | undefined },
  { ask, clock, stopped, mostRequests, leftMs }: WindowOptions
): Promise<ClaimCheck[] | undefined> {
  const { field, limit, windowMs } = outer
  const [none] = refused.claims.remaining
  const resetMs = refused.claims.resetMs[0]?.value ?? 0
  if (none?.value !== 0 || refused.claims.limit[0]?.field !== field) return
  const goneMs = () => clock.now() - refused.answered
  const isLongBefore = () => goneMs() < resetMs - wholeSecondMs
  let count = 0
  for (; count < Math.min(limit, mostRequests) && isLongBefore(); count++) {
    if (stopped() || leftMs() < wholeSecondMs || (await ask()).kind !== 'accepted') break
  }
  const back = (1.1 * limit * goneMs()) / windowMs / cost
  if (!isLongBefore() || count < back + leastOver) return
  const over = `${count} more were accepted ${seconds(goneMs())} after none was left`
  return [
    { field, counterexample: `${limit}; ${over}` },
    { field: none.field, counterexample: `${none.text}; ${over}` }
  ]
}

const byLength = (one: readonly Row[], other: readonly Row[]) => other.length - one.length

/** What a refusal says is left where it is as much as a request takes. */
function enoughLeft({ claims }: Row, cost = Number.POSITIVE_INFINITY) {
  return claims.remaining.find(({ value }) => value >= cost)
}

/** Another policy than the one that refused last: the one of the shortest window. */
function outerOf(rounds: readonly Round[], { leftMs }: WindowOptions): OuterPolicy | undefined {
  const refusals = rounds.flatMap(({ refused }) => refused ?? [])
  const { apart = [], apartWindowMs = [] } = refusals.at(-1)?.claims ?? {}
  const policies = apart.flatMap(({ field, value: limit }): OuterPolicy[] => {
    const windowMs = apartWindowMs.find((one) => one.field === field)?.value
    // It is asked for a window, and waited for as often as it may have to be.
    return windowMs && (1 + trials) * windowMs < leftMs() ? [{ field, limit, windowMs }] : []
  })
  return policies.toSorted((one, other) => one.windowMs - other.windowMs)[0]
}

/** Its refusal, or one for which no policy has a reason; adds what is accepted before that. */
async function meet(
  { field, windowMs, cost }: OuterPolicy & { cost: number | undefined },
  { ask, clock, stopped, signal, mostRequests, leftMs }: WindowOptions,
  accepted: Row[]
): Promise<Row | undefined> {
  const until = clock.now() + windowMs
  let failures = 0
  for (let nth = 0; nth < mostRequests && clock.now() < until && !stopped(); nth++) {
    const row = await ask()
    if (row.kind === 'unclear' || leftMs() < wholeSecondMs) return
    if (row.kind === 'accepted') accepted.push(row)
    // What a limit refuses, it refuses again at once; a failure need not come again.
    const isFailure = mayBeFailure(row.status, row.claims.retryMs.length > 0)
    failures = row.kind === 'rejected' && isFailure ? failures + 1 : 0
    const isAgain = failures > 0 && failures < refusals
    if (row.kind === 'accepted' || isAgain) continue
    if (enoughLeft(row, cost) || row.claims.limit[0]?.field === field) return row
    const waitMs = Math.max(leastMs, row.claims.retryMs[0]?.value ?? 0)
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
