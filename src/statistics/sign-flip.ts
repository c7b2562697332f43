import type { Random } from '../random.ts'

/** Up to so many units that differ all ways to flip them are counted, beyond it so many drawn. */
const exact = { units: 12, draws: 4_000 }

/** More units than that are joined with their neighbours: they tell no more, and take long. */
const mostUnits = 1_000

/** Signs that are taken from one draw. */
const wordBits = 30

/** Sums that differ by less are alike but for rounding. */
const rounding = 1e-9

/** A row of so many units at most, of which each is the sum of neighbours. */
function joined(row: readonly number[]): readonly number[] {
  const each = Math.ceil(row.length / mostUnits)
  if (each <= 1) return row
  const sums = new Array<number>(Math.ceil(row.length / each)).fill(0)
  for (const [at, one] of row.entries()) sums[Math.floor(at / each)]! += one
  return sums
}

/**
 * The chances that the largest of several statistics is at least what each of them is, where
 * nothing differs: one p-value a row, adjusted for all of them, one-sided. A row holds one
 * difference for each unit, positive where B is worse; where arms are alike each unit might as well
 * have had all its signs the other way. Exact for independent units of any law, however rows depend
 * on each other. Source: Westfall & Young, Resampling-Based Multiple Testing (1993).
 */
export function signFlip(given: readonly (readonly number[])[], next: Random): number[] {
  const rows = given.map(joined)
  const norms = rows.map((row) => Math.hypot(...row) || 1)
  const told = (rows[0] ?? []).flatMap((_, unit) =>
    rows.some((row) => row[unit] !== 0) ? [Float64Array.from(rows, (row) => row[unit]!)] : []
  )
  const sums = new Float64Array(rows.length)
  const seen = rows.map((row, at) => row.reduce((sum, one) => sum + one, 0) / norms[at]!)
  const isExact = told.length <= exact.units
  const ways = isExact ? 2 ** told.length : exact.draws
  const reached = new Array<number>(rows.length).fill(0)
  for (let way = 0; way < ways; way++) {
    sums.fill(0)
    let signs = way
    for (const [at, unit] of told.entries()) {
      if (!isExact && at % wordBits === 0) signs = next() * 2 ** wordBits
      const sign = (signs & 1) === 0 ? 1 : -1
      signs >>>= 1
      for (let row = 0; row < sums.length; row++) sums[row]! += sign * unit[row]!
    }
    let most = -Infinity
    for (let row = 0; row < sums.length; row++) most = Math.max(most, sums[row]! / norms[row]!)
    for (let row = 0; row < sums.length; row++) {
      if (most >= seen[row]! - rounding) reached[row]!++
    }
  }
  // What was seen is one of the ways: counted already where all are.
  return reached.map((count) => (isExact ? count / ways : (count + 1) / (ways + 1)))
}
