import type { Random } from '../random.ts'
import { autocorrelation } from './autocorrelation.ts'
import { blockBootstrap } from './block-bootstrap.ts'
import { mean, standardDeviation } from './deviation.ts'
import type { Interval } from './interval.ts'
import { type Point, type TrendLine, theilSen, theilSenSlope } from './theil-sen.ts'

/** A line through a series, how sure its slope is, and the noise about it. */
export type Trend = TrendLine & {
  interval: Interval
  /** Standard deviation of the distances from the line. */
  sd: number
  /** How alike neighbouring distances are, 0 to 0.97, corrected for the fit's own pull. */
  memory: number
}

/** How sure the interval should be, and the chance that makes it repeatable. */
export type Certainty = { confidence: number; next: Random; resamples?: number }

/** Values a simulated noise needs to forget how it began. */
const forgetting = 50

/** Points below which nothing can be said of the noise. */
const fewest = 8

/** Noise rebuilt from innovations: each value remembers a share of the one before. */
function remembering(innovations: Float64Array, memory: number): Float64Array {
  const noise = Float64Array.from(innovations)
  for (let place = 1; place < noise.length; place++) noise[place]! += memory * noise[place - 1]!
  return noise.subarray(forgetting)
}

/** Lag-one correlation φ of residuals from a line, whose bias is −(2+4φ)/n (Kendall, 1954). */
function memoryOf(residuals: readonly number[]): number {
  const n = residuals.length
  const corrected = (n * autocorrelation(residuals) + 2) / (n - 4)
  return Math.min(0.97, Math.max(0, corrected || 0))
}

/** What each residual adds to what it remembers, as wide as before the fit took its share. */
function innovationsOf(residuals: readonly number[], memory: number): number[] {
  const added = residuals.slice(1).map((residual, before) => residual - memory * residuals[before]!)
  const centre = mean(added)
  const widen = Math.sqrt(residuals.length / (residuals.length - 3))
  return added.map((value) => (value - centre) * widen)
}

/**
 * Theil–Sen line, and a bootstrap interval for its slope in which the noise is first made
 * independent, resampled, and given its memory back: blocks of the residuals as they are cut off
 * what lasts longer than a block, and promise far too much. Infinite below 8 points. Assumes a
 * straight line, even spacing, and noise that forgets like a first-order autoregression; coverage
 * in the README. Sources: `theilSen`; Bühlmann, "Sieve bootstrap for time series", Bernoulli 3
 * (1997).
 */
export function trend(points: readonly Point[], { confidence, next, resamples }: Certainty): Trend {
  const line = theilSen(points)
  if (points.length < fewest)
    return { ...line, interval: { low: -Infinity, high: Infinity }, sd: NaN, memory: NaN }
  const times = points.map(({ time }) => time)
  const residuals = points.map(({ time, value }) => value - line.intercept - line.slope * time)
  const memory = memoryOf(residuals)
  const errors = blockBootstrap(
    innovationsOf(residuals, memory),
    (innovations) => theilSenSlope({ times, values: remembering(innovations, memory) }),
    { block: 1, length: points.length + forgetting, resamples, confidence, next }
  )
  const interval = { low: line.slope - errors.high, high: line.slope - errors.low }
  return { ...line, interval, sd: standardDeviation(residuals), memory }
}
