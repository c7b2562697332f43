import type { RequestCounts } from './count.ts'

/** The counts of the largest accepted and the smallest refused request of one variant. */
export type Edge = { accepted: RequestCounts; rejected: RequestCounts }

/**
 * What a target seems to count, and the number it goes by: the largest that is accepted, or with
 * `isBelow` the smallest that is not.
 */
export type CountedReading = { what: string; number: number; isBelow: boolean }

/** How round a number has to be before it is taken to be what somebody has chosen. */
const roundEnough = 0.7

/** From how many factors of two on, or as much of ten, a number is round however large it is. */
const roundBits = 9.9

/** From 0 to 1: how much of a number is factors of ten, or of two. */
function roundness(number: number): number {
  if (number < 2) return 0
  const bits = roundBitsOf(number)
  return Math.max(bits / Math.log2(number), bits < roundBits ? 0 : roundEnough)
}

function roundBitsOf(number: number): number {
  const zeros = (base: number) => {
    let count = 0
    for (let left = number; left % base === 0; left /= base) count++
    return count * Math.log2(base)
  }
  return Math.max(zeros(2), zeros(10))
}

/** The largest accepted and the smallest refused of all variants, counted in one way. */
function extremes(edges: readonly Edge[], what: string): { most: number; least: number } {
  return {
    most: Math.max(...edges.map(({ accepted }) => accepted[what]!)),
    least: Math.min(...edges.map(({ rejected }) => rejected[what]!))
  }
}

/** Whether a reading is in agreement with where the line was found. */
function explains({ what, number, isBelow }: CountedReading, edges: readonly Edge[]): boolean {
  const { most, least } = extremes(edges, what)
  return most <= (isBelow ? number - 1 : number) && (isBelow ? number : number + 1) <= least
}

/** Whether a request was taken that a reading says is refused, wherever in the search that was. */
export function isContradicted(
  { what, number, isBelow }: CountedReading,
  taken: readonly RequestCounts[]
): boolean {
  return taken.some((counts) => counts[what]! > (isBelow ? number - 1 : number))
}

/**
 * What a target seems to count, judged by where it draws the line in several variants: one line has
 * to explain them all. Where a line that is known already does, it is that one; else one at a round
 * number is the likeliest, or just before one. Undefined where several explain it and none is
 * round, or one that is not explains a single line, or none does. No line is where a request that
 * lies beyond it was taken.
 */
export function readingOf(
  edges: readonly Edge[],
  { known = [], taken = [] }: { known?: readonly CountedReading[]; taken?: RequestCounts[] } = {}
): CountedReading | undefined {
  const [first] = edges
  if (first === undefined) return
  const before = known.find((reading) => explains(reading, edges))
  if (before) return before
  const all = Object.keys(first.accepted).flatMap((what) => {
    const { most, least } = extremes(edges, what)
    if (most >= least) return []
    const reading = { what, number: most, isBelow: false }
    return least === most + 1 ? [reading, { what, number: least, isBelow: true }] : [reading]
  })
  const readings = all.filter((reading) => !isContradicted(reading, taken))
  const whole = new Set(readings.map(({ what }) => what))
  const [likeliest] = readings
    .filter(({ number }) => roundness(number) >= roundEnough)
    .sort((a, b) => roundness(b.number) - roundness(a.number))
  // That nothing else that is known explains one line is no proof; that it explains several is.
  const isProven = whole.size === 1 && edges.length > 1
  return likeliest ?? (isProven ? readings[0] : undefined)
}
