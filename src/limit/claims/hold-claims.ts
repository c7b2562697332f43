import type { Reply } from '../../client/reply.ts'
import type { Clock } from '../../clock.ts'
import type { Answer } from '../answer.ts'
import { claimsOf } from './claimed.ts'
import { mayBeFailure, refusals } from './failure.ts'
import { type ClaimCheck, judgeClaims, limitChecks, resetChecks } from './judge-claims.ts'
import type { ClaimFinding, Round, Row } from './row.ts'
import type { StatedLimits } from './stated-limits.ts'
import { countingOf, togetherToTell } from './uncounted.ts'
import { windowChecks } from './window-trial.ts'

/** How to hold a target's headers to their word. */
export type HoldOptions = {
  ask: () => Promise<Reply>
  /** Whether an answer is a refusal. */
  judge: (reply: Reply) => Answer
  clock: Clock
  stopped: () => boolean
  /** What is claimed apart from what answers say. */
  stated?: StatedLimits | undefined
  /** At most so many requests in each round, and for so many ms a wait. */
  mostRequests: number
  mostWaitMs: number
  /** Ends every wait. */
  signal?: AbortSignal
  /** How many ms are left; without it there is time for all. */
  leftMs?: () => number
  /** Told as soon as it shows that there is no time for all. */
  note?: (text: string) => void
  /** The answers to so many that go out together. */
  together?: (count: number) => Promise<Reply[]>
}

/**
 * What came of it: of each field, and how many are let through one after another, and after how
 * many ms of silence again; undefined where nothing was refused. Where there was no time for all
 * that was to be asked, `because` says so.
 */
export type HeldClaims = {
  findings: ClaimFinding[]
  level?: number
  restMs: number
  because?: string
}

/**
 * How often it is asked until refused after a rest; the first round's start is not known. More
 * where one wait was too short and another was not, as a token may have come meanwhile, and where
 * one time for all to be back was false.
 */
const [rounds, mostRounds] = [3, 5] as const

/** How many ms before the end it is told what was seen. */
const lastMs = 1_000

/** What every wait is longer by than what was said, in ms: an answer is on its way as well. */
const slackMs = 20

/**
 * Asks until refused, waits exactly as long as the refusal says, asks again, rests, and so on; then
 * says of each field about limits whether it told the truth.
 */
export async function holdClaims(options: HoldOptions): Promise<HeldClaims> {
  const { clock, stopped, signal, leftMs = forever } = options
  const seen: Round[] = []
  let [restMs, isRested, isTwice] = [0, false, false]
  // What the next round begins with that does not wait for a rest.
  let first: Row | undefined
  let [why, cut]: (string | undefined)[] = []
  const isAgain = () => isTooShortOnce(seen) || isResetOnce(seen) || isFewerOnce(seen)
  const isWanted = (nth: number) => nth < rounds || (nth < mostRounds && isAgain())
  for (let nth = 0; isWanted(nth) && !stopped(); nth++) {
    if (first === undefined) await clock.until(clock.now() + restMs, signal)
    if (stopped()) break
    const isRestedTwice = isRested && isTwice && !first
    const isAfter = { isRested: isRested && !first, isRestedTwice }
    // The third round finds out when all is back really, whatever it is told to wait for.
    const isPolled = nth === rounds - 1 || (nth >= rounds && !isTooShortOnce(seen))
    const round = { ...(await asked(options, { nth, first, isPolled })), ...isAfter }
    // What was asked before this began counts in the first round.
    seen.push(nth === 0 ? { ...round, accepted: [] } : round)
    const { refused, together, accepted } = round
    if (!refused) {
      seen[nth] = round
      if (together) why = countingOf(accepted, together)
      break
    }
    const told = toldOf(round, options)
    ;({ restMs, isRested, isTwice } = told)
    // Whose wait was too short once is asked again at once: the next token is as late as may be.
    first = nth + 1 >= rounds && !isFewerOnce(seen) ? acceptedOf(told.back) : undefined
    if (first) continue
    if ((rounds - 1 - nth) * (restMs + told.backMs) <= leftMs()) continue
    cut ??= shortOf(told)
    first = told.full
    // A round that begins after a rest is asked as long as there is time for one.
    if (first === undefined && restMs > leftMs()) break
  }
  // One that failed may have been counted all the same.
  const levels = seen.slice(1).map(({ accepted, failed }) => accepted.length + failed)
  const level = Math.max(0, ...levels)
  const isTold = level > 0 && seen.every(({ refused }) => refused)
  const because = cut ?? (stopped() ? 'stopped on the way' : undefined)
  const ask = () => askedOnce(options)
  const more = stopped() ? [] : await windowChecks(seen, { ...options, ask, restMs, leftMs })
  const findings = judgeClaims(seen, why ?? because, more)
  // What is told all the same was asked often enough.
  const isCut = because !== undefined && findings.some(({ verdict }) => verdict === 'unsaid')
  return { findings, restMs, ...(isTold && { level }), ...(isCut && { because }) }
}

function shortOf({ restMs, backMs }: { restMs: number; backMs: number }): string {
  const minutes = 1 + Math.ceil((rounds * (restMs + backMs)) / 60_000)
  const seconds = Math.ceil(backMs / 1_000)
  return `all is back after ${seconds} s, for which ${rounds} rounds take more (--time ${minutes}m)`
}

function isTooShortOnce(seen: readonly Round[]): boolean {
  return seen.filter(({ retried }) => retried?.kind === 'rejected').length === 1
}

