import type { Claimed, Claims } from './claimed.ts'
import { costOf } from './cost.ts'
import type { ClaimFinding, Round, Row } from './row.ts'

/** By how much times may be off that are told in whole seconds, in ms. */
export const wholeSecondMs = 1_000
/** By how much a wait may be off for what happens on the way, in ms. */
export const onTheWayMs = 50

const untold = 'nothing that was asked tells'
const another = 'another policy refused each time'

/**
 * What one round shows of a field: that it holds, or a counterexample, which is `isSure` where no
 * other client can have caused it.
 */
export type ClaimCheck = { field: string; counterexample?: string; holds?: string; isSure?: true }

/**
 * Which of the fields that answers had hold, by what came of asking until refused, of waiting as
 * long as they said, and of asking again. A field is false where each round has a counterexample,
 * true where none has and one shows that it holds. `why` says why the others are unsaid; `more` is
 * what was asked apart from the rounds.
 */
export function judgeClaims(
  rounds: readonly Round[],
  why = untold,
  more: readonly ClaimCheck[] = []
): ClaimFinding[] {
  const all = rows(rounds)
  const spacingMs = Math.max(0, ...rounds.map(refusedMs))
  const ofRounds = rounds.flatMap((round) => [
    // What failed between them may have been counted, which hides how many are left.
    ...(round.failed > 0
      ? []
      : [...limitChecks(round, spacingMs), ...remainingChecks(round, spacingMs)]),
    ...retryChecks(round),
    ...resetChecks(round),
    ...softChecks(round)
  ])
  const checks = [...ofRounds, ...more]
  const fields = [...new Set([...checks.map(({ field }) => field), ...fieldsOf(all)])]
  const sure = [...policyChecks(all), ...more.filter(({ isSure }) => isSure)]
  const findings = fields.map((field): ClaimFinding => {
    const own = checks.filter((check) => check.field === field)
    const against = own.flatMap(({ counterexample }) => counterexample ?? [])
    const tooMany = sure.find((one) => one.field === field)?.counterexample
    if (tooMany !== undefined) return { field, verdict: 'false', because: tooMany }
    // One of a kind may be another client's doing; it has to come again.
    if (against.length > 1) return { field, verdict: 'false', because: against.at(-1)! }
    const hidden = onlyRefused(field, all)
    if (hidden && !field.startsWith('Retry')) return { field, verdict: 'false', because: hidden }
    const holds = own.find((check) => check.holds !== undefined)?.holds
    if (holds !== undefined && against.length === 0) {
      return { field, verdict: 'true', because: holds }
    }
    const once = against[0]
    const isApart = own.length === 0 && all.some(({ claims }) => isNamed(field, claims.apart))
    if (isApart && why === untold) return { field, verdict: 'unsaid', because: another }
    // Of what is not counted it is no matter how many there were.
    const isWhy = once === undefined || rounds.some(({ together }) => together)
    const because = isWhy ? why : why === untold ? once : `${once}, once; ${why}`
    return { field, verdict: 'unsaid', because }
  })
  return findings.sort((a, b) => a.field.localeCompare(b.field))
}

function rows(rounds: readonly Round[]): Row[] {
  const all = rounds.flatMap(({ accepted, refused, retried, polled, together = [] }) => {
    const after = [...(refused ? [refused] : []), ...(retried ? [retried] : []), ...polled]
    return [...accepted, ...after, ...together]
  })
  // What ended one round may have begun the next.
  return [...new Set(all)]
}

function fieldsOf(all: readonly Row[]): string[] {
  return all.flatMap(({ claims }) => Object.values(claims).flatMap(fieldNames))
}

const isNamed = (name: string, claimed: readonly Claimed[]) => fieldNames(claimed).includes(name)

const fieldNames = (claimed: readonly Claimed[]) => claimed.map(({ field }) => field)

/** What a round shows of each limit, by how long one is waited for at least, in ms. */
export function limitChecks(round: Round, spacingMs: number): ClaimCheck[] {
  const { limit = [] } = (round.refused ?? round.accepted.at(-1))?.claims ?? {}
  if (round.accepted.length === 0) return []
  return limit.flatMap((one) => limitCheck(one, round, spacingMs))
}

