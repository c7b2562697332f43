import { normalCdf, normalDensity, normalQuantile } from './normal.ts'
import { root } from './root.ts'

/** When accumulating data may be looked at, and the two-sided level to use at each look. */
export type Looks = {
  /** Numbers of pairs, ascending; the last is the most that will be taken. */
  at: readonly number[]
  level: number
}

/**
 * A density on evenly spaced nodes, an odd number of them, from −edge to edge; one node is a point.
 */
type Density = { edge: number; heights: Float64Array }

/** The places of the nodes. */
const nodesOf = ({ edge, count }: { edge: number; count: number }) =>
  Float64Array.from({ length: count }, (_, node) => (2 * edge * node) / (count - 1) - edge)

/** The integral of a density times a factor, by Simpson's rule. */
function integral({ edge, heights }: Density, factor: (sum: number) => number): number {
  const last = heights.length - 1
  if (last === 0) return heights[0]! * factor(0)
  const width = (2 * edge) / last
  let total = 0
  for (let node = 0; node <= last; node++) {
    const weight = node === 0 || node === last ? 1 : node % 2 === 1 ? 4 : 2
    total += weight * heights[node]! * factor(node * width - edge)
  }
  return (total * width) / 3
}

/**
 * The chance that unchanged data is called changed at any look when each uses the same two-sided
 * level: the density of the running sum is carried from look to look, cut off at the bounds.
 * Assumes normal sums; exact to about 1e-6. Source: Armitage, McPherson & Rowe, J. R. Stat. Soc. A
 * 132 (1969).
 */
export function overallLevel({ at, level }: Looks): number {
  const z = -normalQuantile(level / 2)
  const gains = at.map((pairs, look) => pairs - (at[look - 1] ?? 0))
  let going: Density = { edge: 0, heights: Float64Array.of(1) }
  for (const [look, pairs] of at.slice(0, -1).entries()) {
    const before = going
    const spread = Math.sqrt(gains[look]!)
    const edge = z * Math.sqrt(pairs)
    // Nodes must be close for the narrower of what comes in here and what goes on from here.
    const narrower = Math.min(gains[look]!, gains[look + 1]!)
    const count = 2 * Math.ceil(16 + 6 * z * Math.sqrt(pairs / narrower)) + 1
    const heights = nodesOf({ edge, count }).map((sum) =>
      integral(before, (from) => normalDensity((sum - from) / spread) / spread)
    )
    going = { edge, heights }
  }
  const spread = Math.sqrt(gains.at(-1)!)
  const edge = z * Math.sqrt(at.at(-1)!)
  const isWithin = (from: number) =>
    normalCdf((edge - from) / spread) - normalCdf((-edge - from) / spread)
  return 1 - integral(going, isWithin)
}

/**
 * Looks that together err at most at `overall`, two-sided, each at the same level. For looks evenly
 * apart this is Pocock's: .0221 for three at .05. Pairs doubling from look to look carry less over,
 * and so need a slightly lower one: .0208 for 12, 24 and 48. Source: Pocock, Biometrika 64 (1977).
 */
export function pocock(at: readonly number[], overall: number): Looks {
  const excess = (level: number) => overallLevel({ at, level }) - overall
  const range = { low: overall / at.length, high: overall, tolerance: overall * 1e-7 }
  return { at, level: root(excess, range) }
}
