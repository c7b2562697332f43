/** Where a series settles. */
export type Settling = {
  /** Values to leave out at the beginning. */
  cut: number
  /** False when it may be moving half way through: nothing should be concluded from it then. */
  settled: boolean
}

/**
 * Finds the warm-up at the beginning of a series (MSER-5): of batches of five, it cuts as many as
 * make the mean of the rest most certain. It looks at the first half only, since the last few
 * batches can agree by chance; a best cut at its end means the series has not settled. Assumes one
 * warm-up, and some 20 batches. Sources: White, Simulation 69 (1997); Spratt, "Heuristics for the
 * startup problem" (1998).
 */
export function mser(series: readonly number[], batch = 5): Settling {
  const count = Math.floor(series.length / batch)
  const half = Math.floor(count / 2)
  if (half === 0) return { cut: 0, settled: false }
  let cut = half
  let least = Infinity
  let mean = 0
  let squares = 0
  for (let first = count - 1; first >= 0; first--) {
    const values = series.slice(first * batch, (first + 1) * batch)
    const value = values.reduce((total, one) => total + one, 0) / batch
    const kept = count - first
    const step = value - mean
    mean += step / kept
    squares += step * (value - mean)
    const uncertainty = squares / kept ** 2
    if (first <= half && uncertainty <= least) {
      least = uncertainty
      cut = first
    }
  }
  return { cut: cut * batch, settled: cut < half }
}
