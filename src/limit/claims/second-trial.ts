import type { RoundAsked } from './asked-round.ts'
import { afterRefusal, type ClaimCheck, claimIn, seconds, wholeSecondMs } from './check.ts'
import type { Claimed } from './claims.ts'
import type { Round, Row } from './row.ts'
import { roundedBy } from './told-time.ts'

/** A field that tells a time of day in whole seconds. */
type Told = { kind: 'resetMs' | 'retryMs'; field: string }

/** How often it has to be a second too early, and how often that is asked. */
const [trials, mostTrials] = [3, 5] as const

/** How near to a second after what was said the last refusal has to come, in ms. */
const nearMs = 8

/** By how much rounds may miss that, whose answers tell the server's clock less well, in ms. */
const missedMs = 100

/**
 * Holds times of day to their word that may be a whole second too early. A time that is rounded
 * down is early by less, and by another part of a second each time, unless its windows end with a
 * second: of those it is exact. So it is false where refusals end a second after it, to a few ms,
 * each time.
 */
export async function secondChecks(
  rounds: readonly Round[],
  options: RoundAsked
): Promise<ClaimCheck[]> {
  const checks: ClaimCheck[] = []
  for (const told of toldIn(rounds)) {
    if (!rounds.some(({ refused }) => refused) || !rounds.every((one) => mayBeEarly(told, one))) {
      continue
    }
    const own: ClaimCheck[] = []
    for (let nth = 0; nth < mostTrials && own.length < trials; nth++) {
      const seen = await trial(told, options)
      if (seen === 'no') break
      if (seen !== 'missed') own.push(seen)
    }
    if (own.length >= trials) checks.push(...own)
  }
  return checks
}

function toldIn(rounds: readonly Round[]): Told[] {
  const refusal = rounds.findLast(({ refused }) => refused)?.refused
  return (['resetMs', 'retryMs'] as const).flatMap((kind) => {
    const own = refusal?.claims[kind].filter((one) => one.day && roundedBy(one) === wholeSecondMs)
    return (own ?? []).map(({ field }) => ({ kind, field }))
  })
}

/** A second after what a refusal said. */
function dueAt({ answered }: Row, { value }: Claimed): number {
  return answered + value + wholeSecondMs
}

/** Whether a round's refusals may have ended just a second after what the first said. */
function mayBeEarly({ kind, field }: Told, round: Round): boolean {
  const { refused } = round
  const said = refused && claimIn(refused, kind, field)
  if (!refused || !said) return false
  const due = dueAt(refused, said)
  const rows = [refused, ...afterRefusal(round)]
  const back = rows.find((row) => row.kind === 'accepted')
  const last = rows.findLast((row) => row.kind === 'rejected')!
  return (back?.answered ?? due) >= due - missedMs && last.sent <= due + missedMs
}

/** How far apart those are that show when a second of the server's clock begins, in ms. */
const apartMs = 20

/**
 * Asks until refused, now and then from what that says on, which shows when seconds begin, and one
 * after another around a second later.
 */
async function trial(
  { kind, field }: Told,
  { asker, clock, stopped, signal, mostRequests, leftMs }: RoundAsked
): Promise<ClaimCheck | 'missed' | 'no'> {
  let row = await asker.ask()
  for (let nth = 1; row.kind === 'accepted' && nth < mostRequests && !stopped(); nth++) {
    row = await asker.ask()
  }
  const refused = row
  const said = claimIn(refused, kind, field)
  if (refused.kind !== 'rejected' || !said || dueAt(refused, said) - clock.now() > leftMs()) {
    return 'no'
  }
  const tookMs = refused.answered - refused.sent
  const nearAt = () => dueAt(refused, said) - nearMs - tookMs
  await clock.until(nearAt() - wholeSecondMs, signal)
  let last = refused
  while (row.kind === 'rejected' && row.sent <= dueAt(refused, said) + missedMs) {
    if (stopped()) return 'no'
    await clock.until(Math.min(nearAt(), row.sent + apartMs), signal)
    last = row
    row = await asker.ask()
    // Asking puts it off.
    if (claimIn(row, kind, field)?.day?.at !== said.day?.at && row.kind === 'rejected') return 'no'
  }
  const due = dueAt(refused, said)
  if (row.answered < due - nearMs) return 'no'
  if (last.sent < nearAt()) return 'missed'
  const until = seconds(last.sent - refused.answered - said.value)
  return { field, counterexample: `${said.text}; refused until ${until} after that` }
}
