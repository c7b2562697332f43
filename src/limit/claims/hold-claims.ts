import type { Clock } from '../../clock.ts'
import { askedRound } from './asked-round.ts'
import { type AskerOptions, createAsker } from './asker.ts'
import { afterRefusal } from './check.ts'
import { judgeClaims } from './judge-claims.ts'
import { outerChecks } from './outer-trial.ts'
import { createRounds } from './rounds.ts'
import type { ClaimFinding, Round } from './row.ts'
import { secondChecks } from './second-trial.ts'
import { unenforcedChecks } from './unenforced.ts'
import { unrefused } from './unrefused.ts'
import { waitChecks } from './wait-trial.ts'
import { windowChecks } from './window-trial.ts'

/** How to hold a target's headers to their word. */
export type HoldOptions = AskerOptions & {
  clock: Clock
  stopped: () => boolean
  /** At most so many requests in each round, and for so many ms a wait. */
  mostRequests: number
  mostWaitMs: number
  /** Ends every wait. */
  signal?: AbortSignal
  /** How many ms are left; without it there is time for all. */
  leftMs?: () => number
  /** Told as soon as it shows that there is no time for all. */
  note?: (text: string) => void
}

/**
 * What came of it: of each field, and how many are let through one after another, and after how
 * many ms of silence again; undefined where nothing was refused. Where there was no time for all
 * that was to be asked, `because` says so.
 */
export type HeldClaims = {
  findings: ClaimFinding[]
  level?: number
  /** How many were in the round that took fewest. */
  least: number
  /** How many were the most ever, also before it was known what a rest is. */
  most: number
  /** How long the rounds took at most until they were refused, in ms. */
  tookMs: number
  /** Whether something was back sooner than a part of the time that asking took. */
  isRefilled: boolean
  restMs: number
  because?: string
}

/** In what part of the time that asking took something has to be back to count in it. */
const soonPart = 0.25

function isSoonBack(round: Round): boolean {
  const { refused } = round
  const back = afterRefusal(round).find(({ kind }) => kind === 'accepted')
  if (!refused || !back) return false
  return back.answered - refused.sent < soonPart * tookMsOf(round)
}

function tookMsOf({ accepted }: Round): number {
  return (accepted.at(-1)?.answered ?? 0) - (accepted[0]?.sent ?? 0)
}

/** Why what there was no time for is unsaid. */
export const timeUp = 'not asked by the time that the time was up (--time)'

const forever = () => Number.POSITIVE_INFINITY

/**
 * Asks until refused, waits exactly as long as the refusal says, asks again, rests, and so on; then
 * says of each field about limits whether it told the truth.
 */
export async function holdClaims(options: HoldOptions): Promise<HeldClaims> {
  const { clock, stopped, signal, leftMs = forever, note } = options
  const asker = createAsker(options)
  const rounds = createRounds({ mostWaitMs: options.mostWaitMs, leftMs })
  const { seen } = rounds
  const asked = {
    ...{ ...options, asker, leftMs },
    onRefused: (round: Round) => {
      const short = rounds.shortOf(round)
      if (short !== undefined) note?.(short)
    }
  }
  for (let next = rounds.next(); next && !stopped(); next = rounds.next()) {
    await clock.until(clock.now() + next.restMs, signal)
    if (stopped()) break
    rounds.add(await askedRound(asked, next))
  }
  // One that failed may have been counted all the same.
  const levels = seen.slice(1).map(({ accepted, failed }) => accepted.length + failed)
  const level = Math.max(0, ...levels)
  const isTold = level > 0 && seen.every(({ refused }) => refused)
  const restMs = rounds.restMs()
  const isTimeUp = leftMs() <= 0
  const stop = stopped() && !isTimeUp ? 'stopped on the way' : undefined
  const open = stop ?? (seen.at(-1) && unrefused(seen.at(-1)!, isTimeUp))
  const because = rounds.cut() ?? open ?? (stopped() ? timeUp : undefined)
  const { together, ...others } = asker
  const trial = { ...options, ...others, together, restMs, leftMs }
  const more = stopped() ? [] : await windowChecks(seen, trial)
  if (!stopped()) more.push(...(await outerChecks(seen, trial)))
  const quiet = { ...asked, onRefused: () => {} }
  if (!stopped()) more.push(...(await secondChecks(seen, quiet)))
  if (!stopped()) more.push(...(await waitChecks(seen, more, quiet)))
  more.push(...unenforcedChecks(asker.asked))
  const findings = judgeClaims(seen, rounds.uncounted() ?? because, more)
  // What is told all the same was asked often enough.
  const isCut = because !== undefined && findings.some(({ verdict }) => verdict === 'unsaid')
  const isRefilled = seen.some(isSoonBack)
  const most = Math.max(level, rounds.firstCount())
  const least = Math.min(level, ...levels)
  return {
    findings,
    restMs,
    least,
    most,
    tookMs: Math.max(0, ...seen.map(tookMsOf)),
    isRefilled,
    ...(isTold && { level }),
    ...(isCut && { because })
  }
}
