import { afterRefusal } from './check.ts'
import { onceFalse } from './judge-claims.ts'
import type { Round, Row } from './row.ts'
import { countingOf } from './uncounted.ts'

/** How a round begins, and what it waits for once it was refused. */
export type RoundStart = {
  /** How long to rest before, in ms. */
  restMs: number
  /** Those accepted last, where it begins with them and without a rest. */
  begun: readonly Row[]
  /** Whether the rest is as long as all takes to be back by what was said, and twice as long. */
  isRested: boolean
  isRestedTwice: boolean
  /** For as long as the refusal says, until all is back as it says, or it asks on. */
  waits: 'retry' | 'reset' | 'nothing'
}

/** How much there is to ask in. */
export type RoundsGiven = { mostWaitMs: number; leftMs: () => number }

/** Rounds that were asked, and what they leave to be asked. */
export type Rounds = {
  seen: Round[]
  /** How the next one begins; undefined where enough was asked, or there is no time for more. */
  next: () => RoundStart | undefined
  add: (round: Round) => void
  /** How many the first one took. */
  firstCount: () => number
  /** How long a rest is that brings all back, in ms. */
  restMs: () => number
  /** Why there was no time for all; undefined where there was. */
  cut: () => string | undefined
  /** What those say that went out together, where nothing was refused; see `countingOf`. */
  uncounted: () => string | undefined
  /** What is said where there is no time for all, as soon as the first is refused. */
  shortOf: (round: Round) => string | undefined
}

/** How often it is asked until refused; the first time's start is not known. */
const rounds = 3

/**
 * How often at most: what is false in one round and in no other is asked again, as a token may have
 * come meanwhile, or another client, or a window ended.
 */
const mostRounds = 5

/** Rounds of a target of which nothing was asked so far. */
export function createRounds({ mostWaitMs, leftMs }: RoundsGiven): Rounds {
  const seen: Round[] = []
  let next: RoundStart | undefined = { ...atOnce([]), waits: 'retry' }
  let [restMs, firstCount] = [0, 0]
  let [cut, uncounted]: (string | undefined)[] = []

  const begins = (rest: Rest): Omit<RoundStart, 'waits'> | undefined => {
    // What was too short or too long is asked again at once: the next token is as late as may be.
    const begun = seen.length >= rounds && onceFalse(seen) !== 'taken' ? rest.begun : []
    if (begun.length > 0) return atOnce(begun)
    const { isRested, isTwice } = rest
    const rested = { begun, restMs, isRested, isRestedTwice: isRested && isTwice }
    const missing = Math.max(1, rounds - seen.length)
    if (missing * (restMs + rest.backMs) <= leftMs()) return rested
    cut ??= shortOf(rest)
    if (rest.isAllBack) return atOnce(rest.begun)
    // A round that begins after a rest is asked as long as there is time for one.
    return restMs > leftMs() ? undefined : rested
  }

  return {
    seen,
    next: () => next,
    firstCount: () => firstCount,
    restMs: () => restMs,
    cut: () => cut,
    uncounted: () => uncounted,
    add(round) {
      next = undefined
      // What was asked before this began counts in the first round.
      const isFirst = seen.length === 0 && round.refused !== undefined
      if (isFirst) firstCount = round.accepted.length
      seen.push(isFirst ? { ...round, accepted: [] } : round)
      if (!round.refused) {
        if (round.together) uncounted = countingOf(round.accepted, round.together)
        return
      }
      const rest = restAfter(round, mostWaitMs)
      restMs = rest.restMs
      const again = seen.length < rounds ? undefined : onceFalse(seen)
      if (seen.length >= mostRounds || (seen.length >= rounds && !again)) return
      const beginning = begins(rest)
      if (beginning) next = { ...beginning, waits: waitsOf(seen) }
    },
    shortOf(round) {
      const rest = restAfter(round, mostWaitMs)
      const isShort = seen.length === 0 && rounds * (rest.restMs + rest.backMs) > leftMs()
      return isShort ? shortOf(rest) : undefined
    }
  }
}

const atOnce = (begun: readonly Row[]) => {
  return { restMs: 0, begun, isRested: false, isRestedTwice: false }
}

/** By what rounds wait: by each field, and at last by none, which finds out when all is back. */
function waitsOf(seen: readonly Round[]): RoundStart['waits'] {
  if (seen.length < rounds) return seen.length === 1 ? 'reset' : 'nothing'
  if (onceFalse(seen) === 'retry') {
    // One that was told while it was asked on is found by asking on.
    return seen.some(({ retried }) => retried?.kind === 'rejected') ? 'retry' : 'nothing'
  }
  return seen.some(({ due }) => due.some(({ kind }) => kind === 'rejected')) ? 'reset' : 'nothing'
}

type Rest = ReturnType<typeof restAfter>

/** How long to rest after a round, as far as answers tell, and what says that all is back now. */
function restAfter(round: Round, mostWaitMs: number) {
  const { accepted, full } = round
  const refused = round.refused!
  const back = afterRefusal(round).at(-1) ?? refused
  const told = [refused, back].flatMap(({ claims }) => [...claims.windowMs, ...claims.resetMs])
  const known = [...told, ...refused.claims.retryMs].map(({ value }) => value)
  const plausible = known.filter((ms) => ms <= mostWaitMs)
  const [[limit], [left]] = [back.claims.limit, back.claims.remaining]
  const isBack = back.kind === 'accepted'
  const isAllBack = isBack && limit && left ? left.value >= limit.value - 1 : false
  const since = (isAllBack ? refused.answered : accepted[0]?.sent) ?? refused.sent
  const backMs = Math.max(...plausible, back.answered - since)
  const isRested = told.length > 0 && told.every(({ value: ms }) => ms >= 0 && ms <= mostWaitMs)
  // A counter that has a share of the window before takes less until two are over, and what is not
  // full yet takes more after a rest that is twice as long.
  const isTwice = limit !== undefined && accepted.length < limit.value
  const oneMs = 1.1 * backMs + 200
  const restMs = isTwice ? 2 * Math.max(oneMs, round.restMs) : oneMs
  const begun = isBack && full?.kind !== 'rejected' ? [back, ...(full ? [full] : [])] : []
  return { restMs, backMs, isRested, isTwice, isAllBack, begun }
}

function shortOf({ restMs, backMs }: Pick<Rest, 'restMs' | 'backMs'>): string {
  const minutes = 1 + Math.ceil((rounds * (restMs + backMs)) / 60_000)
  const seconds = Math.ceil(backMs / 1_000)
  return `all is back after ${seconds} s, for which ${rounds} rounds take more (--time ${minutes}m)`
}
