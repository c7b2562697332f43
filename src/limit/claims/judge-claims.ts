import { afterRefusal, type ClaimCheck } from './check.ts'
import type { Claimed, Claims, Unread } from './claims.ts'
import { limitChecks, policyChecks } from './limit-checks.ts'
import { refusedMs } from './refill.ts'
import { noneLeftChecks, remainingChecks } from './remaining-checks.ts'
import type { ClaimFinding, Round, Row } from './row.ts'
import { resetChecks, retryChecks, waitsKept } from './wait-checks.ts'

/** Why a field is unsaid that was asked about. */
export const untold = 'nothing that was asked tells'
const another = 'another policy refused each time'

/**
 * Which of the fields that answers had hold, by what came of asking until refused, of waiting as
 * long as they said, and of asking again. A field is false where two rounds have a counterexample,
 * true where none has and one shows that it holds. `why` says why the others are unsaid; `more` is
 * what was asked apart from the rounds.
 */
export function judgeClaims(
  rounds: readonly Round[],
  why = untold,
  more: readonly ClaimCheck[] = []
): ClaimFinding[] {
  const all = rows(rounds)
  const { taken, retry, reset } = checksOf(rounds)
  const checks = [...taken, ...retry, ...reset, ...rounds.flatMap(softChecks), ...more]
  const fields = [...new Set([...checks.map(({ field }) => field), ...fieldsOf(all)])]
  const known = more.filter(({ isSure }) => isSure)
  const sure = [...policyChecks(all), ...noneLeftChecks(rounds), ...known]
  const findings = fields.map((field): ClaimFinding => {
    const own = checks.filter((check) => check.field === field)
    const kept = waitsKept(own)
    const against = counterexamples(own).map((one) => `${one}${kept}`)
    const tooMany = sure.find((one) => one.field === field)?.counterexample
    if (tooMany !== undefined) return { field, verdict: 'false', because: tooMany }
    const unread = unreadOf(field, all)
    if (unread?.isFalse) return { field, verdict: 'false', because: unread.because }
    // One of a kind may be another client's doing; it has to come again.
    if (against.length > 1) return { field, verdict: 'false', because: against.at(-1)! }
    if (own.length === 0 && unread && !isRead(field, all)) {
      return { field, verdict: 'unsaid', because: unread.because }
    }
    // Only who refuses has a wait to tell.
    const isWait = all.some(({ claims }) => isNamed(field, claims.retryMs))
    const hidden = isWait ? undefined : onlyRefused(field, all)
    if (hidden) return { field, verdict: 'false', because: hidden }
    const holds = own.find((check) => check.holds !== undefined)?.holds
    if (holds !== undefined && against.length === 0) {
      return { field, verdict: 'true', because: `${holds}${kept}` }
    }
    const once = against[0]
    const open = own.findLast((check) => check.open !== undefined)?.open
    const isApart = own.length === 0 && all.some(({ claims }) => isNamed(field, claims.apart))
    if (isApart && why === untold) return { field, verdict: 'unsaid', because: another }
    // Of what is not counted it is no matter how many there were.
    const isWhy = once === undefined || rounds.some(({ together }) => together)
    const isOpen = once === undefined && why === untold && open !== undefined
    const because = isOpen ? open : isWhy ? why : why === untold ? once : `${once}, once; ${why}`
    return { field, verdict: 'unsaid', because }
  })
  return findings.sort((a, b) => a.field.localeCompare(b.field))
}

/** What is claimed: how many are taken, how long to wait for one, and for all. */
type Claim = 'taken' | 'retry' | 'reset'

function checksOf(rounds: readonly Round[]): Record<Claim, ClaimCheck[]> {
  const spacingMs = Math.max(0, ...rounds.map(refusedMs))
  // What failed between them may have been counted, which hides how many are left.
  const counted = rounds.filter(({ failed }) => failed === 0)
  return {
    taken: counted.flatMap((round) => [
      ...limitChecks(round, { rounds, spacingMs }),
      ...remainingChecks(round, spacingMs)
    ]),
    retry: rounds.flatMap(retryChecks),
    reset: rounds.flatMap(resetChecks)
  }
}

/** What has a counterexample in one round, and in no other, so that it has to be asked again. */
export function onceFalse(rounds: readonly Round[]): Claim | undefined {
  const isOnce = (checks: readonly ClaimCheck[]) => {
    const fields = new Set(checks.map(({ field }) => field))
    return [...fields].some((field) => {
      return counterexamples(checks.filter((one) => one.field === field)).length === 1
    })
  }
  const checks = checksOf(rounds)
  return (['taken', 'retry', 'reset'] as const).find((claim) => isOnce(checks[claim]))
}

function counterexamples(checks: readonly ClaimCheck[]): string[] {
  return checks.flatMap(({ counterexample }) => counterexample ?? [])
}

function rows(rounds: readonly Round[]): Row[] {
  const all = rounds.flatMap((round) => {
    const { accepted, refused, full, together = [] } = round
    const after = [...(refused ? [refused] : []), ...afterRefusal(round), ...(full ? [full] : [])]
    return [...accepted, ...after, ...together]
  })
  // What ended one round may have begun the next.
  return [...new Set(all)]
}

function fieldsOf(all: readonly Row[]): string[] {
  return all.flatMap(({ claims }) => Object.values(claims).flatMap(fieldNames))
}

/** Why a field was not held to its word; first what is false by itself. */
function unreadOf(field: string, all: readonly Row[]): Unread | undefined {
  const own = all.flatMap(({ claims }) => claims.unread.filter((one) => one.field === field))
  return own.find(({ isFalse }) => isFalse) ?? own[0]
}

/** Whether any answer has a number in a field. */
function isRead(field: string, all: readonly Row[]): boolean {
  return all.some(({ claims: { unread: _, ...read } }) => {
    return Object.values(read).some((claimed) => isNamed(field, claimed))
  })
}

const isNamed = (name: string, claimed: readonly Claimed[]) => fieldNames(claimed).includes(name)

const fieldNames = (claimed: readonly { field: string }[]) => claimed.map(({ field }) => field)

function softChecks({ refused }: Round): ClaimCheck[] {
  if (!refused || refused.status >= 400) return []
  const counterexample = `${refused.status}, though it is a refusal: ${refused.because}`
  return [{ field: 'status', counterexample }]
}

/** What only refusals say cannot be gone by before. */
function onlyRefused(field: string, all: readonly Row[]): string | undefined {
  const says = ({ claims }: { claims: Claims }) => {
    return Object.values(claims).flatMap(fieldNames).includes(field)
  }
  const accepted = all.filter(({ kind }) => kind === 'accepted')
  const isHidden = accepted.length > 0 && !accepted.some(says) && all.some(says)
  return isHidden ? 'said only once refused: nothing to go by until then' : undefined
}
