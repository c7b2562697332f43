import {
  afterRefusal,
  type ClaimCheck,
  claimIn,
  onTheWayMs,
  seconds,
  wholeSecondMs
} from './check.ts'
import type { Claimed } from './claims.ts'
import { costOf } from './cost.ts'
import type { Round, Row } from './row.ts'

/** What a round shows of each wait that its refusal named. */
export function retryChecks(round: Round): ClaimCheck[] {
  const { refused } = round
  return refused?.claims.retryMs.flatMap((one) => retryCheck(one, refused, round)) ?? []
}

function retryCheck({ field, value, text }: Claimed, refused: Row, round: Round): ClaimCheck[] {
  const { retried } = round
  // A date is told in whole seconds, and so is the Date that it is held against.
  if (value < 0)
    return [{ field, counterexample: `${text}; a time that was over when it was said` }]
  if (!retried) return []
  const later = afterRefusal(round)
  const asked = later.find(({ sent }) => sent >= refused.answered + value)
  // Of two waits the shorter one is asked after: the other is no longer, or a little by rounding.
  const isSooner = retried.kind === 'accepted' && value <= shortest(refused) + wholeSecondMs
  const accepted = asked?.kind === 'accepted' ? asked : isSooner ? retried : undefined
  if (accepted) {
    return [
      { field, holds: `${text}; accepted ${seconds(accepted.sent - refused.answered)} later` }
    ]
  }
  // What was asked meanwhile may have put it off, where refusals count.
  if (asked !== retried || retried.kind !== 'rejected') return []
  const back = later.find(({ kind }) => kind === 'accepted') ?? later.at(-1)!
  const until = seconds(back.sent - refused.answered)
  return [{ field, counterexample: `${text}; refused until ${until}` }]
}

/** The shortest wait that a refusal names, in ms. */
export function shortest({ claims }: Row): number {
  return Math.min(...claims.retryMs.map(({ value }) => value))
}

/** What a round shows of each time that is said for all to be back. */
export function resetChecks(round: Round): ClaimCheck[] {
  const { refused } = round
  return refused?.claims.resetMs.flatMap((one) => resetCheck(one, refused, round)) ?? []
}

function resetCheck({ field, value, text }: Claimed, refused: Row, round: Round): ClaimCheck[] {
  if (value < -wholeSecondMs) return [{ field, counterexample: `${text}; refused after that time` }]
  const later = afterRefusal(round)
  const early = stillRefused(field, [refused, ...later])
  if (early !== undefined) return [{ field, counterexample: early }]
  const back = later.find(({ kind }) => kind === 'accepted')
  if (!back) return []
  // Who says the same however late it is asked says it just before as well.
  const before = later.slice(0, later.indexOf(back)).findLast(({ kind }) => kind === 'rejected')
  const allAt = allBackAt(round, back)
  for (const row of [refused, before ?? refused]) {
    const said = claimIn(row, 'resetMs', field)
    const ms = (allAt ?? Number.POSITIVE_INFINITY) - row.answered
    if (said && ms < said.value - 2 * wholeSecondMs) {
      return [{ field, counterexample: `${said.text}; all were back ${seconds(ms)} later` }]
    }
  }
  const ms = back.answered - refused.answered
  return [{ field, holds: `${text}; accepted again after ${seconds(ms)}` }]
}

/**
 * One that was refused a second after the time that a refusal before it had said, in words;
 * undefined where there is none. Each that is asked meanwhile may put that off, where refusals
 * count: then only what the last of them said is held against what comes next.
 */
function stillRefused(field: string, rows: readonly Row[]): string | undefined {
  for (const [index, row] of rows.entries()) {
    const said = claimIn(row, 'resetMs', field)
    if (!said || row.kind !== 'rejected') continue
    const due = row.answered + said.value + wholeSecondMs
    for (const next of rows.slice(index + 1)) {
      if (next.kind !== 'rejected') break
      if (next.sent > due) {
        return `${said.text}; still refused after ${seconds(next.sent - row.answered)}`
      }
      const again = claimIn(next, 'resetMs', field)
      if (!again || next.answered + again.value > due + onTheWayMs) break
    }
  }
}

/**
 * When all were back for sure, as answers say; undefined where that was not seen. Where no limit is
 * told, as many as were taken after a rest are all.
 */
function allBackAt({ accepted, isRested, full }: Round, back: Row): number | undefined {
  const [limit] = back.claims.limit
  if (!limit && !isRested) return
  const cost = costOf(accepted) ?? 1
  const all = limit?.value ?? cost * accepted.length
  const used = ({ claims }: Row) => all - (claims.remaining[0]?.value ?? Number.NEGATIVE_INFINITY)
  if (used(back) <= cost) return back.answered
  // Two were taken by then.
  return full?.kind === 'accepted' && used(full) <= 2 * cost ? full.answered : undefined
}

/**
 * Whether an answer that was accepted came so much sooner than the refusal before it had said that
 * all would be back, that it is to be seen whether all are.
 */
export function isSoonerThanSaid(round: Round, before: Row, back: Row): boolean {
  const tookMs = back.answered - before.answered
  const isSooner = before.claims.resetMs.some(({ value }) => value - tookMs > 2 * wholeSecondMs)
  return isSooner && allBackAt(round, back) === undefined
}
