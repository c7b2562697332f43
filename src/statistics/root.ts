import type { Interval } from './interval.ts'

/**
 * Where a rising function crosses zero in an interval: by halving, so it need be neither smooth nor
 * continuous. To the last bit unless a tolerance is given; the nearer end when there is no
 * crossing.
 */
export function root(
  rising: (x: number) => number,
  { low, high, tolerance = 0 }: Interval & { tolerance?: number }
): number {
  for (;;) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) return rising(low) >= 0 ? low : high
    if (high - low <= tolerance) return middle
    if (rising(middle) < 0) low = middle
    else high = middle
  }
}
