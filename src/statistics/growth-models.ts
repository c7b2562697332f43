import { mean } from './deviation.ts'
import type { Point } from './theil-sen.ts'

/** What a series that rises may do: go on, die down, rise at once, come back, or just begin. */
export type GrowthModel = 'line' | 'settling' | 'stepped' | 'cyclic' | 'begun'

/** Mean squares of what a series is away from each model. */
export type GrowthMisfits = {
  /** Of the second half, by what the first says: that it goes on, or that it stays. */
  predicted: { line: number; flat: number }
  /** Of the whole series. */
  fitted: Record<GrowthModel, number>
  /** Since when it rises, and how fast, where it has just begun. */
  begun: { since: number; slope: number }
}

type Regressor = (time: number) => number

/** Least squares of values on a constant and one regressor, and what it says of any time. */
function fitted(points: readonly Point[], regressor: Regressor): Regressor & { slope: number } {
  const xs = points.map(({ time }) => regressor(time))
  const [centre, level] = [mean(xs), mean(points.map(({ value }) => value))]
  let [across, square] = [0, 0]
  for (const [place, { value }] of points.entries()) {
    across += (xs[place]! - centre) * (value - level)
    square += (xs[place]! - centre) ** 2
  }
  const slope = square > 0 ? across / square : 0
  const model = (time: number) => level + slope * (regressor(time) - centre)
  return Object.assign(model, { slope })
}

const misfit = (points: readonly Point[], model: Regressor) =>
  mean(points.map(({ time, value }) => (value - model(time)) ** 2))

/** Time constants of what saturates, as shares of the series: slower ones are a line for now. */
const constants = [0.1, 0.2, 0.35, 0.5, 0.75]

/** Periods of what comes back, as shares of the series; of longer ones too little is seen. */
const periods = [0.25, 0.3, 0.36, 0.43, 0.52, 0.62, 0.75, 0.9, 1.05, 1.2, 1.35, 1.5]
const phases = 16

/** A tooth has to be seen to fall this far from both ends, as a share of the series. */
const shore = 0.08

/** What saturates or grows as the logarithm of time does; `origin` is when everything began. */
function settlingModels(begin: number, span: number, origin: number): Regressor[] {
  const filling = constants.map((share): Regressor => {
    return (time) => -Math.exp((begin - time) / (share * span))
  })
  return [...filling, (time) => Math.log(Math.max(time - origin, span * 1e-3))]
}

/** The best of one or two steps: squares of the values about the levels between them. */
function steppedMisfit(values: readonly number[]): number {
  const n = values.length
  const centre = mean(values)
  const [sums, squares] = [new Float64Array(n + 1), new Float64Array(n + 1)]
  for (const [place, value] of values.entries()) {
    sums[place + 1] = sums[place]! + value - centre
    squares[place + 1] = squares[place]! + (value - centre) ** 2
  }
  const about = (from: number, to: number) => {
    const count = to - from
    return squares[to]! - squares[from]! - (sums[to]! - sums[from]!) ** 2 / Math.max(1, count)
  }
  let best = about(0, n)
  for (let first = 1; first < n; first++) {
    best = Math.min(best, about(0, first) + about(first, n))
    for (let second = first + 1; second < n; second++) {
      best = Math.min(best, about(0, first) + about(first, second) + about(second, n))
    }
  }
  return Math.max(0, best) / n
}

/** The best of waves and of teeth, which rise and fall at once. */
function cyclicMisfit(points: readonly Point[], begin: number, span: number): number {
  let best = Infinity
  for (const share of periods) {
    const period = share * span
    for (let phase = 0; phase < phases; phase++) {
      const from = begin + (phase / phases) * period
      const turn = (time: number) => (time - from) / period
      const wave = fitted(points, (time) => Math.sin(2 * Math.PI * turn(time)))
      best = Math.min(best, misfit(points, wave))
      const falls = Math.ceil((begin - from) / period + shore / share) * period + from
      if (falls > begin + (1 - shore) * span) continue
      const tooth = fitted(points, (time) => turn(time) - Math.floor(turn(time)))
      best = Math.min(best, misfit(points, tooth))
    }
  }
  return best
}

/** Points of a rise without which it has not begun. */
const fewestRising = 4

/** The best of what is level, and rises steadily from some moment on. */
function begunModel(points: readonly Point[]) {
  let best = { since: points[0]!.time, slope: 0, misfit: Infinity }
  for (const { time: since } of points.slice(1, -fewestRising)) {
    const model = fitted(points, (time) => Math.max(0, time - since))
    const found = { since, slope: model.slope, misfit: misfit(points, model) }
    if (model.slope > 0 && found.misfit < best.misfit) best = found
  }
  return best
}

/**
 * How far a series is from models of growth: its second half from what a line through the first
 * says; all of it from a line, what saturates or grows as a logarithm, one or two steps, waves,
 * teeth and what rises from some moment on. Each is fitted by least squares, its shape by trying
 * all. Assumes even spacing; `origin` is when all began.
 */
export function growthMisfits(points: readonly Point[], origin: number): GrowthMisfits {
  const [begin, end] = [points[0]!.time, points.at(-1)!.time]
  const span = end - begin
  const middle = points.length >> 1
  const [known, later] = [points.slice(0, middle), points.slice(middle)]
  const line: Regressor = (time) => time - begin
  const models = settlingModels(begin, span, origin)
  const settled = models.map((model) => misfit(points, fitted(points, model)))
  const { misfit: begunMisfit, ...begun } = begunModel(points)
  const level = mean(known.slice(-Math.ceil(known.length / 3)).map(({ value }) => value))
  return {
    predicted: {
      line: misfit(later, fitted(known, line)),
      flat: misfit(later, () => level)
    },
    fitted: {
      line: misfit(points, fitted(points, line)),
      settling: Math.min(...settled),
      stepped: steppedMisfit(points.map(({ value }) => value)),
      cyclic: cyclicMisfit(points, begin, span),
      begun: begunMisfit
    },
    begun
  }
}
