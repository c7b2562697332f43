import type { Row } from './row.ts'

/** From how much more than one on, on average, requests are taken to cost more than one. */
const moreThanOne = 1.5

/**
 * How much each request takes of what its answers say is left: one where that is not told, so many
 * where all take as many, as points are, and undefined where they differ.
 */
export function costOf(accepted: readonly Row[]): number | undefined {
  const left = accepted.flatMap(({ claims }) => claims.remaining[0]?.value ?? [])
  const falls = left.slice(1).map((value, index) => left[index]! - value)
  const [first] = falls
  if (falls.length < 2 || first === undefined) return 1
  // All is back where a window ends in the middle.
  if (first > 1 && falls.every((one) => one === first || one < 0)) return first
  return (left[0]! - left.at(-1)!) / falls.length > moreThanOne ? undefined : 1
}
