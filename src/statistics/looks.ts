import { normalCdf, normalDensity, normalQuantile } from './normal.ts'
import { root } from './root.ts'

/** When accumulating data may be looked at, and the two-sided level to use at each look. */
export type Looks = {
  /** Numbers of pairs, ascending; the last is the most that will be taken. */
  at: readonly number[]
  level: number
}

/** Weights of Simpson's rule on an even number of intervals, times three and without the width. */
const simpson = (node: number, intervals: number) =>
  node === 0 || node === intervals ? 1 : node % 2 === 1 ? 4 : 2

/** A density on evenly spaced nodes from −edge to edge. */
type Density = { edge: number; at: Float64Array }

const spacing = ({ edge, at }: Density) => (2 * edge) / (at.length - 1)

/** The integral of the density times `by` over its nodes. */
function integral(density: Density, by: (sum: number) => number): number {
  const width = spacing(density)
  const { edge, at } = density
  let total = 0
  for (const [node, height] of at.entries())
    total += simpson(node, at.length - 1) * height * by(node * width - edge)
  return (total * width) / 3
}

/**
 * The chance that a mean of unchanged data is ever called changed when each look uses the same
 * two-sided level: the density of the running sum is carried from look to look, cut off at the bounds.
 * Assumes normal sums; exact to about 1e-7. Source: Armitage, McPherson & Rowe, J. R. Stat. Soc. A
 * 132 (1969).
 */
export function overallLevel({ at, level }: Looks): number {
  const z = -normalQuantile(level / 2)
  const nodes = (gain: number, from: number) => 2 * Math.ceil(32 + 8 * z * Math.sqrt(from / gain)) + 1
  let survivors: Density | undefined
  for (const [look, pairs] of at.entries()) {
    const scale = Math.sqrt(pairs - (at[look - 1] ?? 0))
    const before = survivors
    const arriving = (sum: number) =>
      before
        ? integral(before, (from) => normalDensity((sum - from) / scale)) / scale
        : normalDensity(sum / scale) / scale
    const edge = z * Math.sqrt(pairs)
    const count = nodes((at[look + 1] ?? 2 * pairs) - pairs, pairs)
    const here = Float64Array.from({ length: count }, (_, node) =>
      arriving((2 * edge * node) / (count - 1) - edge)
    )
    survivors = { edge, at: here }
  }
  return 1 - integral(survivors!, () => 1)
}

/**
 * Looks that together err at most at `overall`, two-sided, each at the same level. For looks evenly
 * apart this is Pocock's: .0221 for three at .05. Pairs doubling from look to look carry less over,
 * and so need a slightly lower one: .0214 for 12, 24 and 48. Source: Pocock, Biometrika 64 (1977).
 */
export function pocock(at: readonly number[], overall: number): Looks {
  const excess = (level: number) => overallLevel({ at, level }) - overall
  return { at, level: root(excess, { low: overall / at.length, high: overall }) }
}
