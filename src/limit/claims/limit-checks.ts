import { type ClaimCheck, seconds } from './check.ts'
import type { Claimed } from './claims.ts'
import { costOf } from './cost.ts'
import { oddLimit } from './odd-answer.ts'
import {
  type Beside,
  backOnTheWay,
  isAllBack,
  isCountedDown,
  isEnded,
  isSameAgain
} from './refill.ts'
import type { Round, Row } from './row.ts'
import { nonesOf } from './unenforced.ts'

/** What a round shows of each limit. */
export function limitChecks(round: Round, beside: Beside): ClaimCheck[] {
  const { limit = [] } = (round.refused ?? round.accepted.at(-1))?.claims ?? {}
  if (round.accepted.length === 0) return []
  return limit.flatMap((one) => limitCheck(one, round, beside))
}

function limitCheck({ field, value }: Claimed, round: Round, beside: Beside): ClaimCheck[] {
  const { rounds, spacingMs } = beside
  const { accepted, refused } = round
  const many = accepted.length
  if (isEnded(accepted)) return []
  const odd = oddLimit(field, accepted)
  if (odd !== undefined) return [{ field, counterexample: odd }]
  const cost = costOf(accepted)
  const taken = many * (cost ?? 1)
  // Of two that have none left nobody knows which one refused.
  if (refused && nonesOf(refused, cost).length > 1) return []
  if (cost !== undefined && taken <= value && taken > value - cost) {
    const each =
      cost === 1 ? `${value} were accepted` : `${many} were accepted that take ${cost} each`
    return [{ field, holds: `${each}, one more was not` }]
  }
  // Of those that take what differs nobody knows what the next would have taken.
  if (refused && cost !== undefined && taken < value) {
    if (isAllBack(round, value, rounds)) {
      return [{ field, counterexample: `${value}; refused after ${taken}, after a rest` }]
    }
    const how = `after ${seconds(round.restMs)} of rest`
    if (isSameAgain(round, { ...beside, limit: value, cost })) {
      const counterexample = `${value}; refused after ${taken}, ${how} as after another`
      return [{ field, counterexample }]
    }
    return [{ field, open: `${value}; refused after ${taken} ${how}, when not all may be back` }]
  }
  const back = backOnTheWay(round, { limit: value, spacingMs, field })
  // Where each was counted no window ended between them, and of a bucket no more was back.
  const isCounted = cost !== undefined && value >= 2 && isCountedDown(accepted, cost)
  const most = isCounted ? Math.min(Math.floor(1.1 * back + 0.1), Math.ceil(back)) : Math.ceil(back)
  if (taken > value + most) {
    const took = seconds(accepted.at(-1)!.answered - accepted[0]!.sent)
    return [{ field, counterexample: `${value}; ${taken} were accepted in ${took}` }]
  }
  return []
}

/** More accepted in a window than two that meet can hold. */
export function policyChecks(all: readonly Row[]): ClaimCheck[] {
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
