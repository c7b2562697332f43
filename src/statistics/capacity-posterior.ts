import type { Random } from '../random.ts'
import type { Interval } from './interval.ts'
import type { LoadTrial, TrialRequest, TrialResult } from './load-class.ts'

/** Where the capacity lies, by all trials together: its median, and an interval around it. */
export type CapacityPosterior = Interval & { median: number }

/** How wide the band of loads may be in which a trial goes either way, as a share of the load. */
const blurs = [0.003, 0.006, 0.0125, 0.025, 0.05, 0.1]

/** How often a trial may go the wrong way for reasons of its own. */
const glitches = [0.01, 0.05, 0.15]

const models = blurs.length * glitches.length

/** Capacities looked at in one pass; the next pass looks closer at those worth it. */
const places = 200
const passes = 3

type Tally = { load: number; held: number; missed: number }

/** ln P(tallies) for one capacity under each model: a logistic curve in the log of the load. */
function logChances(tallies: readonly Tally[], capacity: number): number[] {
  const logs = new Array<number>(models).fill(0)
  for (const { load, held, missed } of tallies) {
    const above = Math.log(load / capacity)
    let place = 0
    for (const blur of blurs) {
      const steep = 1 / (1 + Math.exp(above / blur))
      for (const glitch of glitches) {
        const chance = glitch + (1 - 2 * glitch) * steep
        if (held > 0) logs[place]! += held * Math.log(chance)
        if (missed > 0) logs[place]! += missed * Math.log(1 - chance)
        place++
      }
    }
  }
  return logs
}

/** Capacities in ascending order, and how likely each is, up to a factor. */
type Density = { capacities: number[]; likelihoods: number[] }

/** The density over a range, with every blur and glitch rate given its say. */
function densityOver({ low, high }: Interval, tallies: readonly Tally[]): Density {
  const capacities = Array.from(
    { length: places },
    (_, at) => low * (high / low) ** (at / (places - 1))
  )
  const logs = capacities.map((capacity) => logChances(tallies, capacity))
  const most = Math.max(...logs.flat())
  const likelihoods = logs.map((each) => each.reduce((sum, log) => sum + Math.exp(log - most), 0))
  return { capacities, likelihoods }
}

/** The place of the capacity below which a share of all the likelihood lies. */
function placeOf(share: number, { likelihoods }: Density): number {
  let left = share * likelihoods.reduce((total, value) => total + value, 0)
  return likelihoods.findIndex((value) => {
    left -= value
    return left <= 0
  })
}

/** The range outside which next to nothing lies, and one place more on each side. */
function likelyRange(density: Density): Interval {
  const { capacities } = density
  return {
    low: capacities[Math.max(0, placeOf(1e-4, density) - 1)]!,
    high: capacities[Math.min(places - 1, placeOf(1 - 1e-4, density) + 1)]!
  }
}

function talliesOf(trials: readonly LoadTrial[]): Tally[] {
  const told = trials.filter(({ outcome }) => outcome !== 'unoffered')
  return [...Map.groupBy(told, ({ load }) => load)].map(([load, some]) => {
    const held = some.filter(({ outcome }) => outcome === 'held').length
    return { load, held, missed: some.length - held }
  })
}

/**
 * The load at which half the trials are held, by Bayes' rule: beforehand every capacity from half
 * the lowest to twice the highest load tried is as likely, on a log scale, and so is every blur and
 * glitch rate listed. Unlike the bounds of a search it uses every trial, and glitches cannot throw
 * it. Assumes independent trials, alike in length; coverage in the README. Source: after
 * draft-vpolak-bmwg-plrsearch-03.
 */
export function capacityPosterior(
  trials: readonly LoadTrial[],
  confidence: number
): CapacityPosterior {
  const tallies = talliesOf(trials)
  if (tallies.length === 0) return { low: 0, median: NaN, high: Infinity }
  const loads = tallies.map(({ load }) => load)
  let range = { low: Math.min(...loads) / 2, high: 2 * Math.max(...loads) }
  for (let pass = 1; pass < passes; pass++) range = likelyRange(densityOver(range, tallies))
  const density = densityOver(range, tallies)
  const at = (share: number) => density.capacities[placeOf(share, density)]!
  return { low: at((1 - confidence) / 2), median: at(0.5), high: at((1 + confidence) / 2) }
}

/** How narrow an interval is wanted, and what may be spent on it. */
export type Sharpness = {
  /** Upper end over lower end, less one: 0.05. */
  width: number
  confidence: number
  /** Seconds of each further trial, and of all of them. */
  seconds: number
  budgetSeconds: number
}

/** Where the capacity lies, and the trials it rests on: those given, and those asked for. */
export type Sharpened = { posterior: CapacityPosterior; trials: LoadTrial[] }

/**
 * Narrows a capacity after a search: yields trials at loads drawn from within the interval, which
 * is where they tell most, until it is narrow enough or the time is up, which no result says too.
 * Assumes as `capacityPosterior`.
 */
export function* sharpen(
  known: readonly LoadTrial[],
  { width, confidence, seconds, budgetSeconds }: Sharpness,
  next: Random
): Generator<TrialRequest, Sharpened, TrialResult | undefined> {
  const trials = [...known]
  for (let left = budgetSeconds; ; left -= seconds) {
    const posterior = capacityPosterior(trials, confidence)
    const ratio = posterior.high / posterior.low
    if (ratio <= 1 + width || left < seconds) return { posterior, trials }
    const request = { load: posterior.low * ratio ** next(), seconds }
    const result = yield request
    if (result === undefined) return { posterior, trials }
    trials.push({ ...request, ...result })
  }
}
