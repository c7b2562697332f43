import { percent } from '../number.ts'
import { clopperPearson } from '../statistics/clopper-pearson.ts'
import { median } from '../statistics/quantile.ts'
import { one, rateText, type SearchPart } from './capacity-part.ts'
import type { CapacityKnown } from './capacity-unsteady.ts'
import type { RateTrial } from './rate-trial.ts'

/** Requests of some trials, and how many of them failed. */
type Counted = { draws: number; events: number }

const requestsOf = ({ requests, rate, seconds }: RateTrial) =>
  requests ?? Math.round(rate * seconds)

const failuresOf = (trial: RateTrial) => Math.round(trial.errorShare * requestsOf(trial))

function counted(trials: readonly RateTrial[]): Counted {
  const sum = (of: (trial: RateTrial) => number) =>
    trials.reduce((total, trial) => total + of(trial), 0)
  return { draws: sum(requestsOf), events: sum(failuresOf) }
}

/** Requests without a failure that show a share to be no larger, 19 times in 20. */
function requestsNeeded(errorRatio: number): number {
  return Math.ceil(Math.log(0.05) / Math.log1p(-errorRatio))
}

/** The largest share that may fail where so many did, 19 times in 20. */
const mostOf = ({ draws, events }: Counted) =>
  draws === 0 ? 1 : clopperPearson({ draws, events, confidence: 0.9 }).high

/** Of the time, what showing errors takes at most beside the runs that confirm; by when it ends. */
const shares = { more: 0.25, end: 0.9 }

/** Of the time, what all of that is: what a search has to be given to show so many requests. */
const confirmingShare = 0.35

type Terms = {
  rate: number
  errorRatio: number
  /** How long a run is, and the whole search. */
  runSeconds: number
  seconds: number
  trials: RateTrial[]
}

/**
 * Goes on with runs at a rate that was confirmed until so few failed of so many requests that the
 * objective is surely kept. Where there is no time for as many, says in words what was shown, and
 * what it would take: a few hundred requests without a failure do not show one in a thousand.
 */
export function* showErrors(terms: Terms): SearchPart<string | undefined> {
  const { rate, errorRatio, runSeconds, seconds, trials } = terms
  // That nothing ever fails no number of requests can show.
  if (errorRatio === 0) return
  const shown = () =>
    counted(trials.filter((trial) => trial.rate === rate && trial.outcome !== 'unoffered'))
  let left = Math.min(
    shares.more * seconds,
    shares.end * seconds - trials.reduce((sum, trial) => sum + trial.seconds, 0)
  )
  while (mostOf(shown()) > errorRatio) {
    const missing = requestsNeeded(errorRatio) - shown().draws
    if (Math.max(runSeconds, missing / rate) > left) return undecidedText(shown(), terms)
    const run = { purpose: 'confirm' as const, rate, seconds: runSeconds }
    if ((yield* one(run, trials)) === undefined) return undecidedText(shown(), terms)
    left -= runSeconds
  }
}

const grouped = (count: number) => count.toLocaleString('en')

function undecidedText(
  found: Counted,
  { rate, errorRatio }: Pick<Terms, 'rate' | 'errorRatio'>
): string {
  const { draws, events } = found
  const needed = requestsNeeded(errorRatio)
  const minutes = Math.ceil(needed / rate / confirmingShare / 60)
  return (
    `${grouped(events)} of ${grouped(draws)} requests at ${rateText(rate)} failed, so at most ` +
    `${percent(mostOf(found), 2)} do; that at most ${percent(errorRatio)} do takes ` +
    `${grouped(needed)} of them: --time ${minutes}m, or more --errors`
  )
}

/** So few failures in a trial say that it failed, and not by how much. */
const few = 3

/** How sure pooled trials are, which are pooled in all ways. */
const sureness = 0.99

/**
 * Between which rates so many errors are reached, where they become more little by little: by all
 * trials together, since in one of them there is a failure or there is none. A target that fails
 * no less when more is asked of it holds a rate if it held those from that one on, and none above
 * one up to which it did not. Undefined where single trials tell enough.
 */
function gradualErrors(
  trials: readonly RateTrial[],
  { errorRatio, upper }: { errorRatio: number; upper: number }
): [low: number, high: number] | undefined {
  const near = trials.filter(({ rate, binding }) => binding === 'errors' && rate <= 1.1 * upper)
  if (errorRatio === 0 || near.length === 0 || median(near.map(failuresOf)) > few) return
  const told = trials
    .filter(({ outcome, binding }) => outcome !== 'unoffered' && binding !== 'latency')
    .toSorted((one, other) => one.rate - other.rate)
  let [low, high] = [0, Infinity]
  for (const [from, first] of told.entries()) {
    const pool: Counted = { draws: 0, events: 0 }
    for (const last of told.slice(from)) {
      pool.draws += requestsOf(last)
      pool.events += failuresOf(last)
      if (pool.draws === 0) continue
      const share = clopperPearson({ ...pool, confidence: sureness })
      if (share.low > errorRatio) high = Math.min(high, last.rate)
      if (share.high <= errorRatio) low = Math.max(low, first.rate)
    }
  }
  return [Math.min(low, high), high === Infinity ? upper : high]
}

/** Ends so near to each other are as much as any search tells. */
const narrow = 1.1

/** What is known of a capacity, and what of its errors is not. */
export type KnownOfErrors = CapacityKnown & { undecided?: string | undefined }

/**
 * Where errors that become more little by little bind: the interval by all trials together, and in
 * words that trials as short as these tell no more; that one failed here and none there is then no
 * change of the target. Else what was known before.
 */
export function byErrors(
  known: KnownOfErrors,
  { trials, errorRatio }: { trials: readonly RateTrial[]; errorRatio: number }
): KnownOfErrors {
  const { interval } = known
  const gradual = interval && gradualErrors(trials, { errorRatio, upper: interval[1] })
  if (gradual === undefined) return known
  const [low, high] = gradual
  if (high <= narrow * low) return { ...known, interval: gradual }
  const requests = median(trials.map(requestsOf))
  const undecided =
    `errors become more little by little: ${percent(errorRatio)} of them somewhere up to ` +
    `${rateText(high)}${low > 0 ? `, above ${rateText(low)}` : ''}; trials of ` +
    `${grouped(Math.round(requests))} requests cannot tell, which takes ` +
    `${grouped(requestsNeeded(errorRatio))}: a --time that is as much longer`
  return { interval: gradual, undecided }
}
