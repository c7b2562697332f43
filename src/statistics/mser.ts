import { mean } from './deviation.ts'

/** Values are taken in batches of so many, and so many batches are the least to go by. */
const batchSize = 5
const fewestBatches = 5

/** The mean of each whole batch. */
function batchesOf(values: readonly number[]): number[] {
  const count = Math.floor(values.length / batchSize)
  return Array.from({ length: count }, (_, batch) =>
    mean(values.slice(batch * batchSize, (batch + 1) * batchSize))
  )
}

/**
 * How many of the first values are warm-up, by MSER-5: those without which the mean of the rest is
 * known best. Undefined when that is more than half of them: the series did not settle, or is too
 * short to show it. Assumes nothing of the noise; on a series that rises throughout it cuts off
 * much. Source: White, Cobb & Spratt, Winter Simulation Conference 2000.
 */
export function warmUpLength(values: readonly number[]): number | undefined {
  const batches = batchesOf(values)
  let best = { cut: Infinity, error: Infinity }
  let [sum, squares] = [0, 0]
  const centre = mean(batches)
  for (let cut = batches.length - 1; cut >= 0; cut--) {
    const value = batches[cut]! - centre
    sum += value
    squares += value ** 2
    const kept = batches.length - cut
    const error = (squares - sum ** 2 / kept) / kept ** 2
    // The fewest batches agree by chance. Of cuts that are as good, the shortest is taken.
    if (kept >= fewestBatches && error <= best.error) best = { cut, error }
  }
  return best.cut <= batches.length / 2 ? best.cut * batchSize : undefined
}
