import type { Reply } from '../../client/reply.ts'
import type { Clock } from '../../clock.ts'
import type { Answer } from '../answer.ts'
import { claimsOf } from './claimed.ts'
import { judgeClaims } from './judge-claims.ts'
import type { ClaimFinding, Round, Row } from './row.ts'
import type { StatedLimits } from './stated-limits.ts'

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
}

/**
 * What came of it: of each field, and how many are let through one after another, and after how
 * many ms of silence again; undefined where nothing was refused.
 */
export type HeldClaims = { findings: ClaimFinding[]; level?: number; restMs: number }

/** How often it is asked until refused after a rest; the first round's start is not known. */
const rounds = 3

/** How many answers in a row that may be failures are a refusal. */
const refusals = 3

/** What every wait is longer by than what was said, in ms: an answer is on its way as well. */
const slackMs = 20

/**
 * Asks until refused, waits exactly as long as the refusal says, asks again, rests, and so on; then
 * says of each field about limits whether it told the truth.
 */
export async function holdClaims(options: HoldOptions): Promise<HeldClaims> {
  const { clock, stopped, mostWaitMs } = options
  const seen: Round[] = []
  let [restMs, isRested] = [0, false]
  for (let nth = 0; nth < rounds && !stopped(); nth++) {
    await clock.until(clock.now() + restMs)
    const round = { ...(await asked(options, nth)), isRested }
    // What was asked before this began counts in the first round.
    seen.push(nth === 0 ? { ...round, accepted: [] } : round)
    if (!round.refused) {
      seen[nth] = round
      break
    }
    const { refused, retried, polled } = round
    const back = polled.at(-1) ?? retried ?? refused
    const told = [refused, back].flatMap(({ claims }) => [...claims.windowMs, ...claims.resetMs])
    const known = [...told, ...refused.claims.retryMs].map(({ value }) => value)
    const plausible = known.filter((ms) => ms <= mostWaitMs)
    restMs = 1.1 * Math.max(...plausible, back.answered - round.since) + 200
    isRested = told.length > 0 && told.every(({ value: ms }) => ms >= 0 && ms <= mostWaitMs)
  }
  // One that failed may have been counted all the same.
  const levels = seen.slice(1).map(({ accepted, failed }) => accepted.length + failed)
  const level = Math.max(0, ...levels)
  const isTold = level > 0 && seen.every(({ refused }) => refused)
  return { findings: judgeClaims(seen), restMs, ...(isTold && { level }) }
}

async function asked(
  options: HoldOptions,
  nth: number
): Promise<Omit<Round, 'isRested'> & { since: number }> {
  const { clock, stopped, mostRequests, mostWaitMs } = options
  const accepted: Row[] = []
  const since = clock.now()
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
  }
  if (!refused) return { accepted, failed, polled: [], since }
  const polled: Row[] = []
  const waitMs = refused.claims.retryMs[0]?.value ?? -1
  let retried: Row | undefined
  // The last round finds out when all is back really, whatever it is told to wait for.
  const isWaiting = nth < rounds - 1 && waitMs >= 0 && waitMs <= mostWaitMs
  if (isWaiting) {
    await clock.until(refused.answered + waitMs + slackMs)
    retried = await askedOnce(options)
  }
  let last = retried ?? refused
  while (last.kind !== 'accepted' && !stopped()) {
    const goneMs = clock.now() - refused.answered
    if (goneMs > mostWaitMs) break
    await clock.until(clock.now() + Math.max(50, 0.05 * goneMs))
    last = await askedOnce(options)
    polled.push(last)
  }
  return { accepted, failed, refused, ...(retried && { retried }), polled, since }
}

/** Whether it may be that something broke, and that nobody was refused for asking too much. */
function isFailure({ kind, status, claims }: Row): boolean {
  return kind === 'rejected' && status >= 500 && claims.retryMs.length === 0
}

async function askedOnce({ ask, judge, clock, stated }: HoldOptions): Promise<Row> {
  const sent = clock.now()
  const reply = await ask()
  const { kind, because } = judge(reply)
  const answered = clock.now()
  const claims = claimsOf(reply, answered)
  claims.limit.push(...(stated?.limit ?? []))
  claims.windowMs.push(...(stated?.windowMs ?? []))
  return { kind, because, status: reply.status, sent, answered, claims }
}
