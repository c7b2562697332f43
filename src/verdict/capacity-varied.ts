import type { Random } from '../random.ts'
import { capacitySteadiness } from '../statistics/capacity-steadiness.ts'
import type { LoadTrial } from '../statistics/load-class.ts'
import {
  type QueueBound,
  type QueueCapacity,
  queueCapacity,
  spreadOf
} from '../statistics/queue-capacity.ts'
import { confirm } from './capacity-confirm.ts'
import { showErrors } from './capacity-errors.ts'
import { one, rangeText, type SearchPart, width } from './capacity-part.ts'
import { recheck } from './capacity-recheck.ts'
import { type CapacityKnown, changed, overloadIn } from './capacity-unsteady.ts'
import type { RateTrial } from './rate-trial.ts'
import type { Varying } from './varying.ts'

/** How requests vary by chance, and what is asked of them. */
export type VaryingTarget = Varying & { bound: QueueBound }

/** How sure an interval is, how narrow it is wanted, and how wide it may be without a word. */
const sharpness = { confidence: 0.95, width: 0.05, wide: 1.15 }

/** How far off queues may be from what service explains, in standard errors, without a word. */
const oddest = 3

/** Of the time, by when trials that narrow the interval are over. */
const sharpenUntil = 0.8

type VariedTrial = RateTrial & LoadTrial

/** All trials of a queue that was empty, but for those far beyond what is held. */
function toldBy(trials: readonly RateTrial[]): VariedTrial[] {
  return trials
    .filter(({ purpose, outcome, behindMs }) => {
      return purpose !== 'degradation' && outcome !== 'unoffered' && behindMs !== undefined
    })
    .map((trial) => ({ ...trial, load: trial.rate }))
}

/** What trials say of the long run; undefined where no rate can be held. */
function reckoned(
  trials: readonly RateTrial[],
  varying: VaryingTarget,
  confidence = sharpness.confidence
): QueueCapacity | undefined {
  const told = toldBy(trials).map(({ rate, seconds, lossRatio, behindMs = 0 }) => {
    return { load: rate, seconds, lateShare: lossRatio, behind: behindMs / 1_000 }
  })
  return queueCapacity(told, { ...varying, confidence })
}

/** By how much more or less a target may hold at the end than at first, in logs. */
const trends = [-0.15, -0.08, 0.08, 0.15]

/** How much likelier trials have to be under one of those (ln), to say that it changed. */
const likelier = 4

/** The interval at the end where a capacity that rose or fell on the way explains more. */
function trendIn(trials: readonly RateTrial[], varying: VaryingTarget): CapacityKnown | undefined {
  const whole = trials.reduce((sum, { seconds }) => sum + seconds, 0)
  const steady = reckoned(trials, varying)
  const found = trends.map((trend) => {
    let left = whole
    const since = trials.map((trial) => {
      left -= trial.seconds
      return { ...trial, rate: trial.rate * Math.exp((trend * left) / whole) }
    })
    return { trend, end: reckoned(since, varying) }
  })
  const fitOf = ({ end }: (typeof found)[number]) => end?.fit ?? -Infinity
  const best = found.reduce((one, other) => (fitOf(other) > fitOf(one) ? other : one))
  if (steady === undefined || fitOf(best) - steady.fit < likelier || best.end === undefined) return
  const { low, high } = best.end
  const way = best.trend > 0 ? 'rose' : 'fell'
  return {
    interval: [Math.min(low, steady.low), Math.max(high, steady.high)],
    unsteady: changed(`it ${way} little by little, to ${rangeText({ low, high })}`)
  }
}

/** The interval by all trials, and whether the first ones tell of another than the last ones. */
function evidenceOf(
  trials: readonly RateTrial[],
  varying: VaryingTarget,
  spread: number
): CapacityKnown {
  const of = (some: readonly RateTrial[], confidence: number) => {
    return reckoned(some, varying, confidence) ?? { low: 0, high: Infinity }
  }
  const found = capacitySteadiness(toldBy(trials), sharpness.confidence, of)
  const { low, high } = found.interval
  const unsteady =
    found.changed &&
    changed(`${rangeText(found.changed.before)} at first, then ${rangeText(found.changed.after)}`)
  const overload = overloadIn(trials, high, spread)
  const trend = (overload ?? unsteady) ? undefined : trendIn(trials, varying)
  if (trend) return trend
  return {
    interval: [low, high],
    ...((overload ?? unsteady) && { unsteady: overload ?? unsteady })
  }
}

