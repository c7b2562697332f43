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
import { roundedBy } from './told-time.ts'

/** By how many ms a server may be late that tells times finer than in seconds, and is busy. */
const busyMs = 100

/** By how many ms a time may be early: by what it is rounded, and a busy server is late. */
function earlyMs(claimed: Claimed): number {
  const ms = roundedBy(claimed)
  return ms === wholeSecondMs ? ms : ms + busyMs
}

/** What a round shows of each wait that its refusals named. */
export function retryChecks(round: Round): ClaimCheck[] {
  const { refused } = round
  if (!refused) return []
  const first = refused.claims.retryMs.flatMap((one) => retryCheck(one, refused, round))
  return [...first, ...askedOnChecks(round, refused)]
}

function retryCheck(claimed: Claimed, refused: Row, round: Round): ClaimCheck[] {
  const { retried } = round
  const { field, value, text } = claimed
  // Those in seconds are rounded up: who waits for less is refused. A date may be rounded down.
  const isDay = claimed.day !== undefined
  if (value < (isDay ? -roundedBy(claimed) : 0))
    return [{ field, counterexample: `${text}; a time that was over when it was said` }]
  if (!retried) return []
  const later = afterRefusal(round)
  const asked = later.find(({ sent }) => sent >= refused.answered + value)
  // Of two waits the shorter one is asked after: the other is no longer, or a little by rounding.
  const isSooner = retried.kind === 'accepted' && value <= shortest(refused) + wholeSecondMs
  const accepted = asked?.kind === 'accepted' ? asked : isSooner ? retried : undefined
  if (accepted) {
    const after = seconds(accepted.sent - refused.answered)
    return [{ field, holds: `${text}; accepted ${after} later`, waits: { kept: 1, of: 1 } }]
  }
  // What was asked meanwhile may have put it off, where refusals count.
  if (asked !== retried || retried.kind !== 'rejected') return []
  if (isDay) {
    const early = stillRefused('retryMs', field, [refused, ...later])
    return early === undefined ? [] : [{ field, counterexample: early, waits: { kept: 0, of: 1 } }]
  }
  const back = later.find(({ kind }) => kind === 'accepted') ?? later.at(-1)!
  const until = seconds(back.sent - refused.answered)
  const counterexample = `${text}; refused until ${until}`
  return [{ field, counterexample, waits: { kept: 0, of: 1 } }]
}

/**
 * What a round shows of the waits that those refusals named which came while it was asked on. Where
 * one was kept to though it was asked meanwhile, asking puts nothing off, and each later one may be
 * held to its word as well: to a second, as waits are told in those and some more are added.
 */
function askedOnChecks(round: Round, refused: Row): ClaimCheck[] {
  const rows = [refused, ...afterRefusal(round)]
  const back = rows.find(({ kind }) => kind === 'accepted')
  if (!back) return []
  const refusals = rows.slice(0, rows.indexOf(back)).filter(({ kind }) => kind === 'rejected')
  const fields = new Set(refusals.flatMap(({ claims }) => claims.retryMs.map((one) => one.field)))
  const lastAt = refusals.at(-1)!.sent
  return [...fields].flatMap((field): ClaimCheck[] => {
    const all = refusals.slice(round.retried ? 1 : 0).flatMap((row) => {
      const said = claimIn(row, 'retryMs', field)
      return said && said.value >= 0 ? [{ row, said, dueAt: row.answered + said.value }] : []
    })
    const first = all.findIndex(({ row, dueAt }) => lastAt <= dueAt && row.sent < lastAt)
    if (first < 0) return []
    const told = all.slice(first)
    const kept = told.filter(({ dueAt }) => lastAt <= dueAt)
    const broken = told.filter(({ dueAt }) => lastAt > dueAt + wholeSecondMs)
    // Those before the first may have been put off, or not been kept to.
    if (broken.length === 0 && (first > 0 || round.retried)) return []
    const waits = { kept: kept.length, of: kept.length + broken.length }
    const one = broken[0] ?? kept[0]!
    const until = seconds(back.sent - one.row.answered)
    return broken.length > 0
      ? [{ field, counterexample: `${one.said.text}; refused until ${until}`, waits }]
      : [{ field, holds: `${one.said.text}; accepted after ${until}`, waits }]
  })
}

