import type { Random } from '../random.ts'
import { sharpen } from '../statistics/capacity-posterior.ts'
import { capacitySteadiness } from '../statistics/capacity-steadiness.ts'
import type { TrialRequest, TrialResult } from '../statistics/load-class.ts'
import { mlrSearch, type RateBounds, type SearchEnding } from '../statistics/mlr-search.ts'
import { confirm, overrun } from './capacity-confirm.ts'
import { byErrors, showErrors } from './capacity-errors.ts'
import { boundsAfter, boundsShown, shownFrom, stepBelow, type Unseen } from './capacity-longer.ts'
import { one, rangeText, rateText, type SearchPart, width } from './capacity-part.ts'
import { recheck } from './capacity-recheck.ts'
import {
  type CapacityKnown,
  changed,
  orMachine,
  orWandering,
  overloadIn,
  type Unsteady
} from './capacity-unsteady.ts'
import { ofVaried, type VariedCapacity, type VaryingTarget, variedAt } from './capacity-varied.ts'
import type { Binding, Purpose, RateTrial } from './rate-trial.ts'

/** Where to look for a capacity, and for how long. */
export type CapacityPlan = {
  /** Rates a second: where to begin, and between which bounds to stay. */
  start: number
  lowest: number
  highest: number
  /** Time for everything. */
  seconds: number
  /** Largest share of requests that may fail. */
  errorRatio: number
  /** What a queue may hide in a trial; nothing unless given. */
  unseen?: Unseen
  /** How long a response takes without a queue: what trials have to be long beside. */
  responseSeconds?: number
  /** How requests vary by chance; only where they do. */
  varying?: VaryingTarget | undefined
}

/** The highest rate a target holds, as far as it could be found. */
export type Capacity = {
  /**
   * The highest rate that was held and the lowest that was missed, of which the search's own bounds
   * are neighbours; without an interval less of the former where trials were short for a response.
   */
  lower?: number
  upper?: number
  /** Where the rate lies that is held half the time, by all trials, 19 times in 20. */
  interval?: [low: number, high: number]
  /** Why there is no single rate that it holds; the interval then reaches over what was seen. */
  unsteady?: Unsteady
  /** The rate that was held in every run that was made to confirm it. */
  confirmed?: number
  /** What is asked and so few requests cannot show, with what it would take. */
  undecided?: string
  /** What is served as it should be at the lower bound. */
  conditionalThroughput?: number
  /** What keeps the target from more; absent when nothing did. */
  binding?: Binding
  /** What happens at one and a half times, and at twice, the confirmed rate. */
  degradation: RateTrial[]
  ended: SearchEnding
  trials: RateTrial[]
}

/**
 * Shares of the time for the search, the sharpening, and each confirming run; the sharpening also
 * gets what the search leaves over.
 */
const shares = { search: 0.5, sharpen: 0.2, confirm: 1 / 30 }

/**
 * Of the time, the length of a trial that counts in full; and what none may be shorter than. A
 * queue shows in so many times what a response takes, for which one may be longer, up to a share.
 */
const trial = { share: 1 / 60, leastSeconds: 0.5, responses: 4, mostShare: 1 / 20 }

/** How long a trial lasts that counts in full. */
function trialSeconds({ seconds, responseSeconds = 0 }: CapacityPlan): number {
  const slow = Math.min(trial.responses * responseSeconds, trial.mostShare * seconds)
  return Math.max(trial.leastSeconds, trial.share * seconds, slow)
}

/**
 * By which share of the time each purpose has to be done with, on the clock and with all that goes
 * on between trials, so that something is left for those that follow.
 */
export const dueBy: Record<Purpose, number> = {
  ...{ search: 0.64, sharpen: 0.8, confirm: 0.98, recheck: 0.95, degradation: 1 }
}

const sharpness = { width: 0.05, confidence: 0.95 }

/** Has the trials of a search made, and keeps them. */
function* made<Result>(
  search: Generator<TrialRequest, Result, TrialResult | undefined>,
  { purpose, trials }: { purpose: Purpose; trials: RateTrial[] }
): SearchPart<Result> {
  let turn = search.next()
  while (!turn.done) {
    const { load, seconds } = turn.value
    turn = search.next(yield* one({ purpose, rate: load, seconds }, trials))
  }
  return turn.value
}

/**
 * The rates nearest to each other of which one was held and the other missed, by what there is:
 * where trials contradict each other, those between which the fewest do. Of as few, the highest:
 * what misses a rate may be a glitch, what holds a higher one is none.
 */
