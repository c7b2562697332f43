import { random } from '../random.ts'

/** What can be combined: the values of each dimension, by its name. */
export type Dimensions = Readonly<Record<string, readonly unknown[]>>

/** One value of each dimension. */
export type Combination<Given extends Dimensions> = { [Name in keyof Given]: Given[Name][number] }

/** Every combination of the values of some dimensions; the last one's change first. */
export function matrix<const Given extends Dimensions>(dimensions: Given): Combination<Given>[] {
  let all: Record<string, unknown>[] = [{}]
  for (const [name, values] of Object.entries(dimensions))
    all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
  return all as Combination<Given>[]
}

/** How many combinations are thought of for each one that is taken. */
const candidates = 12

type Place = readonly number[]

/** A pair of values, each by its dimension and its place there. */
function pairOf([a, i]: Place, [b, j]: Place): string {
  return a! < b! ? `${a}.${i} ${b}.${j}` : `${b}.${j} ${a}.${i}`
}

function pairsOf(places: Place): string[] {
  return places.flatMap((i, a) => places.flatMap((j, b) => (a < b ? [pairOf([a, i], [b, j])] : [])))
}

/**
 * A few combinations in which every two values of different dimensions meet at least once: a fault
 * that two values cause together is met by hardly more of them than two dimensions have. Which ones
 * they are depends on the run's seed and the scenario, and is the same in each attempt.
 */
export function pairwise<const Given extends Dimensions>(
  dimensions: Given,
  { seed }: { seed: number }
): Combination<Given>[] {
  const names = Object.keys(dimensions)
  const sizes = names.map((name) => dimensions[name]!.length)
  if (sizes.length < 2 || sizes.includes(0)) return matrix(dimensions)
  const open = new Set(sizes.flatMap((_, a) => pairsWith(a, sizes)))
  const next = random(seed, 'pairs')
  const pick = (size: number) => Math.floor(next() * size)
  const taken: Place[] = []
  while (open.size > 0) {
    let best: { places: Place; gain: number } = { places: [], gain: 0 }
    for (let count = 0; count < candidates; count++) {
      const places = completed(open, sizes, pick)
      const gain = pairsOf(places).filter((pair) => open.has(pair)).length
      if (gain > best.gain) best = { places, gain }
    }
    for (const pair of pairsOf(best.places)) open.delete(pair)
    taken.push(best.places)
  }
  return taken.map((places) =>
    Object.fromEntries(names.map((name, a) => [name, dimensions[name]![places[a]!]]))
  ) as Combination<Given>[]
}

/** Every pair of a dimension's values with those of the dimensions behind it. */
function pairsWith(a: number, sizes: readonly number[]): string[] {
  return sizes.flatMap((size, b) => {
    if (b <= a) return []
    return Array.from({ length: sizes[a]! * size }, (_, n) =>
      pairOf([a, Math.floor(n / size)], [b, n % size])
    )
  })
}

/** A combination that begins with an open pair, and meets as many others as it can after that. */
function completed(
  open: ReadonlySet<string>,
  sizes: readonly number[],
  pick: (size: number) => number
): Place {
  const first = [...open][pick(open.size)]!.split(' ').map((one) => one.split('.').map(Number))
  const places = new Map(first.map(([a, i]) => [a!, i!]))
  const left = sizes.map((_, a) => a).filter((a) => !places.has(a))
  while (left.length > 0) {
    const [a] = left.splice(pick(left.length), 1) as [number]
    const begin = pick(sizes[a]!)
    const gains = Array.from({ length: sizes[a]! }, (_, n) => {
      const i = (begin + n) % sizes[a]!
      return { i, gain: [...places].filter((other) => open.has(pairOf([a, i], other))).length }
    })
    places.set(a, gains.reduce((one, other) => (other.gain > one.gain ? other : one)).i)
  }
  return sizes.map((_, a) => places.get(a)!)
}