/** How many of the waits that were held to their word were kept, in words, where it is several. */
export function waitsKept(checks: readonly ClaimCheck[]): string {
  const all = checks.flatMap(({ waits }) => waits ?? [])
  const [kept, of] = [
    all.reduce((sum, one) => sum + one.kept, 0),
    all.reduce((sum, one) => sum + one.of, 0)
  ]
  return of > 1 ? `; ${kept.toLocaleString('en')} of ${of.toLocaleString('en')} kept` : ''
}

/** The shortest wait that a refusal names, in ms. */
export function shortest({ claims }: Row): number {
  return Math.min(...claims.retryMs.map(({ value }) => value))
}

/** What a round shows of each time that is said for all to be back. */
export function resetChecks(round: Round): ClaimCheck[] {
  const checks = resetChecksOf(round)
  const bare = new Set(
    round.refused?.claims.resetMs.flatMap((one) => (one.isBare ? one.field : []))
  )
  const isOpen = ({ field, counterexample }: ClaimCheck) => {
    return counterexample !== undefined && bare.has(field)
  }
  if (!checks.some(isOpen)) return checks
  // What would be true in ms is not false as long as no answer shows the unit.
  const inMs = resetChecksOf(bareInMs(round))
  const isFalse = (check: ClaimCheck) => {
    return inMs.some((one) => one.field === check.field && one.counterexample !== undefined)
  }
  return checks.filter((check) => !isOpen(check) || isFalse(check))
}

/** The same round with times of which no answer shows the unit read in ms. */
function bareInMs({ refused, retried, due, polled, accepted, full, ...round }: Round): Round {
  const row = (one: Row): Row => {
    const resetMs = one.claims.resetMs.map((said) => {
      return said.isBare ? { ...said, value: said.value / 1_000 } : said
    })
    return { ...one, claims: { ...one.claims, resetMs } }
  }
  return {
    ...round,
    ...{ due: due.map(row), polled: polled.map(row), accepted: accepted.map(row) },
    ...(refused && { refused: row(refused) }),
    ...(retried && { retried: row(retried) }),
    ...(full && { full: row(full) })
  }
}

function resetChecksOf(round: Round): ClaimCheck[] {
  const { refused } = round
  return refused?.claims.resetMs.flatMap((one) => resetCheck(one, refused, round)) ?? []
}

function resetCheck(claimed: Claimed, refused: Row, round: Round): ClaimCheck[] {
  const { field, value, text } = claimed
  if (value < -earlyMs(claimed))
    return [{ field, counterexample: `${text}; refused after that time` }]
  const later = afterRefusal(round)
  const early = stillRefused('resetMs', field, [refused, ...later])
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
 * One that was refused later than the time that a refusal before it had said may be early, in
 * words; undefined where there is none. Each that is asked meanwhile may put that off, where
 * refusals count: then only what the last of them said is held against what comes next.
 */
function stillRefused(
  kind: 'resetMs' | 'retryMs',
  field: string,
  rows: readonly Row[]
): string | undefined {
  for (const [index, row] of rows.entries()) {
    const said = claimIn(row, kind, field)
    if (!said || row.kind !== 'rejected') continue
    const due = row.answered + said.value + earlyMs(said)
    for (const next of rows.slice(index + 1)) {
      if (next.kind !== 'rejected') break
      if (next.sent > due) {
        return `${said.text}; still refused after ${seconds(next.sent - row.answered)}`
      }
      const again = claimIn(next, kind, field)
      const isLater = said.day
        ? (again?.day?.at ?? 0) > said.day.at
        : next.answered + (again?.value ?? 0) > due + onTheWayMs
      if (!again || isLater) break
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
