import type { Random } from '../random.ts'
import type { Interval } from './interval.ts'
import {
  classify,
  conditionalThroughput,
  type Holding,
  type LoadClass,
  type LoadTrial,
  type TrialRequest,
  type TrialResult
} from './load-class.ts'

/** Which loads to search, how finely, and what makes one count as held. */
export type Goal = Holding & {
  lowest: number
  highest: number
  /** The load to begin with. */
  start: number
  /** Neighbouring loads differ by this share, such as 0.02. */
  width: number
  /** Seconds of the trials that only look for the region; fewer than those that count. */
  shortSeconds: number
  /** Seconds of load the whole search may take. */
  budgetSeconds: number
}

/**
 * Why a search ended: its bounds are neighbours; everything was held up to the highest load, or as
 * far as the generator goes; nothing was held down to the lowest; or the time was up.
 */
export type SearchEnding = 'found' | 'highest' | 'generator' | 'lowest' | 'time'

/** The highest load that is held and the lowest that is missed. */
export type RateBounds = {
  /** Held, and below every load that is missed. */
  lower?: number
  upper?: number
  /** What is served as it should be at the lower bound. */
  conditionalThroughput?: number
  ended: SearchEnding
  trials: LoadTrial[]
}

/** A load by its place on the geometric grid; 0 is the start. */
type Rung = number
type Move = { rung: Rung; seconds: number }

/** All that a search knows, drawn up anew from its trials: what it does next rests on no more. */
function chartOf(trials: readonly LoadTrial[], goal: Goal) {
  const stretch = Math.log1p(goal.width)
  const rungOf = (load: number): Rung => Math.round(Math.log(load / goal.start) / stretch)
  const rungs = Map.groupBy(trials, ({ load }) => rungOf(load))
  const at = (rung: Rung) => rungs.get(rung) ?? []
  const count = (rung: Rung, wanted: (trial: LoadTrial) => boolean) =>
    at(rung).filter(wanted).length
  const isLong = ({ seconds }: LoadTrial) => seconds >= goal.finalSeconds
  const isShort = (wanted: LoadTrial['outcome']) => (trial: LoadTrial) =>
    trial.outcome === wanted && !isLong(trial)
  const offered = (rung: Rung) => count(rung, ({ outcome }) => outcome !== 'unoffered')
  const isRefused = (rung: Rung) => {
    const times = at(rung).length - offered(rung)
    const isOfferedAbove = [...rungs.keys()].some((other) => other > rung && offered(other) > 0)
    return times > 1 && times > offered(rung) && !isOfferedAbove
  }
  const refused = [...rungs.keys()].filter(isRefused)
  const highest = Math.floor(Math.log(goal.highest / goal.start) / stretch + 1e-9)
  const top = Math.min(highest, ...refused.map((rung) => rung - 1))
  const classes = new Map<Rung, LoadClass>(
    [...rungs].map(([rung, some]) => [rung, classify(some, goal)])
  )
  const classed = (wanted: LoadClass) =>
    [...classes].flatMap(([rung, known]) => (known === wanted && rung <= top ? rung : []))
  const upper = Math.min(...classed('upper'))
  return {
    top,
    bottom: Math.ceil(Math.log(goal.lowest / goal.start) / stretch - 1e-9),
    /** Whether it is the generator that keeps the search from going higher. */
    outrun: top < highest,
    doubling: Math.round(Math.LN2 / stretch),
    upper,
    lower: Math.max(...classed('lower').filter((rung) => rung < upper)),
    /** Rungs held, and missed at least twice, by short trials. */
    held: [...rungs.keys()].filter((rung) => count(rung, isShort('held')) > 0),
    missed: [...rungs.keys()].filter((rung) => count(rung, isShort('missed')) > 1),
    isLong,
    rungOf,
    loadOf: (rung: Rung) => goal.start * Math.exp(rung * stretch),
    at
  }
}

type Chart = ReturnType<typeof chartOf>

/** Rungs within which short trials leave it to long ones. */
const region = 8

/** The rung to try to find the region, by doubling, then halving the gap; or the region found. */
function gallop({ held, missed, top, bottom, outrun, doubling }: Chart): Rung | Interval {
  const high = Math.min(...missed, outrun ? top + 1 : Infinity)
  const low = Math.max(...held.filter((rung) => rung < high))
  if (low === -Infinity && high === Infinity) return Math.min(0, top)
  if (high === Infinity) return low >= top ? { low: top, high: top } : Math.min(top, low + doubling)
  if (low === -Infinity)
    return high <= bottom ? { low: bottom, high: bottom } : Math.max(bottom, high - doubling)
  return high - low > region ? Math.floor((low + high) / 2) : { low, high: Math.min(high, top) }
}

