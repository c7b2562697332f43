import type { Clock } from '../../clock.ts'
import { afterRefusal, type ClaimCheck, onTheWayMs, seconds, wholeSecondMs } from './check.ts'
import type { Round, Row } from './row.ts'

/** Whom to ask for how long a window is, and for how long. */
export type WindowOptions = {
  ask: () => Promise<Row>
  /** What came of all that were asked one after another, in order. */
  asked: readonly Row[]
  /** The answers to so many that go out together, where that can be done. */
  together?: ((count: number) => Promise<Row[]>) | undefined
  clock: Clock
  stopped: () => boolean
  signal?: AbortSignal | undefined
  /** How long everything takes to be back, in ms, and how many ms are left. */
  restMs: number
  leftMs: () => number
  mostRequests: number
}

/** A policy: so many in a window of so many ms, and the field that says so. */
type Policy = { field: string; limit: number; windowMs: number }

/**
 * How often a window has to be too short, as once may be another client's doing, and how often it
 * is asked at most: where asking takes long, a window is over by the time that it is shown in.
 */
const [trials, mostTrials] = [2, 4] as const

/**
 * Holds the window of each policy to its word where the rounds leave it open: who asks no more than
 * it allows and waits for its window is taken again, and after a refusal no more are taken within
 * it than it allows. Both are so of a window of the clock or of the first request, of a log, of a
 * counter, and of a bucket that is full after the window; each to a second, as some count in those.
 */
export async function windowChecks(
  rounds: readonly Round[],
  options: WindowOptions
): Promise<ClaimCheck[]> {
  const checks: ClaimCheck[] = []
  for (const policy of policiesOf(rounds)) {
    // Who refuses after another number of requests does so by another limit.
    const own = rounds.filter((one) => one.refused && one.accepted.length === policy.limit)
    if (own.some((round) => isLonger(round, policy))) {
      checks.push(...(await shortChecks(policy, options)))
    } else if (own.some((round) => isShorter(round, policy))) {
      checks.push(...(await longChecks(policy, options)))
    }
  }
  return checks
}

function policiesOf(rounds: readonly Round[]): Policy[] {
  const { windowMs = [], limit = [] } = rounds.at(-1)?.refused?.claims ?? {}
  return windowMs.flatMap(({ field, value }) => {
    const own = limit.find((one) => one.field === field)
    return own && own.value >= 1 && value > 0 ? [{ field, limit: own.value, windowMs: value }] : []
  })
}

/** When what was taken last is out of the window for sure, as a counter by share has it too. */
function overMs({ limit, windowMs }: Policy): number {
  return windowMs * (1 + 1 / limit) + wholeSecondMs + onTheWayMs
}

/** Whether it was refused longer than its window: by it, by a ban, or as refusals are counted. */
function isLonger(round: Round, policy: Policy): boolean {
  const due = round.accepted.at(-1)!.answered + overMs(policy)
  return afterRefusal(round).some(({ kind, sent }) => kind === 'rejected' && sent > due)
}

/** Whether one was taken before the window was over: it ended by the clock, or one is back. */
function isShorter(round: Round, { windowMs }: Policy): boolean {
  const due = round.accepted[0]!.sent + windowMs - wholeSecondMs
  return afterRefusal(round).some(({ kind, answered }) => kind === 'accepted' && answered < due)
}

/** Asks as many as are allowed, no more, and one when the window is over. */
async function shortChecks(policy: Policy, options: WindowOptions): Promise<ClaimCheck[]> {
  const { clock, signal, restMs, leftMs, stopped, ask } = options
  const { field, limit, windowMs } = policy
  const checks: ClaimCheck[] = []
  const said = `${limit} in ${seconds(windowMs)}`
  for (let nth = 0; nth < mostTrials && checks.length < trials; nth++) {
    if (nth === trials && checks.length === 0) return []
    if (restMs + overMs(policy) > leftMs()) {
      return checks.length > 0 ? checks : [{ field, counterexample: `${said}; refused for longer` }]
    }
    await clock.until(clock.now() + restMs, signal)
    const rows = await asManyAs(limit, options)
    const last = rows.at(-1)
    if (!last || rows.some(({ kind }) => kind !== 'accepted')) return checks
    await clock.until(last.answered + overMs(policy), signal)
    if (stopped()) return checks
    const next = await ask()
    if (next.kind !== 'rejected') continue
    const later = seconds(next.sent - last.answered)
    const counterexample = `${said}; of ${limit} after a rest the next was refused ${later} later`
    checks.push({ field, counterexample })
  }
  return checks
}

/** How many go out together at most. */
const mostTogether = 200

/** Asks so many, together where that can be done, so that it is soon over; up to a refusal. */
async function asManyAs(count: number, { ask, together, stopped }: WindowOptions): Promise<Row[]> {
  if (together && count <= mostTogether) return together(count)
  const rows: Row[] = []
  while (rows.length < count && !stopped()) {
    const row = await ask()
    rows.push(row)
    if (row.kind !== 'accepted') break
  }
  return rows
}

/** Asks on after a refusal, and counts what is taken within the window from there. */
async function longChecks(policy: Policy, options: WindowOptions): Promise<ClaimCheck[]> {
  const { clock, signal, restMs, leftMs, stopped, ask, mostRequests } = options
  const { field, limit, windowMs } = policy
  if (2 * restMs > leftMs()) return []
  await clock.until(clock.now() + restMs, signal)
  let [before, asked, taken] = [0, 0, 0]
  // The last that was refused before the first was taken again.
  let from: Row | undefined
  let refusedSince = 0
  while (!stopped() && asked++ < mostRequests && leftMs() > wholeSecondMs) {
    const row = await ask()
    if (row.kind === 'accepted') {
      if (from) taken++
      else if (++before > limit) return []
      refusedSince = 0
    } else if (row.kind === 'rejected') {
      if (!from && before !== limit) return []
      if (taken === 0) from = row
      refusedSince ||= row.answered
      const goneMs = row.answered - refusedSince
      if (goneMs > 2 * restMs) return []
      await clock.until(row.answered + Math.max(onTheWayMs, 0.05 * goneMs), signal)
    } else return []
    if (!from) continue
    const goneMs = row.answered - from.sent
    if (goneMs > windowMs - wholeSecondMs && taken > 0) return []
    // What is told as one may be back at that very moment.
    if (taken > limit + 1) {
      const many = `${taken} were accepted after a refusal in ${seconds(goneMs)}`
      const counterexample = `${limit} in ${seconds(windowMs)}; ${many}`
      return [{ field, counterexample, isSure: true }]
    }
  }
  return []
}
