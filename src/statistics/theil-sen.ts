import { median } from './quantile.ts'

/** What was measured when. */
export type Point = { time: number; value: number }

/** A straight line: its value at time 0, and by how much it rises in one unit of time. */
export type TrendLine = { slope: number; intercept: number }

/** Points as two columns, which is how a thousand fits to the same times are cheapest. */
export type Columns = { times: ArrayLike<number>; values: ArrayLike<number> }

/** The middle one of the slopes between all pairs of points; points at one time are passed over. */
export function theilSenSlope({ times, values }: Columns): number {
  const slopes = new Float64Array((times.length * (times.length - 1)) / 2)
  let count = 0
  for (let later = 1; later < times.length; later++)
    for (let earlier = 0; earlier < later; earlier++) {
      const apart = times[later]! - times[earlier]!
      if (apart !== 0) slopes[count++] = (values[later]! - values[earlier]!) / apart
    }
  return median(slopes.subarray(0, count))
}

/**
 * The line through points that a minority of wild ones cannot move: 29 % of them may be arbitrarily
 * wrong. Assumes that the rest lie about one straight line; takes n²/2 slopes. Sources: Theil,
 * Proc. Ned. Akad. Wet. 53 (1950); Sen, J. Am. Stat. Assoc. 63 (1968).
 */
export function theilSen(points: readonly Point[]): TrendLine {
  const times = points.map(({ time }) => time)
  const slope = theilSenSlope({ times, values: points.map(({ value }) => value) })
  return { slope, intercept: median(points.map(({ time, value }) => value - slope * time)) }
}