function limitCheck({ field, value }: Claimed, round: Round, spacingMs: number): ClaimCheck[] {
  const { accepted, refused } = round
  const many = accepted.length
  if (isEnded(accepted)) return []
  const cost = costOf(accepted)
  const taken = many * (cost ?? 1)
  if (cost !== undefined && taken <= value && taken > value - cost) {
    const each =
      cost === 1 ? `${value} were accepted` : `${many} were accepted that take ${cost} each`
    return [{ field, holds: `${each}, one more was not` }]
  }
  // Of those that take what differs nobody knows what the next would have taken.
  if (refused && cost !== undefined && taken < value && isAllBack(round, value)) {
    return [{ field, counterexample: `${value}; refused after ${taken}, after a rest` }]
  }
  if (taken > value + Math.ceil(backOnTheWay(round, { limit: value, spacingMs, field }))) {
    const took = seconds(accepted.at(-1)!.answered - accepted[0]!.sent)
    return [{ field, counterexample: `${value}; ${taken} were accepted in ${took}` }]
  }
  return []
}

/** Whether a window ended between those accepted, which let through what two do. */
function isEnded(accepted: readonly Row[]): boolean {
  return accepted.some(({ claims: { remaining, resetMs } }, index) => {
    const before = accepted[index - 1]?.claims
    const more = (remaining[0]?.value ?? 0) - (before?.remaining[0]?.value ?? Number.MAX_VALUE)
    // Those of a bucket are back one at a time, which ends nothing.
    const isLater = (resetMs[0]?.value ?? 0) > (before?.resetMs[0]?.value ?? Number.MAX_VALUE)
    return more > 2 || (more > 0 && isLater)
  })
}

/** Whether all was back when a round began: a bucket that was not full takes less. */
function isFull({ accepted, isRested }: Round, limit: number): boolean {
  return isRested || (accepted[0]?.claims.remaining[0]?.value ?? 0) >= limit - 1
}

/** The same of a counter as well, which has a share of the window before. */
function isAllBack({ accepted, isRestedTwice }: Round, limit: number): boolean {
  return isRestedTwice || (accepted[0]?.claims.remaining[0]?.value ?? 0) >= limit - 1
}

/**
 * How many come back at most while a round is asked: their share of the time in which all do, where
 * that is told, and no more than one each time as long as one was waited for.
 */
function backOnTheWay(
  { accepted, refused }: Round,
  { limit, spacingMs, field }: { limit: number; spacingMs: number; field?: string }
): number {
  const { windowMs: windows } = (refused ?? accepted.at(-1)!).claims
  const windowMs = windows.find((one) => one.field === field) ?? windows[0]
  const resets = accepted.flatMap(({ claims }) => claims.resetMs.map(({ value }) => value))
  // A time of day is told in whole seconds, and so is the Date that it is held against.
  const allMs = windowMs?.value ?? Math.max(0, ...resets) - 2 * wholeSecondMs
  const tookMs = accepted.at(-1)!.answered - accepted[0]!.sent
  const share = allMs > 0 ? (limit * tookMs) / allMs : Number.POSITIVE_INFINITY
  return Math.min(share, spacingMs > 0 ? (1.1 * tookMs) / spacingMs : Number.POSITIVE_INFINITY)
}

/** For how many ms from a refusal on all else was refused: one at a time is not back so soon. */
function refusedMs({ refused, retried, polled }: Round): number {
  if (!refused) return 0
  const after = [...(retried ? [retried] : []), ...polled]
  const last = after.findLast(({ kind }) => kind === 'rejected')
  return last ? last.sent - refused.answered : 0
}

function remainingChecks(round: Round, spacingMs: number): ClaimCheck[] {
  const last = round.accepted.at(-1)
  if (!last || !round.refused) return []
  return last.claims.remaining.flatMap((one) => remainingCheck(one, round, spacingMs))
}

function remainingCheck({ field, value }: Claimed, round: Round, spacingMs: number): ClaimCheck[] {
  const { accepted } = round
  const cost = costOf(accepted)
  if (value >= (cost ?? Number.POSITIVE_INFINITY)) {
    return [{ field, counterexample: `${value}; the next was refused` }]
  }
  if (value > 0 && cost === undefined) return []
  const early = accepted.findIndex((row, index) => {
    const own = row.claims.remaining.find((one) => one.field === field)
    const [reset] = row.claims.resetMs
    const next = accepted[index + 1]
    if (!own || own.value > 0 || !next) return false
    // As it tells a time in whole seconds, some of the last may be over.
    const untilMs = Math.min(reset?.value ?? wholeSecondMs, 60_000) - wholeSecondMs
    return next.answered - row.answered < Math.max(untilMs, onTheWayMs)
  })
  const isNone = ({ claims }: Row) => {
    return claims.remaining.some((one) => one.field === field && one.value === 0)
  }
  const after = accepted.slice(early + 1).filter(isNone).length
  const most = accepted[0]!.claims.limit[0]?.value ?? accepted.length
  const back = 1.1 * backOnTheWay(round, { limit: most, spacingMs })
  // Of what is full nothing is back before its time, else the next may be due at any moment.
  const due = isFull(round, most) ? Math.floor(back + 0.1) : Math.ceil(back)
  if (early >= 0 && after > due) {
    return [{ field, counterexample: `0; ${after} more accepted at once` }]
  }
  return [{ field, holds: 'none was left when one was refused, and not before' }]
}

