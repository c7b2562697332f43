/**
 * One measured stretch at one load. `unoffered` says that the generator could not make the load,
 * which tells nothing about the target; `lossRatio` is the share of requests not served as the
 * objective asks.
 */
export type LoadTrial = {
  load: number
  seconds: number
  outcome: 'held' | 'missed' | 'unoffered'
  lossRatio: number
}

/** A trial to be run. */
export type TrialRequest = Pick<LoadTrial, 'load' | 'seconds'>

/** What became of a trial. */
export type TrialResult = Pick<LoadTrial, 'outcome' | 'lossRatio'>

/** What makes a load count as held. */
export type Holding = {
  /** Trials at least this long count in full, shorter ones only against the load. */
  finalSeconds: number
  /** Seconds of trials that all count, at least, before a load is beyond doubt. */
  sumSeconds: number
  /** Share of that time in which the objective may be missed: 0.5 makes it the median trial. */
  exceedRatio: number
}

/** What a load is by all trials at it: a bound from below, from above, or not to be told yet. */
export type LoadClass = 'lower' | 'upper' | 'undecided'

const secondsOf = (trials: readonly LoadTrial[]) =>
  trials.reduce((total, { seconds }) => total + seconds, 0)

/**
 * Classifies the load of the given trials: a lower bound if it would be one even should the time
 * still missing go badly, an upper bound if even should that go well. Source:
 * draft-ietf-bmwg-mlrsearch-15, appendix A.
 */
export function classify(
  trials: readonly LoadTrial[],
  { finalSeconds, sumSeconds, exceedRatio }: Holding
): LoadClass {
  const long = trials.filter(({ seconds }) => seconds >= finalSeconds)
  const short = trials.filter(({ seconds }) => seconds < finalSeconds)
  const total = (some: readonly LoadTrial[], wanted: LoadTrial['outcome']) =>
    secondsOf(some.filter(({ outcome }) => outcome === wanted))
  const balance = (total(short, 'held') * exceedRatio) / (1 - exceedRatio)
  const bad = total(long, 'missed') + Math.max(0, total(short, 'missed') - balance)
  const good = total(long, 'held')
  const whole = Math.max(good + bad, sumSeconds)
  const tolerated = whole * exceedRatio
  const atBest = bad <= tolerated
  const atWorst = whole - good <= tolerated
  if (atBest !== atWorst) return 'undecided'
  return atBest ? 'lower' : 'upper'
}

/**
 * The load less the share lost in the worst trial that still has to be counted, when trials are
 * taken from the best one until only the tolerated share of time is left; time not measured counts
 * as all lost. Source: draft-ietf-bmwg-mlrsearch-15, appendix B.
 */
export function conditionalThroughput(
  trials: readonly LoadTrial[],
  { finalSeconds, sumSeconds, exceedRatio }: Holding
): number {
  const long = trials
    .filter(({ outcome, seconds }) => outcome !== 'unoffered' && seconds >= finalSeconds)
    .sort((one, other) => one.lossRatio - other.lossRatio)
  let remaining = Math.max(sumSeconds, secondsOf(long)) * (1 - exceedRatio)
  let lost = 1
  for (const { lossRatio, seconds } of long) {
    if (remaining <= 0) break
    lost = lossRatio
    remaining -= seconds
  }
  return (trials[0]?.load ?? 0) * (1 - (remaining > 0 ? 1 : lost))
}
