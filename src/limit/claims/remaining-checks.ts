import { type ClaimCheck, claimIn, onTheWayMs, wholeSecondMs } from './check.ts'
import type { Claimed } from './claims.ts'
import { costOf } from './cost.ts'
import { oddRemaining } from './odd-answer.ts'
import { backOnTheWay, isEnded, isFull } from './refill.ts'
import type { Round, Row } from './row.ts'
import { acceptedAtNone, atNone } from './uncounted.ts'

/** How many may be accepted in a row of which each says that none is left. */
const mostAtNone = 100

/**
 * What is accepted on and on though none is left, and never refused, is counted, not limited: many
 * one after another, or some, and as many that go out together.
 */
export function noneLeftChecks(rounds: readonly Round[]): ClaimCheck[] {
  return rounds.flatMap(({ accepted, refused, together }) => {
    const last = accepted.at(-1)
    if (refused || !last) return []
    const isAll = together?.every(({ kind }) => kind === 'accepted') ?? false
    return last.claims.remaining.flatMap(({ field, text }) => {
      const after = acceptedAtNone(accepted, field) - 1
      const isSame = isAll && together!.every((row) => !((leftIn(row, field) ?? 0) > 0))
      if (after < (isSame ? atNone : mostAtNone)) return []
      const more = isSame ? ` and ${together!.length} together` : ''
      return [{ field, counterexample: `${text}; ${after} more accepted in a row${more}` }]
    })
  })
}

const leftIn = (row: Row, field: string) => claimIn(row, 'remaining', field)?.value

/** What a round shows of how many are said to be left, by how long one is waited for, in ms. */
export function remainingChecks(round: Round, spacingMs: number): ClaimCheck[] {
  const last = round.accepted.at(-1)
  if (!last || !round.refused) return []
  return last.claims.remaining.flatMap((one) => remainingCheck(one, round, spacingMs))
}

function remainingCheck(claimed: Claimed, round: Round, spacingMs: number): ClaimCheck[] {
  const { field, value, text } = claimed
  const { accepted } = round
  const cost = costOf(accepted)
  if (value >= (cost ?? Number.POSITIVE_INFINITY)) {
    return [{ field, counterexample: `${text}; the next was refused` }]
  }
  if (value > 0 && cost === undefined) return []
  const tooMany = cost === undefined ? undefined : moreThanLeft(field, cost, round)
  const odd = tooMany ?? (cost === undefined ? undefined : oddRemaining(field, cost, accepted))
  if (odd !== undefined) return [{ field, counterexample: odd }]
  const after = acceptedAfterNone(field, accepted)
  const most = accepted[0]!.claims.limit[0]?.value ?? accepted.length
  const back = 1.1 * backOnTheWay(round, { limit: most, spacingMs })
  // Of what is full nothing is back before its time, else the next may be due at any moment.
  const due = isFull(round, most) ? Math.floor(back + 0.1) : Math.ceil(back)
  const isOfOne = !isEnded(accepted)
  if (after > due && isOfOne)
    return [{ field, counterexample: `${text}; ${after} more accepted at once` }]
  return [{ field, holds: 'none was left when one was refused, and not before' }]
}

/**
 * Where more were said to be left than were taken from then on, by more than one, which somebody
 * else may have had; undefined where they never were. What another policy has left, which is not
 * the one that refused, was not used up.
 */
function moreThanLeft(field: string, cost: number, { accepted, refused }: Round) {
  const policyOf = ({ claims }: Row) => claims.limit[0]?.field
  for (const [index, row] of accepted.entries()) {
    const more = accepted.length - 1 - index
    const said = claimIn(row, 'remaining', field)
    const times = Math.floor((said?.value ?? 0) / cost)
    if (policyOf(row) !== policyOf(refused!) || times <= more + 1) continue
    return `${said!.text}; refused after ${more} more`
  }
}

/** How many were accepted while none was left, from the first that was so too soon on. */
function acceptedAfterNone(field: string, accepted: readonly Row[]): number {
  const early = accepted.findIndex((row, index) => {
    const own = claimIn(row, 'remaining', field)
    const [reset] = row.claims.resetMs
    const next = accepted[index + 1]
    if (!own || own.value > 0 || !next) return false
    // As it tells a time in whole seconds, some of the last may be over.
    const untilMs = Math.min(reset?.value ?? wholeSecondMs, 60_000) - wholeSecondMs
    return next.answered - row.answered < Math.max(untilMs, onTheWayMs)
  })
  if (early < 0) return 0
  const isNone = (row: Row) => claimIn(row, 'remaining', field)?.value === 0
  return accepted.slice(early + 1).filter(isNone).length
}