/** Whether a time for all to be back was false in one round, and in no other. */
const isResetOnce = (seen: readonly Round[]) => isOnce(seen.flatMap(resetChecks))

/** Whether a limit took too few in one round, and in no other; it takes a rest to see it again. */
function isFewerOnce(seen: readonly Round[]): boolean {
  return isOnce(seen.flatMap((round) => limitChecks(round, 0)))
}

function isOnce(checks: readonly ClaimCheck[]): boolean {
  const against = checks.filter(({ counterexample }) => counterexample !== undefined)
  return against.some(({ field }) => against.filter((one) => one.field === field).length === 1)
}

const acceptedOf = (row: Row) => (row.kind === 'accepted' ? row : undefined)

const forever = () => Number.POSITIVE_INFINITY

/** How long to rest after a round, as far as answers tell, and what says that all is back now. */
function toldOf(
  round: Omit<Round, 'isRested' | 'isRestedTwice'> & { since: number },
  { mostWaitMs }: HoldOptions
) {
  const { accepted, refused, retried, polled, since } = round
  const back = polled.at(-1) ?? retried ?? refused!
  const told = [refused!, back].flatMap(({ claims }) => [...claims.windowMs, ...claims.resetMs])
  const known = [...told, ...refused!.claims.retryMs].map(({ value }) => value)
  const plausible = known.filter((ms) => ms <= mostWaitMs)
  const [[limit], [left]] = [back.claims.limit, back.claims.remaining]
  const isFull = back.kind === 'accepted' && limit && left && left.value >= limit.value - 1
  const backMs = Math.max(...plausible, back.answered - (isFull ? refused!.answered : since))
  const isRested = told.length > 0 && told.every(({ value: ms }) => ms >= 0 && ms <= mostWaitMs)
  // A counter that has a share of the window before takes less until two are over.
  const isTwice = limit !== undefined && accepted.length < limit.value
  const restMs = (isTwice ? 2 : 1) * (1.1 * backMs + 200)
  return { restMs, backMs, isRested, isTwice, back, full: isFull ? back : undefined }
}

async function asked(
  options: HoldOptions,
  { nth, first, isPolled }: { nth: number; first: Row | undefined; isPolled: boolean }
): Promise<Omit<Round, 'isRested' | 'isRestedTwice'> & { since: number }> {
  const { clock, stopped, mostRequests, mostWaitMs, signal, leftMs = forever } = options
  const accepted: Row[] = first ? [first] : []
  const since = first?.sent ?? clock.now()
  let refused: Row | undefined
  let failed = 0
  while (!refused && accepted.length + failed < mostRequests && !stopped()) {
    let row = await askedOnce(options)
    // What a limit refuses, it refuses again at once; a failure need not come again.
    let again = 0
    while (isFailure(row) && again < refusals - 1) {
      row = await askedOnce(options)
      again++
    }
    if (row.kind !== 'rejected') failed += again
    if (row.kind === 'rejected') refused = row
    else if (row.kind === 'accepted') accepted.push(row)
    else if (clock.now() - since > mostWaitMs) break
    const count = refused ? undefined : togetherToTell(accepted)
    if (count !== undefined && options.together) {
      const together = await togetherRows(count, options)
      return { accepted, failed, polled: [], since, together }
    }
  }
  if (!refused) return { accepted, failed, polled: [], since }
  const polled: Row[] = []
  const told = toldOf({ accepted, failed, refused, polled, since: refused.sent }, options)
  if (nth === 0 && rounds * (told.restMs + told.backMs) > leftMs()) options.note?.(shortOf(told))
  const waitMs = refused.claims.retryMs[0]?.value ?? -1
  let retried: Row | undefined
  const isWaiting = !isPolled && waitMs >= 0 && waitMs <= mostWaitMs
  // What is not back in time is not waited for.
  if (isWaiting && waitMs > leftMs()) return { accepted, failed, refused, polled, since }
  if (isWaiting) {
    await clock.until(refused.answered + waitMs + slackMs, signal)
    if (stopped()) return { accepted, failed, refused, polled, since }
    retried = await askedOnce(options)
  }
  let last = retried ?? refused
  while (last.kind !== 'accepted' && !stopped()) {
    const goneMs = clock.now() - refused.answered
    // What was seen is told in time.
    if (goneMs > mostWaitMs || leftMs() < lastMs) break
    await clock.until(clock.now() + Math.max(50, 0.05 * goneMs), signal)
    if (stopped()) break
    last = await askedOnce(options)
    polled.push(last)
  }
  return { accepted, failed, refused, ...(retried && { retried }), polled, since }
}

function isFailure({ kind, status, claims }: Row): boolean {
  return kind === 'rejected' && mayBeFailure(status, claims.retryMs.length > 0)
}

async function askedOnce(options: HoldOptions): Promise<Row> {
  const sent = options.clock.now()
  return rowOf(await options.ask(), sent, options)
}

async function togetherRows(count: number, options: HoldOptions): Promise<Row[]> {
  const sent = options.clock.now()
  const replies = await options.together!(count)
  return replies.map((reply) => rowOf(reply, sent, options))
}

function rowOf(reply: Reply, sent: number, { judge, clock, stated }: HoldOptions): Row {
  const { kind, because } = judge(reply)
  const answered = clock.now()
  const claims = claimsOf(reply, answered)
  claims.limit.push(...(stated?.limit ?? []))
  claims.windowMs.push(...(stated?.windowMs ?? []))
  return { kind, because, status: reply.status, sent, answered, claims }
}
