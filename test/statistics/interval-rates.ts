import type { Random } from '../../src/random.ts'
import { autocorrelation } from '../../src/statistics/autocorrelation.ts'
import { blockBootstrap } from '../../src/statistics/block-bootstrap.ts'
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import { cusum } from '../../src/statistics/cusum.ts'
import { mean } from '../../src/statistics/deviation.ts'
import { holm } from '../../src/statistics/holm.ts'
import { pocock } from '../../src/statistics/looks.ts'
import { warmUpLength } from '../../src/statistics/mser.ts'
import { pairsNeeded } from '../../src/statistics/power.ts'
import { signedRank, signedRankInterval } from '../../src/statistics/signed-rank.ts'
import { theilSen, theilSenSlope } from '../../src/statistics/theil-sen.ts'
import { trend } from '../../src/statistics/trend.ts'
import { normals, remembering, series } from './noise.ts'
import { misses, type Rate } from './rate.ts'

const looks = pocock([12, 24, 48], 0.05)

/** Whether any of the looks at unchanged pairs calls them changed. */
function alarms(level: number, next: Random): boolean {
  const taken = series(48, normals(next))
  return looks.at.some((look) => signedRank(taken.slice(0, look)).p <= level)
}

const cauchy = (next: Random) => () => Math.tan(Math.PI * (next() - 0.5))

const onPairs: Rate[] = [
  {
    what: 'signed-rank interval, 95 %, 12 normal differences: misses',
    ...{ count: 3000, least: 0.03, most: 0.055 },
    once: (next) => misses(signedRankInterval(series(12, normals(next)), 0.95), 0)
  },
  {
    what: 'signed-rank interval, 95 %, 12 Cauchy differences: misses',
    ...{ count: 3000, least: 0.03, most: 0.055 },
    once: (next) => misses(signedRankInterval(series(12, cauchy(next)), 0.95), 0)
  },
  {
    what: 'signed-rank interval, 95 %, 201 normal differences (normal law): misses',
    ...{ count: 150, least: 0.005, most: 0.1 },
    once: (next) => misses(signedRankInterval(series(201, normals(next)), 0.95), 0)
  },
  {
    what: 'signed rank at three looks, 12/24/48 pairs, at the level of `pocock` for .05: alarms',
    ...{ count: 2000, least: 0.03, most: 0.056 },
    once: (next) => alarms(looks.level, next)
  },
  {
    what: 'the same, each look at .05: alarms',
    ...{ count: 2000, least: 0.08, most: 0.13 },
    once: (next) => alarms(0.05, next)
  },
  {
    what: 'Holm over 5 metrics that share half their noise, 24 pairs, .05: any alarm',
    ...{ count: 1000, least: 0.02, most: 0.06 },
    once: (next) => {
      const normal = normals(next)
      const shared = series(24, normal)
      const ps = series(5, () => signedRank(shared.map((value) => value + normal())).p)
      return Math.min(...holm(ps)) <= 0.05
    }
  },
  {
    what: 'pairs planned for 90 % power at +7.5 % past +1 %, noise 4 %: not told apart',
    ...{ count: 1000, least: 0.05, most: 0.13 },
    once: (next) => {
      const effect = Math.log(1.075 / 1.01)
      const count = pairsNeeded(effect, { sd: 0.04, level: looks.level, power: 0.9 })
      const normal = normals(next)
      const differences = series(count, () => effect + 0.04 * normal())
      return !(signedRankInterval(differences, 1 - looks.level).low > 0)
    }
  }
]

const onCounts: Rate[] = [
  {
    what: 'Clopper–Pearson, 95 %, 100 draws at 5 %: misses',
    ...{ count: 2000, least: 0.005, most: 0.056 },
    once: (next) => {
      const events = series(100, () => next()).filter((draw) => draw < 0.05).length
      return misses(clopperPearson({ events, draws: 100, confidence: 0.95 }), 0.05)
    }
  }
]

