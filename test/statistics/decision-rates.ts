import type { Random } from '../../src/random.ts'
import { capacityPosterior, sharpen } from '../../src/statistics/capacity-posterior.ts'
import { driftDecision } from '../../src/statistics/drift-decision.ts'
import { pocock } from '../../src/statistics/looks.ts'
import { mlrSearch } from '../../src/statistics/mlr-search.ts'
import { type PairedVerdict, pairedDecision } from '../../src/statistics/paired-decision.ts'
import { driven } from './driven.ts'
import { memory, pairs, serving } from './noise.ts'
import { misses, type Rate } from './rate.ts'

const looks = pocock([12, 24, 48], 0.05)

type Comparison = { slowdown: number; sd: number; budget: number }

/** A whole comparison: pairs until there is a verdict. */
function compared({ slowdown, sd, budget }: Comparison, next: Random): PairedVerdict {
  const margins = { nothing: Math.log(1.01), budget: Math.log1p(budget) }
  const taken = pairs(looks.at.at(-1)!, { slowdown, sd, next })
  const verdicts = looks.at.map(
    (look) => pairedDecision(taken.slice(0, look), looks, margins).verdict
  )
  return verdicts.find((verdict) => verdict !== 'continue')!
}

const percent = (share: number) => `${Math.round(1000 * share) / 10} %`

const comparisons: Rate[] = [
  { sd: 0.02, slowdown: 0, budget: 0.05, isNot: 'no-regression', count: 200, most: 0.015 },
  { sd: 0.05, slowdown: 0, budget: 0.05, isNot: 'no-regression', count: 200, most: 0.06 },
  { sd: 0.05, slowdown: 0, budget: 0.05, is: 'regressed', count: 500, most: 0.01 },
  { sd: 0.1, slowdown: 0, budget: 0.05, is: 'regressed', count: 500, most: 0.03 },
  { sd: 0.05, slowdown: 0.05, budget: 0.05, is: 'no-regression', count: 300, most: 0.055 },
  { sd: 0.02, slowdown: 0.075, budget: 0.05, isNot: 'regressed', count: 200, most: 0.015 },
  { sd: 0.05, slowdown: 0.075, budget: 0.05, isNot: 'regressed', count: 200, most: 0.03 },
  { sd: 0.05, slowdown: 0.1, budget: 0.05, isNot: 'regressed', count: 200, most: 0.015 },
  { sd: 0.02, slowdown: 0, budget: 0.03, is: 'regressed', count: 500, most: 0.01 },
  { sd: 0.02, slowdown: 0.05, budget: 0.03, isNot: 'regressed', count: 200, most: 0.03 },
  { sd: 0.05, slowdown: 0.05, budget: 0.03, isNot: 'regressed', count: 200, most: 0.26 }
].map(({ is, isNot, count, most, ...comparison }) => {
  const { sd, slowdown, budget } = comparison
  const title = `budget ${percent(budget)}, noise ${percent(sd)}, B slower by ${percent(slowdown)}`
  return {
    what: `paired decision, ${title}: ${isNot ? `not "${isNot}"` : `"${is}"`}`,
    ...{ count, least: 0, most },
    once: (next) => {
      const verdict = compared(comparison, next)
      return isNot ? verdict !== isNot : verdict === is
    }
  }
})

