import type { Interval } from './interval.ts'

/**
 * Where a rising function crosses zero in an interval, to the last bit; by halving, so the function
 * need be neither smooth nor continuous. Gives the nearer end when there is no crossing inside.
 */
export function root(rising: (x: number) => number, { low, high }: Interval): number {
  for (;;) {
    const middle = low + (high - low) / 2
    if (middle <= low || middle >= high) return rising(low) >= 0 ? low : high
    if (rising(middle) < 0) low = middle
    else high = middle
  }
}