function seenSoFar(trials: readonly RateTrial[]): Pick<Capacity, 'lower' | 'upper'> {
  const rates = (wanted: RateTrial['outcome']) =>
    trials.flatMap(({ rate, outcome }) => (outcome === wanted ? rate : []))
  const [held, missed] = [rates('held'), rates('missed')]
  const against = (line: number) =>
    held.filter((rate) => rate > line).length + missed.filter((rate) => rate <= line).length
  const lines = [0, ...held].sort((one, other) => other - one)
  const line = lines.reduce((best, other) => (against(other) < against(best) ? other : best))
  const upper = Math.min(...missed.filter((rate) => rate > line))
  return { ...(line > 0 && { lower: line }), ...(Number.isFinite(upper) && { upper }) }
}

/**
 * What most of the trials nearest above the capacity were missed for; the generator, where most of
 * them could not be offered: what the target would have made of those nobody knows.
 */
function bindingOf(
  trials: readonly RateTrial[],
  { lower = 0, upper = Infinity }: Pick<Capacity, 'lower' | 'upper'>
): Binding | undefined {
  const close = trials.filter(({ rate }) => rate <= upper * (1 + width))
  const beside = close.filter(({ rate, outcome }) => outcome !== 'held' && rate > lower)
  const unoffered = beside.filter(({ outcome }) => outcome === 'unoffered')
  if (2 * unoffered.length > beside.length) return 'generator'
  const near = close.filter(({ outcome }) => outcome === 'missed')
  const counts = Map.groupBy(near, ({ binding }) => binding)
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length)
  return most?.[0]
}

/** What a plan comes to once a search has begun. */
type Terms = CapacityPlan & { trialSeconds: number; runSeconds: number; trials: RateTrial[] }

/** What a search ended with that held something. */
type Bounded = Pick<Capacity, 'upper' | 'conditionalThroughput' | 'binding' | 'ended'> & {
  lower: number
}

/**
 * Finds the highest rate a target holds, as a conversation: yields rates to offer, takes what came
 * of them, or nothing where no time is left. It searches, narrows the interval, has the lower bound
 * confirmed by longer runs, or the next rate below it, never one that was not tried, asks again
 * whether it is still so, and looks at what happens beyond it.
 */
export function* findCapacity(plan: CapacityPlan, next: Random): SearchPart<Capacity> {
  const { start, lowest, highest, seconds } = plan
  const trials: RateTrial[] = []
  const finalSeconds = trialSeconds(plan)
  const goal = {
    ...{ start, lowest, highest, width, finalSeconds },
    shortSeconds: finalSeconds / 2,
    sumSeconds: 5 * finalSeconds,
    exceedRatio: 0.5,
    budgetSeconds: seconds * shares.search
  }
  const known = yield* made(mlrSearch(goal, next), { purpose: 'search', trials })
  const { ended, conditionalThroughput } = known
  const isCut = ended === 'time' && known.lower === undefined
  const { lower, upper } = isCut ? seenSoFar(trials) : known
  const searched = { ended, lower, upper, conditionalThroughput }
  const binding = ended === 'generator' ? 'generator' : bindingOf(trials, searched)
  if (lower === undefined) return { ...searched, binding, degradation: [], trials }
  const runSeconds = Math.max(seconds * shares.confirm, finalSeconds)
  const terms = { ...plan, trialSeconds: finalSeconds, runSeconds, trials }
  const isMissed = binding === 'latency' && upper !== undefined
  const varied = isMissed && variedAt(plan.varying, { rate: lower, seconds: finalSeconds })
  const inLongRun = varied && (yield* ofVaried({ ...terms, ...varied }, next))
  if (inLongRun) return yield* reckoned({ ...searched, lower, upper, binding }, inLongRun, terms)
  return yield* settled({ ...searched, lower, binding, isCut }, terms, next)
}

/** What a search comes to where the capacity was reckoned, since requests vary by chance. */
function* reckoned(
  searched: Bounded & { upper: number },
  { isLate, ...known }: VariedCapacity,
  { trialSeconds: seconds, trials }: Terms
): SearchPart<Capacity> {
  const { confirmed, interval } = known
  const degradation =
    isLate || confirmed === undefined ? [] : yield* overrun(confirmed, { seconds, trials })
  const { upper, binding } = searched
  return {
    ...{ lower: confirmed ?? Math.min(searched.lower, interval[0]), binding },
    ...{ upper: Math.max(upper, interval[1]), ended: isLate ? 'time' : 'found' },
    ...{ ...orMachine(known, trials), confirmed, undecided: known.undecided },
    ...{ degradation, trials }
  }
}

