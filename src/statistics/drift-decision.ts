import type { Random } from '../random.ts'
import { cusum } from './cusum.ts'
import { mean, robustDeviation, standardDeviation } from './deviation.ts'
import { type GrowthModel, growthMisfits } from './growth-models.ts'
import { spanNeeded } from './power.ts'
import { median } from './quantile.ts'
import { type Point, theilSen } from './theil-sen.ts'
import { type Trend, trend } from './trend.ts'

/** What a soak must be able to tell. */
export type DriftQuestion = {
  /** The rise in one unit of time that is not to be let through. */
  margin: number
  next: Random
  /** Share of the time at the beginning that counts as warm-up; default: a third. */
  warmUp?: number
  /** Default: 0.95. */
  confidence?: number
  /** Default: 1000. */
  resamples?: number
}

/**
 * `settling`, `stepped` and `cyclic` are rises that another model explains better than a line: one
 * that dies down, that came at once, or that comes back.
 */
export type DriftVerdict = 'drift' | 'stable' | 'settling' | 'stepped' | 'cyclic' | 'inconclusive'

/** Whether a measure rises, by how much, and how. */
export type DriftDecision = {
  verdict: DriftVerdict
  /** Of the points after warm-up. */
  trend: Trend
  /** Slopes of both halves of the time after warm-up. */
  halves: { first: number; second: number }
  /** When the level shifted once, where that explains the points better than a line does. */
  stepAt?: number
  /** What explains the points best; undefined where no model does so clearly. */
  model?: GrowthModel | undefined
  /** Since when it rises, and how fast, where it was level before, by whatever else it may be. */
  begun?: { since: number; slope: number } | undefined
  /** How much longer to measure for a verdict, in the unit of time; 0 when there is one. */
  further: number
}

type Seen = Omit<DriftDecision, 'verdict' | 'further'>

/** Points after warm-up without which nothing is concluded. */
const fewest = 20

/** How far values are from a model of them, on average. */
const misfit = (values: readonly number[], model: (place: number) => number) =>
  mean(values.map((value, place) => Math.abs(value - model(place))))

/** When the level shifted, by a chart set up on the first third, unless a line fits better. */
function stepOf(points: readonly Point[], fit: Trend): number | undefined {
  const values = points.map(({ value }) => value)
  const white = values.slice(1).map((value, before) => value - fit.memory * values[before]!)
  const level = median(white.slice(0, Math.ceil(white.length / 3)))
  // Where most values are one and the same, all of the spread is in those that are not.
  const sd = robustDeviation(white) || standardDeviation(white)
  const { shift } = cusum(white, { level, sd })
  if (!shift) return
  const place = shift.since + 1
  const before = median(values.slice(0, place))
  const after = median(values.slice(place))
  const asStep = misfit(values, (at) => (at < place ? before : after))
  const asLine = misfit(values, (at) => fit.intercept + fit.slope * points[at]!.time)
  return asStep < asLine ? points[place]!.time : undefined
}

/**
 * How many times nearer a line has to be to call it one, and each other model to be called that:
 * noise that remembers looks like steps and waves, and what dies down is nearly a line for long.
 */
const winning = {
  line: { stepped: 1.2, cyclic: 1.2, settling: 1.1, flat: 1.5 },
  other: { stepped: 3, cyclic: 2, settling: 1.25, begun: 2 }
}

/** Two steps are fitted by five numbers, and what has begun by three: they are nearer by chance. */
const nearerByChance = 1.25

const others = ['settling', 'stepped', 'cyclic'] as const

/** The middle of each three neighbours: none of them stands out. */
const middles = (points: readonly Point[]) =>
  points.slice(2).map(({ value }, at) => median([points[at]!.value, points[at + 1]!.value, value]))

/** Whether it fell on the way, by half of how far apart the points after warm-up are at least. */
function hasFallen(points: readonly Point[], kept: readonly Point[]): boolean {
  let [top, fall] = [-Infinity, 0]
  for (const value of middles(points)) {
    top = Math.max(top, value)
    fall = Math.max(fall, top - value)
  }
  const judged = middles(kept)
  return fall >= (Math.max(...judged) - Math.min(...judged)) / 2
}

/** Whether a rise only regains, by half of it at least, what had been reached in the warm-up. */
function isRegained(points: readonly Point[], kept: readonly Point[], { slope }: Trend): boolean {
  const rise = slope * (kept.at(-1)!.time - kept[0]!.time)
  const last = median(kept.slice(-Math.ceil(kept.length / 6)).map(({ value }) => value))
  const top = Math.max(...middles(points.slice(0, points.length - kept.length)))
  return rise > 0 && top > last - rise / 2
}

