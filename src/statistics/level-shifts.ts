import { normalQuantile } from './normal.ts'
import { median } from './quantile.ts'
import { root } from './root.ts'
import { studentQuantile } from './student.ts'

/** By how much one place of a series was seen to be above another one, and how surely. */
export type Contrast = { from: number; to: number; value: number; variance: number }

/** A lasting change of level: places `first` to `last` made it together; one place makes a step. */
export type LevelShift = { first: number; last: number; size: number }

/** How often a series of equal levels may seem to shift, and what one run may differ by. */
export type ShiftQuestion = {
  /** Share of whole series in which a shift is seen that is not there: 0.05. */
  level: number
  /** The most that the luck of a run can come to, as a standard deviation. */
  mostLuck: number
}

/** A contrast between neighbours on the line of places, with its weight and what is unexplained. */
type Edge = { low: number; high: number; weight: number; rest: number }

/** Levels that a change may be spread over: places `low` + 1 to `high`. */
type Window = { low: number; high: number; z: number; information: number; size: number }

/** Squares beyond this many deviations count as that; and what the mean of those comes to. */
const most = 2
const meanSquare = 0.9205

/** Differences of neighbours share half of their noise, and wild ones are cut. */
const worth = 0.6

/** Shifts are looked for as often as this where they hide each other. */
const mostPasses = 100

/**
 * Variance that contrasts have beyond their own: of values that come one after the other, so that
 * neither a step nor a creep counts. Source: Huber, "Robust Statistics", 5.2, proposal 2.
 */
function varianceBetween(
  contrasts: readonly Contrast[],
  { own, mostLuck }: { own: readonly number[]; mostLuck: number }
): number {
  const pairs = contrasts.slice(1).map(({ value }, before) => {
    const square = (value - contrasts[before]!.value) ** 2
    return { square, variance: own[before]! + own[before + 1]! }
  })
  /** Below zero while the differences are wider than that variance between runs makes them. */
  const spare = (between: number) =>
    pairs.reduce((left, { square, variance }) => {
      return left + meanSquare - Math.min(most ** 2, square / (variance + 2 * between))
    }, 0)
  const high = mostLuck ** 2
  return spare(0) >= 0 ? 0 : root(spare, { low: 0, high, tolerance: high * 1e-6 })
}

/** The variances to go by: with what runs differ by, and how little a few of them tell of that. */
function variances(
  contrasts: readonly Contrast[],
  { mostLuck, chance }: { mostLuck: number; chance: number }
): number[] {
  // Told by a dozen of values each, one that is surer than most is so by luck.
  const typical = median(contrasts.map(({ variance }) => variance))
  const own = contrasts.map(({ variance }) => Math.max(variance, typical))
  const between = varianceBetween(contrasts, { own, mostLuck })
  const degrees = worth * (contrasts.length - 1)
  const wider =
    degrees > 0 ? (studentQuantile(chance, degrees) / normalQuantile(chance)) ** 2 : Infinity
  return own.map((variance) => {
    return Math.min(variance + mostLuck ** 2, wider * (variance + between))
  })
}

/** All that is needed to try a change in any window. */
function chartOf(edges: readonly Edge[], places: number) {
  const ends = Array.from({ length: places }, (): Edge[] => [])
  const begins = Array.from({ length: places }, (): Edge[] => [])
  const [linked, weights] = [new Float64Array(places + 1), new Float64Array(places + 1)]
  for (const edge of edges) {
    const { low, high, weight } = edge
    ends[high]!.push(edge)
    begins[low]!.push(edge)
    linked[low + 2]! += 1
    linked[high + 1]! -= 1
    weights[low + 1]! += weight
    weights[high + 1]! -= weight
  }
  for (let place = 1; place <= places; place++) {
    linked[place]! += linked[place - 1]!
    weights[place]! += weights[place - 1]!
  }
  // Places that no edge joins with the one before begin a block: what is in one tells of no other.
  const blocks = new Int32Array(places)
  for (let place = 2; place < places; place++) {
    blocks[place] = blocks[place - 1]! + (linked[place]! > 0.5 ? 0 : 1)
  }
  const inBlock = Map.groupBy(edges, ({ high }) => blocks[high]!)
  return { ends, begins, weights, blocks, inBlock, places }
}

type Chart = ReturnType<typeof chartOf>

/** The share of a change in a window that an edge sees. */
function seen({ low, high }: Edge, window: Pick<Window, 'low' | 'high'>): number {
  const overlap = Math.min(high, window.high) - Math.max(low, window.low)
  return Math.max(0, overlap) / (window.high - window.low)
}

/** How surely the size of a change in a window is known: the sum of weight by squared share. */
function information({ ends, begins, weights }: Chart, low: number, high: number): number {
  const window = { low, high }
  let whole = weights[low + 1]!
  let sum = 0
  for (let place = low + 1; place < high; place++) {
    for (const edge of ends[place]!) {
      sum += edge.weight * seen(edge, window) ** 2
      if (edge.low <= low) whole -= edge.weight
    }
    for (const edge of begins[place]!) {
      if (edge.high >= high) sum += edge.weight * seen(edge, window) ** 2
    }
  }
  return sum + whole
}

