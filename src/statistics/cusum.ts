/** What a control chart measures against; slack and threshold in standard deviations. */
export type Chart = { level: number; sd: number; slack?: number; threshold?: number }

/** A shift of level as a control chart sees it; places count from 0. */
export type Shift = {
  side: 'up' | 'down'
  /** Where the chart was sure. */
  at: number
  /** Where the run began that led there: the likely place of the shift. */
  since: number
}

/** The two running sums of a control chart, in standard deviations, and its first alarm. */
export type Cusum = { up: number[]; down: number[]; shift?: Shift }

/**
 * Looks for a lasting shift of level by at least `2·slack` standard deviations: distances past the
 * slack are summed and never below zero, and a sum over the threshold is an alarm. Assumes
 * independent values about `level` with a known `sd`; false alarm once in 465 values at the
 * defaults, a shift of one deviation found after 10. Sources: Page, Biometrika 41 (1954);
 * Montgomery, "Statistical Quality Control", 9.1.
 */
export function cusum(
  series: readonly number[],
  { level, sd, slack = 0.5, threshold = 5 }: Chart
): Cusum {
  const up: number[] = []
  const down: number[] = []
  let shift: Shift | undefined
  for (const [at, value] of series.entries()) {
    const z = (value - level) / sd
    up.push(Math.max(0, (up[at - 1] ?? 0) + z - slack))
    down.push(Math.max(0, (down[at - 1] ?? 0) - z - slack))
    const side = up[at]! > threshold ? 'up' : down[at]! > threshold ? 'down' : undefined
    if (side && !shift) {
      const sums = side === 'up' ? up : down
      shift = { side, at, since: sums.lastIndexOf(0) + 1 }
    }
  }
  return { up, down, shift }
}
