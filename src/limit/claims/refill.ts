import { afterRefusal, wholeSecondMs } from './check.ts'
import type { Claimed } from './claims.ts'
import type { Round, Row } from './row.ts'

/** What a round is held against: all rounds, and how long one is waited for at least, in ms. */
export type Beside = { rounds: readonly Round[]; spacingMs: number }

/** How many times as many are taken after a rest of twice as long, at least, of what fills. */
const moreByRest = 1.25

/** Whether a window ended between those accepted, which let through what two do. */
export function isEnded(accepted: readonly Row[]): boolean {
  return accepted.some(({ claims: { limit, remaining, resetMs } }, index) => {
    const before = accepted[index - 1]?.claims
    const left = remaining[0]?.value ?? 0
    const more = left - (before?.remaining[0]?.value ?? Number.MAX_VALUE)
    // Those of a bucket are back one at a time, which ends nothing.
    const isLater = (resetMs[0]?.value ?? 0) > (before?.resetMs[0]?.value ?? Number.MAX_VALUE)
    const isAll = limit[0] !== undefined && left >= limit[0].value - 1
    return more > 2 || (more > 0 && (isLater || isAll))
  })
}

/**
 * Whether what is told to be left is less by what each takes from one to the next; at last it may
 * be none twice, as where a limit is told to be lower than it is.
 */
export function isCountedDown(accepted: readonly Row[], cost: number): boolean {
  const left = accepted.map(({ claims }) => claims.remaining[0]?.value)
  return left.every((value, index) => {
    const before = left[index - 1]
    if (value === undefined) return false
    if (index === 0) return true
    return before! - value === cost || (index === left.length - 1 && before === 0 && value === 0)
  })
}

/** Whether all was back when a round began: a bucket that was not full takes less. */
export function isFull({ accepted, isRested }: Round, limit: number): boolean {
  return isRested || (accepted[0]?.claims.remaining[0]?.value ?? 0) >= limit - 1
}

/**
 * The same of a counter as well, which has a share of the window before. What fills more in a
 * longer rest was not full, as where a time to be back is that of the next one.
 */
export function isAllBack(round: Round, limit: number, rounds: readonly Round[]): boolean {
  const { accepted, isRestedTwice, restMs } = round
  const isFilling = rounds.some((one) => {
    const isMore = one.accepted.length > moreByRest * accepted.length
    return one.restMs > restMs && (isMore || one.accepted.length >= limit)
  })
  const isSaid = (accepted[0]?.claims.remaining[0]?.value ?? 0) >= limit - 1
  return isSaid || (isRestedTwice && !isFilling)
}

/** How many may be asked between rounds, each of which a window that goes on counts as well. */
const askedBetween = 3

/**
 * Whether just as many were taken after a rest of twice as long, or half as long, which were all
 * that was said to be left: all was back then, and at once, as what comes back one at a time is no
 * more than one each time as long as one was waited for.
 */
export function isSameAgain(
  { accepted, restMs }: Round,
  { limit, cost, rounds, spacingMs }: { limit: number; cost: number } & Beside
): boolean {
  const many = accepted.length
  const left = accepted.map(({ claims }) => claims.remaining[0]?.value)
  const isUsedUp = left[0] === (many - 1) * cost && left.at(-1) === 0
  const isSame = rounds.some((one) => {
    const [less, more] = [restMs, one.restMs].toSorted((first, second) => first - second)
    const isOfAnother = less! > 0 && more! >= 2 * less!
    const [first] = one.accepted
    return (
      isOfAnother && one.accepted.length === many && first?.claims.remaining[0]?.value === left[0]
    )
  })
  const isLess = rounds.every((one) => (one.accepted.length + askedBetween) * cost < limit)
  const tookMs = accepted.at(-1)!.answered - accepted[0]!.sent
  const isAtOnce = spacingMs > 0 && many > 2 + (restMs + tookMs) / spacingMs
  return isUsedUp && isSame && isAtOnce && isLess
}

/**
 * How many come back at most while a round is asked: their share of the time in which all do, where
 * that is told, and no more than one each time as long as one was waited for.
 */
export function backOnTheWay(
  { accepted, refused }: Round,
  { limit, spacingMs, field }: { limit: number; spacingMs: number; field?: string }
): number {
  const { windowMs: windows } = (refused ?? accepted.at(-1)!).claims
  const windowMs = windows.find((one) => one.field === field) ?? windows[0]
  const resets = accepted.flatMap(({ claims }) => claims.resetMs)
  const [latest] = resets.toSorted((one, other) => other.value - one.value)
  // A time of day is told in whole seconds, and so is the Date that it is held against.
  const allMs = windowMs?.value ?? (latest ? soonestOf(latest) : 0) - 2 * wholeSecondMs
  const tookMs = accepted.at(-1)!.answered - accepted[0]!.sent
  const share = allMs > 0 ? (limit * tookMs) / allMs : Number.POSITIVE_INFINITY
  return Math.min(share, spacingMs > 0 ? (1.1 * tookMs) / spacingMs : Number.POSITIVE_INFINITY)
}

/** From how many on a time of which nothing shows the unit may be meant in ms. */
const bareFrom = 100

/** When all is back at the soonest, by the latest time that is told, which may be in ms as well. */
function soonestOf({ value, isBare }: Claimed): number {
  return isBare && value >= 1_000 * bareFrom ? value / 1_000 : value
}

/** For how many ms from a refusal on all else was refused: one at a time is not back so soon. */
export function refusedMs(round: Round): number {
  const { refused } = round
  const last = afterRefusal(round).findLast(({ kind }) => kind === 'rejected')
  return refused && last ? last.sent - refused.answered : 0
}
