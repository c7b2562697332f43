import { otherWork } from '../verdict/pair-answers.ts'
import type { Pair, Trial } from '../verdict/trial.ts'
import type { ComparisonRun } from './comparison-run.ts'
import { type Arm, Ended, type Pairing } from './pairing.ts'
import { unansweredIn } from './silence.ts'

/** The shortest trial there is, which warms up. */
export const leastTrialSeconds = 0.06

/**
 * What share of its requests has to fail for a target to be one that does not answer: half of them,
 * or nearly all of them where the other one answers as it should, since one that fails more often
 * is worse. Of fewer requests than `fewest` luck fails as many, and only all of them say it.
 */
const unanswered = { share: 0.5, besideHealthy: 0.9, fewest: 30 }

const sumOf = (trials: readonly Trial[], of: (trial: Trial) => number) =>
  trials.reduce((total, trial) => total + of(trial), 0)

/** Ends the comparison when a target hardly answers: there would be nothing to compare. */
function answering(arm: Arm, trials: readonly Trial[], share = unanswered.share): void {
  const sum = (of: (trial: Trial) => number) => sumOf(trials, of)
  const requests = sum((trial) => trial.requests)
  const failures = sum((trial) => trial.failures)
  const most = requests < unanswered.fewest ? requests : requests * share
  if (requests === 0 || failures < most) return
  const kinds = new Set(trials.flatMap(({ errors }) => Object.keys(errors)))
  const found = [...kinds].map((kind) => `${kind} ${sum(({ errors }) => errors[kind] ?? 0)}`)
  // Asked, and silent all the time: how long that lasts tells whether it hangs.
  if (failures === requests && sum(unansweredIn) === requests) return
  const [first] = trials.flatMap(({ unanswered }) => unanswered ?? [])
  // In one that a dead other one held up, nothing was asked.
  const asked = trials.filter((trial) => trial.requests > 0)
  const isDead = asked.every(({ unanswered }) => unanswered !== undefined)
  const why = isDead ? first : found.join(', ')
  const told = [`${failures} of ${requests} requests failed`, why].filter(Boolean).join(', ')
  throw new Ended('blocked', `${arm.toUpperCase()} does not answer as it should: ${told}`)
}

/**
 * Ends the comparison likewise when one of both hardly answered in these pairs. Of B beside an A
 * that answers, failures are what is to be found: it is given up only where there is little else.
 * So it ends where one does other work than the other.
 */
export function bothAnswering(pairs: readonly Pair[]): void {
  answering(
    'a',
    pairs.map(({ a }) => a)
  )
  answering(
    'b',
    pairs.map(({ b }) => b),
    unanswered.besideHealthy
  )
  const work = otherWork(pairs)
  if (work !== undefined) throw new Ended('blocked', work)
}

/** Ends it likewise when in the pair that the deadline cut short one had hardly an answer. */
export function stillAnswering(cause: unknown): void {
  if (!(cause instanceof Ended) || !cause.cut) return
  for (const arm of ['a', 'b'] as const) answering(arm, [cause.cut[arm]], unanswered.besideHealthy)
}

/** What comes of some work, or nothing when the time was up before that, and nothing else. */
export function inTime<Result>(work: Promise<Result>): Promise<Result | undefined> {
  return work.catch((cause) => {
    stillAnswering(cause)
    if (cause instanceof Ended && cause.how === 'time') return undefined
    throw cause
  })
}

/** Why it ends where a target surely hangs, whatever was seen before; else undefined. */
export function hanging(pairing: Pairing): Ended | undefined {
  const silence = pairing.silence()
  return silence?.says === 'hangs' ? new Ended('blocked', silence.because) : undefined
}

/**
 * Asks on while a target is silent that was asked last: until it answers, or surely hangs, which
 * ends it, or the time is up; returns the pairs of that.
 */
export async function unlessHanging({ options, pairing }: ComparisonRun): Promise<Pair[]> {
  const load = options.loadFor(leastTrialSeconds)
  const pairs: Pair[] = []
  for (let isOpen = pairing.silence() !== undefined; isOpen; ) {
    const pair = hanging(pairing) ? undefined : await inTime(pairing.once(load))
    const hangs = hanging(pairing)
    if (hangs) throw hangs
    if (pair) pairs.push(pair)
    isOpen = pair !== undefined && pairing.silence()?.isWhole === true
  }
  return pairs
}