function edgesOf({ inBlock, blocks }: Chart, { low, high }: Pick<Window, 'low' | 'high'>): Edge[] {
  const found: Edge[] = []
  for (let block = blocks[low + 1]!; block <= blocks[high]!; block++) {
    for (const edge of inBlock.get(block) ?? []) found.push(edge)
  }
  return found
}

/** Bounds of the windows to try: single places, and ever longer ones that overlap. */
function windowBounds(places: number): [low: number, high: number][] {
  const bounds: [number, number][] = []
  for (let length = 1; length < places; length *= 2) {
    const step = Math.max(1, length / 4)
    for (let low = 0; low + length < places; low += step) bounds.push([low, low + length])
  }
  return bounds
}

/** The windows in which something surely changed, the surest first. */
function sureWindows(
  chart: Chart,
  edges: readonly Edge[],
  { bounds, threshold }: { bounds: readonly [number, number][]; threshold: number }
): Window[] {
  const { places } = chart
  const rests = new Float64Array(places + 1)
  for (const { low, high, weight, rest } of edges) {
    rests[low + 1]! += weight * rest
    rests[high + 1]! -= weight * rest
  }
  for (let place = 1; place <= places; place++) rests[place]! += rests[place - 1]!
  const sums = new Float64Array(places + 1)
  for (let place = 1; place < places; place++) sums[place] = sums[place - 1]! + rests[place]!
  const tried = (low: number, high: number): Window => {
    const known = information(chart, low, high)
    const seen = (sums[high]! - sums[low]!) / (high - low)
    const z = known > 0 ? Math.abs(seen) / Math.sqrt(known) : 0
    return { low, high, z, information: known, size: known > 0 ? seen / known : 0 }
  }
  /** The one place that made most of a change, where there is one. */
  const narrowed = (window: Window): Window => {
    let best = window
    for (let low = window.low; low < window.high && window.high - window.low > 1; low++) {
      const one = tried(low, low + 1)
      const isMost = one.z > threshold && one.size / window.size > 0.5
      if (isMost && (best === window || one.z > best.z)) best = one
    }
    return best
  }
  return bounds
    .map(([low, high]) => tried(low, high))
    .filter(({ z }) => z > threshold)
    .sort((one, other) => other.z - one.z)
    .map(narrowed)
}

/** Takes what a shift explains out of what its edges have left, or, negative, puts it back. */
function explain(chart: Chart, window: Window, size: number): void {
  for (const edge of edgesOf(chart, window)) edge.rest -= size * seen(edge, window)
}

/** Sizes of shifts that were found one after the other, each given all others. */
function refit(chart: Chart, shifts: readonly Window[]): void {
  for (const shift of shifts) {
    const more = edgesOf(chart, shift).reduce((sum, edge) => {
      return sum + edge.weight * edge.rest * seen(edge, shift)
    }, 0)
    explain(chart, shift, more / shift.information)
    shift.size += more / shift.information
  }
}

/** Shifts that do not share an edge, so that the sizes of one say nothing of another. */
function apart({ blocks }: Chart, windows: readonly Window[]): Window[] {
  const taken = new Set<number>()
  return windows.filter(({ low, high }) => {
    for (let block = blocks[low + 1]!; block <= blocks[high]!; block++) {
      if (taken.has(block)) return false
    }
    for (let block = blocks[low + 1]!; block <= blocks[high]!; block++) taken.add(block)
    return true
  })
}

/**
 * Where levels of a series shift that is known by differences alone, whatever with whatever: steps,
 * and creeps over 2, 4, 8 … places. Differences vary by more than they say where runs do; that is
 * told by neighbours. All places and lengths together are wrong in `level` of series (Bonferroni).
 * Assumes independent errors, about normal. Errors: README.
 */
export function levelShifts(
  contrasts: readonly Contrast[],
  places: number,
  { level, mostLuck }: ShiftQuestion
): LevelShift[] {
  const told = contrasts
    .filter(({ from, to, variance }) => from !== to && Number.isFinite(variance))
    .toSorted((one, other) => one.from - other.from || one.to - other.to)
  if (told.length === 0) return []
  const bounds = windowBounds(places)
  const chance = 1 - level / 2 / bounds.length
  const threshold = normalQuantile(chance)
  const known = variances(told, { mostLuck, chance })
  const edges = told.map(({ from, to, value }, place): Edge => {
    const sign = from < to ? 1 : -1
    const weight = 1 / Math.max(1e-12, known[place]!)
    return { low: Math.min(from, to), high: Math.max(from, to), weight, rest: sign * value }
  })
  const chart = chartOf(edges, places)
  const shifts: Window[] = []
  for (let pass = 0; pass < mostPasses; pass++) {
    const found = apart(chart, sureWindows(chart, edges, { bounds, threshold }))
    if (found.length === 0) break
    for (const one of found) explain(chart, one, one.size)
    shifts.push(...found)
    refit(chart, shifts)
    refit(chart, shifts)
  }
  return shifts
    .filter(({ size, information }) => Math.abs(size) * Math.sqrt(information) > threshold)
    .sort((one, other) => one.low - other.low)
    .map(({ low, high, size }) => ({ first: low + 1, last: high, size }))
}