/** The rung to measure in earnest; undefined when the bounds are neighbours. */
function narrow(chart: Chart, hint: Interval, next: Random): Rung | undefined {
  const { lower, upper, top, bottom, outrun } = chart
  if (lower === -Infinity && upper === Infinity) return Math.min(top, hint.low)
  if (upper === Infinity && outrun) return Math.ceil((lower + top) / 2)
  if (upper === Infinity) {
    const farther = lower + 2 * Math.max(1, lower - hint.low)
    return Math.min(top, lower < hint.high ? hint.high : farther)
  }
  if (lower === -Infinity) {
    const farther = upper - 2 * Math.max(1, hint.high - upper)
    return Math.max(bottom, hint.low < upper ? hint.low : farther)
  }
  const between = upper - lower - 1
  // In no fixed order, or what one load leaves behind would always be counted against the same.
  if (between <= 3) return between === 0 ? undefined : lower + 1 + Math.floor(next() * between)
  return Math.floor((lower + upper) / 2)
}

/** The rung to try so that the lower bound is once measured straight after a higher load. */
function fromAbove(trials: readonly LoadTrial[], chart: Chart): Rung | undefined {
  const { lower, upper, rungOf, isLong } = chart
  const isAbove = (trial?: LoadTrial) => trial !== undefined && rungOf(trial.load) > lower
  const isDone = trials.some(
    (trial, at) => isLong(trial) && rungOf(trial.load) === lower && isAbove(trials[at - 1])
  )
  if (isDone) return
  return isAbove(trials.at(-1)) ? lower : upper
}

/** The next trial by what is known so far, or why there is none. */
function nextMove(
  { trials, chart, goal }: { trials: readonly LoadTrial[]; chart: Chart; goal: Goal },
  next: Random
): Move | SearchEnding {
  if (chart.top < chart.bottom) return 'generator'
  const hint = gallop(chart)
  if (typeof hint === 'number') return { rung: hint, seconds: goal.shortSeconds }
  if (chart.lower === chart.top) return chart.outrun ? 'generator' : 'highest'
  if (chart.upper <= chart.bottom) return 'lowest'
  const rung = narrow(chart, hint, next) ?? fromAbove(trials, chart)
  return rung === undefined ? 'found' : { rung, seconds: goal.finalSeconds }
}

function capacityOf(
  trials: LoadTrial[],
  chart: Chart,
  goal: Goal,
  ended: SearchEnding
): RateBounds {
  const { lower, upper, loadOf, at } = chart
  return {
    ...(Number.isFinite(lower) && {
      lower: loadOf(lower),
      conditionalThroughput: conditionalThroughput(at(lower), goal)
    }),
    ...(Number.isFinite(upper) && { upper: loadOf(upper) }),
    ended,
    trials
  }
}

/**
 * Searches for the highest load a target holds: yields a trial to run, takes its result, or nothing
 * where no time is left for it, and returns the bounds. Short trials find the region, long ones
 * classify the loads of a geometric grid there, the last few in random order, and the lower bound
 * once more coming from above. Assumes that trials at one load are alike but for glitches, of which
 * a minority does no harm: with 5 % glitches and noise of 1, 3 and 6 % in what the target can do,
 * see the README. Source: draft-ietf-bmwg-mlrsearch-15.
 */
export function* mlrSearch(
  goal: Goal,
  next: Random
): Generator<TrialRequest, RateBounds, TrialResult | undefined> {
  if (goal.shortSeconds >= goal.finalSeconds) throw new RangeError('short trials are not shorter')
  const trials: LoadTrial[] = []
  let left = goal.budgetSeconds
  for (;;) {
    const chart = chartOf(trials, goal)
    const move = nextMove({ trials, chart, goal }, next)
    if (typeof move === 'string') return capacityOf(trials, chart, goal, move)
    left -= move.seconds
    if (left < 0) return capacityOf(trials, chart, goal, 'time')
    const request = { load: chart.loadOf(move.rung), seconds: move.seconds }
    const result = yield request
    if (result === undefined) return capacityOf(trials, chart, goal, 'time')
    trials.push({ ...request, ...result })
  }
}