function retryChecks({ refused, retried, polled }: Round): ClaimCheck[] {
  const [claimed] = refused?.claims.retryMs ?? []
  if (!refused || !claimed) return []
  const { field, value, text } = claimed
  // A date is told in whole seconds, and so is the Date that it is held against.
  if (value < 0)
    return [{ field, counterexample: `${text}; a time that was over when it was said` }]
  if (retried?.kind === 'accepted') {
    return [{ field, holds: `${text}; accepted ${seconds(retried.sent - refused.answered)} later` }]
  }
  if (retried?.kind !== 'rejected') return []
  const back = polled.find(({ kind }) => kind === 'accepted') ?? polled.at(-1) ?? retried
  const until = seconds(back.sent - refused.answered)
  return [{ field, counterexample: `${text}; refused until ${until}` }]
}

/** What a round shows of each time that is said for all to be back. */
export function resetChecks(round: Round): ClaimCheck[] {
  const { refused } = round
  return refused?.claims.resetMs.flatMap((one) => resetCheck(one, refused, round)) ?? []
}

function resetCheck(
  { field, value, text }: Claimed,
  refused: Row,
  { retried, polled, accepted }: Round
): ClaimCheck[] {
  if (value < -wholeSecondMs) return [{ field, counterexample: `${text}; refused after that time` }]
  const later = [...(retried ? [retried] : []), ...polled]
  const due = refused.answered + value + wholeSecondMs
  const refusedLate = later.find(({ kind, sent }) => kind === 'rejected' && sent > due)
  if (refusedLate) {
    const ms = refusedLate.sent - refused.answered
    return [{ field, counterexample: `${text}; still refused after ${seconds(ms)}` }]
  }
  const back = later.find(({ kind }) => kind === 'accepted')
  if (!back) return []
  const isAll = (back.claims.remaining[0]?.value ?? -1) >= accepted.length - 1
  const ms = back.answered - refused.answered
  if (isAll && ms < value - 2 * wholeSecondMs) {
    return [{ field, counterexample: `${text}; all were back after ${seconds(ms)}` }]
  }
  // Who says the same however late it is asked says it just before as well.
  const before = later.slice(0, later.indexOf(back)).findLast(({ kind }) => kind === 'rejected')
  const late = before?.claims.resetMs.find((one) => one.field === field)
  const lateMs = back.answered - (before?.answered ?? 0)
  if (late && isAll && lateMs < late.value - 2 * wholeSecondMs) {
    return [{ field, counterexample: `${late.text}; all were back ${seconds(lateMs)} later` }]
  }
  return [{ field, holds: `${text}; accepted again after ${seconds(ms)}` }]
}

function softChecks({ refused }: Round): ClaimCheck[] {
  if (!refused || refused.status >= 400) return []
  const counterexample = `${refused.status}, though it is a refusal: ${refused.because}`
  return [{ field: 'status', counterexample }]
}

/** More accepted in a window than two that meet can hold. */
function policyChecks(all: readonly Row[]): ClaimCheck[] {
  const { limit = [], windowMs = [] } = all[0]?.claims ?? {}
  return windowMs.flatMap((window) => {
    const own = limit.find(({ field }) => field === window.field) ?? limit[0]
    return (own && policyCheck(all, own, window)) ?? []
  })
}

function policyCheck(
  all: readonly Row[],
  limit: Claimed,
  windowMs: Claimed
): ClaimCheck | undefined {
  const taken = all.filter(({ kind }) => kind === 'accepted')
  if (windowMs.value <= 0) return
  let end = 0
  let most = 0
  for (const [index, { sent }] of taken.entries()) {
    while (end < taken.length && taken[end]!.answered <= sent + windowMs.value) end++
    most = Math.max(most, end - index)
  }
  if (most <= 2 * limit.value) return
  const many = `${most} were accepted within ${seconds(windowMs.value)}`
  return { field: windowMs.field, counterexample: `${limit.value} in it; ${many}` }
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

/** A time in ms, in seconds for people. */
export function seconds(ms: number): string {
  return `${Number((ms / 1_000).toPrecision(2)).toLocaleString('en')} s`
}