/** The model that explains the points after warm-up best, if clearly, and since when it rises. */
function modelOf(
  points: readonly Point[],
  kept: readonly Point[],
  fit: Trend
): Pick<DriftDecision, 'model' | 'begun'> {
  const { predicted, fitted, begun } = growthMisfits(kept, points[0]!.time)
  const isRegaining = isRegained(points, kept, fit)
  const isGrowing = predicted.flat >= winning.line.flat * predicted.line
  const isNearest = others.every((name) => fitted[name] >= winning.line[name] * fitted.line)
  if (isGrowing && isNearest && !isRegaining) return { model: 'line' }
  const isPossible = { settling: true, stepped: true, cyclic: hasFallen(points, kept), begun: true }
  const clear = ([...others, 'begun'] as const).filter(
    (name) => isPossible[name] && fitted[name] * winning.other[name] <= fitted.line
  )
  const distance = { ...fitted, begun: fitted.begun / nearerByChance }
  const [best] = clear.toSorted((one, other) => distance[one] - distance[other])
  if (best === 'begun') return { model: best, begun }
  return { model: best ?? (isRegaining && fit.interval.low > 0 ? 'cyclic' : undefined) }
}

function verdictOf({ trend, halves, model, begun }: Seen, margin: number): DriftVerdict {
  const { slope, interval } = trend
  // It may be a leak of which too little was seen, on the slope of all of which nothing hangs yet.
  if (begun && begun.slope >= margin) return 'inconclusive'
  // What is nothing and stays so has a margin of nothing.
  if (interval.high < margin || interval.high <= 0) return 'stable'
  if (model === 'begun') return 'inconclusive'
  const isRising = interval.low > 0 && slope >= margin
  const isLasting = Math.min(halves.first, halves.second) >= margin / 2
  if (model === 'line') return isRising && isLasting ? 'drift' : 'inconclusive'
  if (model === 'settling' && interval.low <= 0) return 'inconclusive'
  return model ?? 'inconclusive'
}

/**
 * Time until the interval is as narrow as the distance to a verdict, at least a tenth more; or, of
 * a rise that is sure but may not last, until each half is as long as the whole was, and of one
 * that has just begun, until what came before it is warm-up.
 */
function furtherTime(
  points: readonly Point[],
  { trend: fit, begun }: Seen,
  { margin, warmUp, confidence }: { margin: number; warmUp: number; confidence: number }
): number {
  const elapsed = points.at(-1)!.time - points[0]!.time
  const spacing = elapsed / (points.length - 1)
  const enough = (fewest / (1 - warmUp)) * spacing
  if (elapsed < enough) return enough - elapsed
  if (begun) return Math.max((begun.since - points[0]!.time) / warmUp - elapsed, spacing)
  if (fit.slope >= margin && fit.interval.low > 0) return elapsed
  const distance = fit.slope < margin ? margin - fit.slope : fit.slope
  const noise = { sd: fit.sd, memory: fit.memory, spacing, confidence, power: 0.9 }
  const kept = spanNeeded(Math.max(distance, margin / 4), noise)
  return Math.max(kept / (1 - warmUp), 1.1 * elapsed) - elapsed
}

/**
 * Decides whether floors, or medians, of even windows rise: `drift` when the slope is surely above
 * zero and at least the margin, both halves rise by half of it, and a line explains it better than
 * what dies down, comes at once or comes back; `stable` when surely below the margin. Only rises
 * count: negate what must not fall. Assumes as `trend`, two points at least and 300 or so at most.
 * Errors: README.
 */
export function driftDecision(
  points: readonly Point[],
  { margin, next, warmUp = 1 / 3, confidence = 0.95, resamples }: DriftQuestion
): DriftDecision {
  if (points.length < 2) throw new RangeError('no two points to draw a line through')
  const begin = points[0]!.time + warmUp * (points.at(-1)!.time - points[0]!.time)
  const kept = points.filter(({ time }) => time >= begin)
  const fit = trend(kept, { confidence, next, resamples })
  const middle = kept.length >> 1
  const first = theilSen(kept.slice(0, middle)).slope
  const second = theilSen(kept.slice(middle)).slope
  const model = kept.length < fewest ? {} : modelOf(points, kept, fit)
  const seen = { trend: fit, halves: { first, second }, stepAt: stepOf(kept, fit), ...model }
  const verdict = kept.length < fewest ? 'inconclusive' : verdictOf(seen, margin)
  const isOver = verdict === 'drift' || verdict === 'stable'
  const further = isOver ? 0 : furtherTime(points, seen, { margin, warmUp, confidence })
  return { verdict, ...seen, further }
}