const soaks: Rate[] = [
  { minutes: 60, soak: {}, is: 'drift', count: 60, most: 0.03 },
  { minutes: 60, soak: { memory: 0.9 }, is: 'drift', count: 60, most: 0.05 },
  { minutes: 60, soak: { leak: 5 }, is: 'stable', count: 60, most: 0.1 },
  { minutes: 60, soak: { step: 20 }, is: 'drift', count: 60, most: 0 },
  // In an hour four margins cannot be told from the growth of a logarithm; in three, two can.
  { minutes: 60, soak: { leak: 20 }, isNot: 'drift', count: 40, most: 0.7 },
  { minutes: 120, soak: { fill: 20 }, is: 'drift', count: 30, most: 0.05 },
  { minutes: 120, soak: {}, isNot: 'stable', count: 30, most: 0.1 },
  { minutes: 120, soak: { leak: 20 }, isNot: 'drift', count: 30, most: 0.1 },
  { minutes: 180, soak: { leak: 10 }, isNot: 'drift', count: 30, most: 0.1 },
  { minutes: 180, soak: { leak: 20 }, isNot: 'drift', count: 30, most: 0 }
].map(({ minutes, soak, is, isNot, count, most }) => {
  const title = Object.entries(soak).flat().join(' ') || 'no leak'
  const wrong = isNot ? `not "${isNot}"` : `"${is}"`
  return {
    what: `drift decision, margin 5 MB/h, ${minutes} min, ${title}: ${wrong}`,
    ...{ count, least: 0, most },
    once: (next) => {
      const points = memory(minutes, { ...soak, next })
      const { verdict } = driftDecision(points, { margin: 5, next, resamples: 200 })
      return isNot ? verdict !== isNot : verdict === is
    }
  }
})

const goal = {
  ...{ lowest: 10, highest: 100_000, start: 100, width: 0.02 },
  ...{ shortSeconds: 3, finalSeconds: 10, sumSeconds: 50, exceedRatio: 0.5, budgetSeconds: 1000 }
}

/** A capacity of about 1000, somewhere between the loads of the grid. */
const someCapacity = (next: Random) => 1000 * Math.exp(0.3 * (next() - 0.5))

const searches: Rate[] = [
  ...[0.01, 0.03, 0.06].map((sd) => ({
    what: `MLR search, capacity to ${percent(sd)}, 5 % glitches: bound more than 10 % off`,
    ...{ count: 100, least: 0, most: sd < 0.05 ? 0.02 : 0.04 },
    once: (next: Random) => {
      const capacity = someCapacity(next)
      const { lower } = driven(mlrSearch(goal, next), serving({ capacity, sd, next }))
      return Math.abs(Math.log(lower! / capacity)) > 0.1
    }
  })),
  ...[
    { sd: 0.01, least: 0.08, most: 0.35 },
    { sd: 0.06, least: 0.5, most: 0.82 }
  ].map(({ sd, least, most }) => ({
    what: `MLR search, capacity to ${percent(sd)}, 5 % glitches: truth outside both bounds`,
    ...{ count: 100, least, most },
    once: (next: Random) => {
      const capacity = someCapacity(next)
      const found = driven(mlrSearch(goal, next), serving({ capacity, sd, next }))
      return misses({ low: found.lower!, high: found.upper! }, capacity)
    }
  })),
  {
    what: 'capacity posterior of a search alone, 95 %, capacity to 3 %, 5 % glitches: misses',
    ...{ count: 30, least: 0, most: 0.13 },
    once: (next) => {
      const capacity = someCapacity(next)
      const { trials } = driven(mlrSearch(goal, next), serving({ capacity, sd: 0.03, next }))
      return misses(capacityPosterior(trials, 0.95), capacity)
    }
  },
  {
    what: 'capacity posterior, sharpened to 5 %, 95 %, capacity to 1 %, 5 % glitches: misses',
    ...{ count: 20, least: 0, most: 0.13 },
    once: (next) => {
      const capacity = someCapacity(next)
      const serve = serving({ capacity, sd: 0.01, next })
      const { trials } = driven(mlrSearch(goal, next), serve)
      const sharpness = { width: 0.05, confidence: 0.95, seconds: 10, budgetSeconds: 300 }
      return misses(driven(sharpen(trials, sharpness, next), serve).posterior, capacity)
    }
  }
]

/** Whole procedures, from the first trial to the verdict. */
export const decisionRates: Rate[] = [...comparisons, ...soaks, ...searches]
