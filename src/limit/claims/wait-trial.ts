import { askedRound, type RoundAsked } from './asked-round.ts'
import type { ClaimCheck } from './check.ts'
import type { Round } from './row.ts'
import { retryChecks } from './wait-checks.ts'

/** How many more waits are held to their word at most, and for what part of the time left. */
const mostTrials = 8
const leftPart = 0.25

/** For how many ms at most, and for how many times as long once one of them was not kept. */
const mostMs = 20_000
const longerOnce = 2

/** How many of them have to be false: one may be another client's doing. */
const enough = 2

/**
 * Holds waits to their word that more refusals name, since one in several may be too short: asks on
 * until it is refused, waits for as long as that says, and so on, as often as there is time for,
 * unless they are known to be false.
 */
export async function waitChecks(
  rounds: readonly Round[],
  known: readonly ClaimCheck[],
  options: RoundAsked
): Promise<ClaimCheck[]> {
  const { clock, stopped } = options
  const refusals = rounds.flatMap(({ refused }) => refused ?? [])
  if (!refusals.some(({ claims }) => claims.retryMs.length > 0)) return []
  const isAgainst = ({ counterexample }: ClaimCheck) => counterexample !== undefined
  const fields = refusals.flatMap(({ claims }) => claims.retryMs.map(({ field }) => field))
  const before = [...rounds.flatMap(retryChecks), ...known].filter((check) => {
    return isAgainst(check) && fields.includes(check.field)
  }).length
  const checks: ClaimCheck[] = []
  const against = () => before + checks.filter(isAgainst).length
  const began = clock.now()
  const givenMs = Math.min(mostMs, leftPart * options.leftMs())
  const leftMs = () => {
    const most = against() > 0 ? longerOnce * givenMs : givenMs
    return Math.min(began + most - clock.now(), options.leftMs())
  }
  const asked = { ...options, leftMs, stopped: () => stopped() || leftMs() <= 0 }
  for (let nth = 0; nth < mostTrials && against() < enough && !asked.stopped(); nth++) {
    const beginning = { restMs: 0, begun: [], isRested: false, isRestedTwice: false }
    const round = await askedRound(asked, { ...beginning, waits: 'retry' })
    const seen = retryChecks(round)
    if (seen.length === 0) break
    checks.push(...seen)
  }
  return checks
}
