import type { Clock } from '../../clock.ts'
import type { Asker } from './asker.ts'
import { afterRefusal, onTheWayMs, wholeSecondMs } from './check.ts'
import { mayBeFailure, refusals } from './failure.ts'
import type { RoundStart } from './rounds.ts'
import type { Round, Row } from './row.ts'
import { togetherToTell } from './uncounted.ts'
import { isSoonerThanSaid, shortest } from './wait-checks.ts'

/** Whom to ask, and how much of it at most. */
export type RoundAsked = {
  asker: Asker
  clock: Clock
  stopped: () => boolean
  /** Ends every wait. */
  signal?: AbortSignal | undefined
  /** At most so many requests, and for so many ms a wait. */
  mostRequests: number
  mostWaitMs: number
  /** How many ms are left. */
  leftMs: () => number
  /** Told of a refusal, before all that is waited for. */
  onRefused: (round: Round) => void
}

/** How many ms before the end it is told what was seen. */
const lastMs = 1_000

/** What every wait is longer by than what was said, in ms: an answer is on its way as well. */
const slackMs = 20

/** Asks until refused, waits for as long as is said or asks on, until one is accepted again. */
export async function askedRound(asked: RoundAsked, beginning: RoundStart): Promise<Round> {
  const { restMs, isRested, isRestedTwice } = beginning
  const taken = await untilRefused(asked, beginning.begun)
  const round: Round = { restMs, isRested, isRestedTwice, ...taken, due: [], polled: [] }
  const { refused } = taken
  if (!refused) return round
  asked.onRefused(round)
  const isOver = await atMoments(asked, beginning, { round, refused })
  return isOver ? round : askedOn(asked, { round, refused })
}

type Taken = Pick<Round, 'accepted' | 'failed' | 'refused' | 'together'>

async function untilRefused(
  { asker, clock, stopped, mostRequests, mostWaitMs }: RoundAsked,
  begun: readonly Row[]
): Promise<Taken> {
  const accepted = [...begun]
  const since = begun[0]?.sent ?? clock.now()
  let failed = 0
  while (accepted.length + failed < mostRequests && !stopped()) {
    const { row, again } = await askedFirmly(asker)
    if (row.kind === 'rejected') return { accepted, failed, refused: row }
    failed += again
    if (row.kind === 'accepted') accepted.push(row)
    else if (clock.now() - since > mostWaitMs) break
    const count = togetherToTell(accepted)
    if (count !== undefined && asker.together) {
      return { accepted, failed, together: await asker.together(count) }
    }
  }
  return { accepted, failed }
}

/** What a limit refuses, it refuses again at once; a failure need not come again. */
async function askedFirmly({ ask }: Asker): Promise<{ row: Row; again: number }> {
  let row = await ask()
  let again = 0
  for (; isFailure(row) && again < refusals - 1; again++) row = await ask()
  return { row, again }
}

function isFailure({ kind, status, claims }: Row): boolean {
  return kind === 'rejected' && mayBeFailure(status, claims.retryMs.length > 0)
}

type Refused = { round: Round; refused: Row }

/**
 * Asks when the refusal said that one may be asked again, or that all is back, and is silent before
 * that. Whether there is no time for more.
 */
async function atMoments(
  { asker, clock, stopped, signal, mostWaitMs, leftMs }: RoundAsked,
  { waits }: RoundStart,
  { round, refused }: Refused
): Promise<boolean> {
  const isPlausible = (ms: number) => ms >= 0 && ms <= mostWaitMs
  const waitMs = shortest(refused)
  const retry = isPlausible(waitMs) ? refused.answered + waitMs + slackMs : undefined
  const sooner = resetMoments([refused]).filter((at) => {
    return isPlausible(at - refused.answered) && at < (retry ?? Number.POSITIVE_INFINITY) - slackMs
  })
  const isByReset = waits === 'reset' && sooner.length > 0
  const moments = isByReset ? sooner : waits === 'nothing' || !retry ? [] : [retry]
  for (const at of moments) {
    // What is not back in time is not waited for.
    if (at - clock.now() > leftMs()) return true
    await clock.until(at, signal)
    if (stopped()) return true
    const { row } = await askedFirmly(asker)
    if (isByReset) round.due.push(row)
    else round.retried = row
    if (row.kind === 'accepted') return true
  }
  return false
}

/**
 * When all is back for sure by what each field says, soonest first. Of what several refusals say in
 * whole seconds the soonest tells most.
 */
function resetMoments(refusals: readonly Row[]): number[] {
  const moments = new Map<string, number>()
  for (const { claims, answered } of refusals) {
    for (const { field, value } of claims.resetMs) {
      const at = answered + value + wholeSecondMs + slackMs
      moments.set(field, Math.min(at, moments.get(field) ?? at))
    }
  }
  return [...moments.values()].sort((one, other) => one - other)
}

/** Asks again and again until one is accepted, and at the very moment that all is to be back. */
async function askedOn(
  { asker, clock, stopped, signal, mostWaitMs, leftMs }: RoundAsked,
  { round, refused }: Refused
): Promise<Round> {
  let last = round.retried ?? round.due.at(-1) ?? refused
  while (last.kind !== 'accepted' && !stopped()) {
    const goneMs = clock.now() - refused.answered
    // What was seen is told in time.
    if (goneMs > mostWaitMs || leftMs() < lastMs) return round
    const next = clock.now() + Math.max(onTheWayMs, 0.05 * goneMs)
    const moments = resetMoments([refused, ...afterRefusal(round)])
    const due = moments.find((at) => at > clock.now() && at < next)
    await clock.until(due ?? next, signal)
    if (stopped()) return round
    const { row } = await askedFirmly(asker)
    round.polled.push(row)
    if (row.kind === 'accepted' && isSoonerThanSaid(round, last, row)) await askFull(round)
    last = row
  }
  return round

  async function askFull({ accepted }: Round): Promise<void> {
    const tookMs = (accepted.at(-1)?.answered ?? 0) - (accepted[0]?.sent ?? 0)
    if (tookMs > mostWaitMs || tookMs > leftMs()) return
    await clock.until(clock.now() + tookMs + slackMs, signal)
    if (!stopped()) round.full = (await askedFirmly(asker)).row
  }
}