const settling: Rate[] = [
  {
    what: 'early stopping, p99 at 99 %, 2,010 draws with just 1 % beyond: 10 or fewer beyond',
    ...{ count: 1000, least: 0.001, most: 0.02 },
    once: (next) => series(2_010, () => next()).filter((draw) => draw < 0.01).length <= 10
  },
  {
    what: 'MSER-5, 100 steady values of memory 0.5: more than a quarter cut off',
    ...{ count: 1000, least: 0.18, most: 0.28 },
    once: (next) => (warmUpLength(series(100, remembering(0.5, next))) ?? 100) > 25
  },
  {
    what: 'MSER-5, a warm-up of 20 sd, decaying over 10 of 100 values: not 20 to 50 cut off',
    ...{ count: 1000, least: 0.2, most: 0.32 },
    once: (next) => {
      const normal = normals(next)
      const values = series(100, (place) => 20 * Math.exp(-place / 10) + normal())
      const cut = warmUpLength(values) ?? 100
      return cut < 20 || cut > 50
    }
  }
]

const inMean = [0, 0.5].map((memory) => ({
  what: `block bootstrap, 95 %, mean of 100 values of memory ${memory}, blocks of 5: misses`,
  ...(memory === 0
    ? { count: 300, least: 0.03, most: 0.13 }
    : { count: 300, least: 0.06, most: 0.19 }),
  once: (next: Random) => {
    const values = series(100, remembering(memory, next))
    const resampling = { block: 5, resamples: 200, confidence: 0.95, next }
    return misses(
      blockBootstrap(values, (drawn) => mean([...drawn]), resampling),
      0
    )
  }
}))

const inSlope = [
  { length: 40, memory: 0, count: 100, least: 0.01, most: 0.15 },
  { length: 40, memory: 0.6, count: 100, least: 0.02, most: 0.19 },
  { length: 40, memory: 0.9, count: 100, least: 0.06, most: 0.3 },
  { length: 80, memory: 0.6, count: 40, least: 0, most: 0.22 }
].map(({ length, memory, ...rate }) => ({
  what: `trend, 95 %, slope of ${length} values of memory ${memory}: misses`,
  ...rate,
  once: (next: Random) => {
    const points = series(length, remembering(memory, next)).map((value, time) => ({ time, value }))
    return misses(trend(points, { confidence: 0.95, next, resamples: 200 }).interval, 0)
  }
}))

const onSeries: Rate[] = [
  ...inMean,
  ...inSlope,
  {
    what: 'the same by blocks of 10 of the residuals, 40 values of memory 0.6: misses',
    ...{ count: 100, least: 0.1, most: 0.4 },
    once: (next) => {
      const values = series(40, remembering(0.6, next))
      const times = values.map((_, time) => time)
      const { slope, intercept } = theilSen(values.map((value, time) => ({ time, value })))
      const residuals = values.map((value, time) => value - intercept - slope * time)
      const resampling = { block: 10, resamples: 200, confidence: 0.95, next }
      const slopeOf = (drawn: Float64Array) => theilSenSlope({ times, values: drawn })
      return misses(blockBootstrap(residuals, slopeOf, resampling), -slope)
    }
  },
  {
    what: 'CUSUM, 465 steady values, which is its run length: an alarm (63 % expected)',
    ...{ count: 1000, least: 0.58, most: 0.68 },
    once: (next) => cusum(series(465, normals(next)), { level: 0, sd: 1 }).shift !== undefined
  },
  {
    what: 'CUSUM, a shift by 1 sd: not found within 20 values',
    ...{ count: 1000, least: 0.02, most: 0.09 },
    once: (next) => {
      const normal = normals(next)
      return !cusum(
        series(20, () => 1 + normal()),
        { level: 0, sd: 1 }
      ).shift
    }
  },
  {
    what: 'autocorrelation of 50 independent values: beyond ± 2/√n',
    ...{ count: 2000, least: 0.02, most: 0.065 },
    once: (next) => Math.abs(autocorrelation(series(50, normals(next)))) > 2 / Math.sqrt(50)
  }
]

/** Intervals, tests and charts, each with the law it assumes and some with one that it does not. */
export const intervalRates: Rate[] = [...onPairs, ...onCounts, ...settling, ...onSeries]