/** Narrows the bounds of a search, has the lower one confirmed, and asks again. */
function* settled(
  { binding, isCut, ...searched }: Bounded & { isCut: boolean },
  { trialSeconds: finalSeconds, runSeconds, ...plan }: Terms,
  next: Random
): SearchPart<Capacity> {
  const { seconds, highest, errorRatio, trials, unseen: given = () => 0 } = plan
  const { lower, upper, ended } = searched
  const narrow =
    isCut || upper === undefined
      ? undefined
      : yield* narrowed(trials, { finalSeconds, seconds }, next)
  // Bounds that had no time to meet lie apart, and more is surely held than the lower one of them.
  const sure = ended === 'time' && narrow ? Math.max(lower, narrow[0]) : lower
  // What is refused waits in no queue.
  const unseen: Unseen = binding === 'errors' ? () => 0 : given
  const step = stepBelow(unseen({ rate: sure, seconds: finalSeconds }))
  const shorter = trials.length
  const found = yield* confirm(sure, { seconds: runSeconds, step, trials })
  const confirming = { confirmed: found, runs: trials.slice(shorter) }
  const after = boundsAfter(searched, confirming, trials)
  const bounds = narrow ? after : boundsShown(after, trials, unseen)
  const shownTerms = { unseen, trialSeconds: finalSeconds, runSeconds, lower: bounds.lower }
  const before = narrow ? evidenceOf(trials, { ...searched, finalSeconds }) : {}
  if (found === 'late') {
    const shown = shownFrom(before, confirming, shownTerms)
    const evidence = byErrors(orMachine(shown, trials), { trials, errorRatio })
    return { ...bounds, ended: 'time', binding, ...evidence, degradation: [], trials }
  }
  const confirmed = found
  const terms = { trialSeconds: finalSeconds, seconds, highest, trials }
  const asked = { rate: confirmed ?? sure, errorRatio, runSeconds, seconds, trials }
  const undecided = confirmed === undefined ? undefined : yield* showErrors(asked)
  const again = confirmed === undefined ? before : yield* recheck(before, terms)
  const steady = orWandering(again, alike(trials, finalSeconds))
  const told = orMachine(shownFrom(steady, confirming, shownTerms), trials)
  const evidence = byErrors({ ...told, undecided }, { trials, errorRatio })
  const isFound = ended === 'found' && confirmed !== undefined
  const degradation = isFound ? yield* overrun(confirmed, { seconds: finalSeconds, trials }) : []
  return { ...bounds, binding, ...evidence, confirmed, degradation, trials }
}

/** Trials of one length: longer ones, that confirm, hold less; they would move it by that. */
function alike(trials: readonly RateTrial[], finalSeconds: number): RateTrial[] {
  const purposes: readonly Purpose[] = ['search', 'sharpen', 'recheck']
  return trials.filter(({ purpose, seconds }) => {
    return purposes.includes(purpose) && seconds >= finalSeconds
  })
}

/** The interval by the search and the sharpening alike, and what is against it. */
function evidenceOf(
  trials: readonly RateTrial[],
  { lower = 0, upper = Infinity, finalSeconds }: Partial<RateBounds> & { finalSeconds: number }
): CapacityKnown {
  const counted = alike(trials, finalSeconds).filter(({ purpose }) => purpose !== 'recheck')
  const loads = counted.map(({ rate, ...rest }) => ({ load: rate, ...rest }))
  const { interval: found, changed: parts } = capacitySteadiness(loads, sharpness.confidence)
  // Bounds that the interval has no part of are evidence as well.
  const isApart = upper < found.low || lower > found.high
  const interval: [number, number] = [
    isApart ? Math.min(lower, found.low) : found.low,
    isApart && Number.isFinite(upper) ? Math.max(upper, found.high) : found.high
  ]
  const overload = overloadIn(trials, found.high)
  if (overload) return { interval, unsteady: overload }
  if (isApart && parts === undefined) {
    const bounds = `${rateText(lower)} … ${rateText(upper)}`
    const because = `trials contradict each other: the search ended between ${bounds}`
    return { interval, unsteady: { kind: 'changed', because } }
  }
  if (parts === undefined) return { interval }
  const { before, after } = parts
  return { interval, unsteady: changed(`${rangeText(before)} at first, then ${rangeText(after)}`) }
}

/** The interval of the capacity, from trials of one length only: shorter ones hold more. */
function* narrowed(
  trials: RateTrial[],
  { finalSeconds, seconds }: { finalSeconds: number; seconds: number },
  next: Random
): SearchPart<[number, number] | undefined> {
  const known = trials
    .filter((trial) => trial.seconds >= finalSeconds)
    .map(({ rate, ...rest }) => ({ load: rate, ...rest }))
  const searched = trials.reduce((sum, trial) => sum + trial.seconds, 0)
  const budgetSeconds = seconds * (shares.search + shares.sharpen) - searched
  const search = sharpen(known, { ...sharpness, seconds: finalSeconds, budgetSeconds }, next)
  const { posterior } = yield* made(search, { purpose: 'sharpen', trials })
  return Number.isFinite(posterior.high) ? [posterior.low, posterior.high] : undefined
}