/** Why an interval is less than was asked for, in words; undefined where it is not. */
function doubtIn(
  [low, high]: [number, number],
  told: Pick<QueueCapacity, 'renewal' | 'odd'> & { runSeconds: number; seconds: number }
): string | undefined {
  const { renewal, odd, runSeconds, seconds } = told
  if (Math.abs(odd) > oddest) {
    return (
      `queues are ${odd > 0 ? 'longer' : 'shorter'} than those of requests that each take their ` +
      `time by chance: it depends on those before, or a few take very long, so that what is held ` +
      `in the long run may be ${odd > 0 ? 'less' : 'more'}`
    )
  }
  if (renewal > runSeconds) {
    const minutes = Math.ceil((seconds * renewal) / runSeconds / 60)
    return (
      `requests take various times by chance, of which a queue takes ` +
      `${Number(renewal.toPrecision(2))} s to come and go: what is held in the long run is ` +
      `reckoned from how they vary, and was not seen, which takes --time ${minutes}m`
    )
  }
  if (high <= sharpness.wide * low) return
  return 'requests take various times by chance, of which more have to be seen: more --time'
}

type Terms = {
  varying: VaryingTarget
  trialSeconds: number
  runSeconds: number
  seconds: number
  lowest: number
  highest: number
  errorRatio: number
  trials: RateTrial[]
}

/** A rate that may be asked, as near to another one as there is. */
const askable = (rate: number, { lowest, highest }: Terms) =>
  Math.min(highest, Math.max(lowest, rate))

/** Narrows the interval by trials from its lower end up to what is served at most. */
function* narrowed(first: QueueCapacity, terms: Terms, next: Random): SearchPart<QueueCapacity> {
  const { varying, trialSeconds, seconds, trials } = terms
  const spent = trials.reduce((sum, trial) => sum + trial.seconds, 0)
  let found = first
  for (let left = sharpenUntil * seconds - spent; left >= trialSeconds; left -= trialSeconds) {
    if (found.high <= (1 + sharpness.width) * found.low) break
    const [from, to] = [askable(found.low, terms), Math.max(found.high, found.served)]
    const rate = askable(from * (to / from) ** next(), terms)
    const task = { purpose: 'sharpen' as const, rate, seconds: trialSeconds }
    if ((yield* one(task, trials)) === undefined) break
    found = reckoned(trials, varying) ?? found
  }
  return found
}

/** What is known of a capacity in the long run, and what was confirmed of it. */
export type VariedCapacity = CapacityKnown & {
  interval: [low: number, high: number]
  confirmed?: number | undefined
  undecided?: string | undefined
  isLate: boolean
}

/** Whether, and how, requests vary so much that a queue by chance decides what is held. */
export function variedAt(
  varying: VaryingTarget | undefined,
  at: { rate: number; seconds: number }
): { varying: VaryingTarget; spread: number } | undefined {
  if (varying === undefined) return
  const spread = spreadOf(varying.scv, at, varying.bound)
  return spread === undefined ? undefined : { varying, spread }
}

/**
 * Goes on from a search where each request takes another time by chance: what a trial holds is then
 * chance as well, and a queue that began empty is shorter than it becomes in the long run. So the
 * capacity is reckoned from how long queues were; undefined where no rate keeps the bound.
 */
export function* ofVaried(
  { spread, ...terms }: Terms & { spread: number },
  next: Random
): SearchPart<VariedCapacity | undefined> {
  const { varying, runSeconds, trials, errorRatio, seconds } = terms
  const first = reckoned(trials, varying)
  if (first === undefined) return
  const narrow = yield* narrowed(first, terms, next)
  const low = askable(narrow.low, terms)
  const run = yield* confirm(low, { seconds: runSeconds, step: width, trials })
  const confirmed = typeof run === 'number' ? run : undefined
  const asked = { rate: confirmed ?? low, errorRatio, runSeconds, seconds, trials }
  const errors = confirmed === undefined ? undefined : yield* showErrors(asked)
  const before = evidenceOf(trials, varying, spread)
  const known = before.unsteady?.heldBefore === undefined ? before : yield* recheck(before, terms)
  const interval = known.interval ?? [narrow.low, narrow.high]
  const { renewal, odd } = reckoned(trials, varying) ?? first
  const undecided = errors ?? doubtIn(interval, { renewal, odd, runSeconds, seconds })
  return { ...known, interval, confirmed, undecided, isLate: run === 'late' }
}
