import { shapeCell, shapeCellUs } from '../load/figures/histogram.ts'
import { percent } from '../number.ts'
import { random } from '../random.ts'
import { median } from '../statistics/quantile.ts'
import { signFlip } from '../statistics/sign-flip.ts'
import type { Block, Trial } from './trial.ts'

/** How B's responses are spread otherwise than A's, though their centre may be the same. */
export type ShapeChange = {
  /** Chance of so much where nothing differs, one-sided, adjusted for all places looked at. */
  p: number
  /** Shares of requests that take longer than `beyond` times the usual one. */
  a: number
  b: number
  beyond: number
  /** What those of B take as a rule: so many times the median, and in microseconds. */
  times: number
  us: number
}

/** Where is looked: so many times the median of a trial. */
const places = [1.5, 2, 3, 5, 10, 30, 100]

/** How many budgets a single request may take longer by, as the slowest hundredth may. */
const tailBudgets = 2

/**
 * What counts: so many more requests as a share of all, or so few more that take so long that they
 * add the budget to the mean; and twice as many as A has. Half as many again, to which the luck of
 * a few blocks comes, is worth to be seen again, by which all of them become more.
 */
const least = { share: 0.001, ratio: 2, again: 1.5 }

/** How many requests there are, and how many beyond each of the places. */
type Beyond = { all: number; beyond: number[] }

const none = (): Beyond => ({ all: 0, beyond: places.map(() => 0) })

/** What of a trial is counted: what was measured, and what settled processes answered before. */
const measured = ({ shape = {} }: Trial) => [shape]
const settled = ({ shape = {}, warmShape = {} }: Trial) => [shape, warmShape]

/** Adds how many of some requests take longer than so many times what is usual. */
function add(sum: Beyond, shape: Record<number, number>, usualUs: number): void {
  const from = places.map((place) => shapeCell(usualUs * place))
  for (const cell in shape) {
    const count = shape[cell]!
    sum.all += count
    for (let at = 0; at < from.length && Number(cell) > from[at]!; at++) sum.beyond[at]! += count
  }
}

/** Trials, at least, of which the medians say what is usual: a stall may be all that one holds. */
const neighbours = 6

/** The usual time of an arm about the n-th block, in microseconds; NaN where nothing came back. */
function usualUs(blocks: readonly Block[], at: number, arm: 'a' | 'b'): number {
  const reach = Math.floor(neighbours / 2 / Math.max(1, blocks[at]!.length))
  const near = blocks.slice(Math.max(0, at - reach), at + reach + 1).flat()
  return median(near.flatMap((pair) => pair[arm].p50Us ?? []))
}

/**
 * Both arms of the n-th block. What is usual is each arm's own median, so that a B that is slower
 * as a whole has no other shape; or A's, where B is faster, so that its tail is not longer for it.
 */
function ofBlock(blocks: readonly Block[], n: number, counted: typeof measured) {
  const sums = { a: none(), b: none() }
  const usual = { a: usualUs(blocks, n, 'a'), b: usualUs(blocks, n, 'b') }
  for (const { a, b } of blocks[n]!) {
    for (const shape of counted(a)) add(sums.a, shape, usual.a)
    for (const shape of counted(b)) add(sums.b, shape, Math.max(usual.a, usual.b))
  }
  return sums
}

/** The share beyond the n-th place in all of these. */
const shareOf = (each: readonly Beyond[], at: number) =>
  each.reduce((sum, { beyond }) => sum + beyond[at]!, 0) /
  Math.max(
    1,
    each.reduce((sum, { all }) => sum + all, 0)
  )

/** What B's requests beyond a place take as a rule: times the median, and in microseconds. */
function usualBeyond(blocks: readonly Block[], place: number): { times: number; us: number } {
  const usual = median(blocks.flatMap((pairs) => pairs.flatMap(({ b }) => b.p50Us ?? [])))
  const from = shapeCell(usual * place)
  const found = blocks.flat().flatMap(({ b: { shape = {} } }) =>
    Object.entries(shape).flatMap(([cell, count]): [times: number, us: number, count: number][] => {
      const us = shapeCellUs(Number(cell) + 0.5)
      return Number(cell) > from ? [[us / usual, us, count]] : []
    })
  )
  found.sort(([one], [other]) => one - other)
  let left = found.reduce((sum, [, , count]) => sum + count, 0) / 2
  const middle = found.find(([, , count]) => {
    left -= count
    return left <= 0
  })
  return middle ? { times: middle[0], us: middle[1] } : { times: place, us: 0 }
}

/**
 * Whether more of B's requests take a multiple of the median than of A's, where most: what leaves
 * median and p99 alone, such as a second mode of one in 300. Undefined where trials tell no shape,
 * or nothing that counts is more. `beyond` is the one place to look at, where it was seen before;
 * where absent all that are more than a budget allows tails. `isFirst` where more of B's are only
 * worth to be seen again.
 */
export function shapeChange(
  blocks: readonly Block[],
  { budget, beyond, isFirst = false }: { budget: number; beyond?: number; isFirst?: boolean }
): ShapeChange | undefined {
  const isTold = blocks.some((pairs) => pairs.some(({ a, b }) => a.shape && b.shape))
  if (!isTold) return
  const each = blocks.map((_, at) => ofBlock(blocks, at, settled))
  // Chance is told by all that settled processes answered; how much it is, by what was measured.
  const sized = blocks.map((_, at) => ofBlock(blocks, at, measured))
  const [ofA, ofB] = [sized.map(({ a }) => a), sized.map(({ b }) => b)]
  const found = places.map((place, at) => {
    const more = each.map(({ a, b }) => shareOf([b], at) - shareOf([a], at))
    return { place, a: shareOf(ofA, at), b: shareOf(ofB, at), more }
  })
  // Of a budget that is wider than all places the furthest is left.
  const within = Math.min(Math.exp(tailBudgets * budget), places.at(-1)!)
  const isAsked = (place: number) => (beyond === undefined ? place >= within : place === beyond)
  const asked = found.filter(({ place }) => isAsked(place))
  const rows = asked.map(({ more }) => more)
  const ps = signFlip(rows, random(blocks.length, 'shape'))
  const counting = asked.flatMap(({ place, a, b }, at): ShapeChange[] => {
    if (b - a <= 0) return []
    const usual = usualBeyond(blocks, place)
    const isMore = b >= (isFirst ? least.again : least.ratio) * a
    const isEnough = b - a >= least.share || (b - a) * usual.times >= Math.expm1(budget)
    // How much it is, all blocks together say: a few seen again only have to show the same.
    return beyond !== undefined || (isMore && isEnough)
      ? [{ p: ps[at]!, a, b, beyond: place, ...usual }]
      : []
  })
  // Of places that are as sure as each other, the one furthest out says what it is.
  counting.sort((one, other) => one.p - other.p || other.beyond - one.beyond)
  return counting[0]
}

const milliseconds = (us: number) => `${Number((us / 1_000).toPrecision(2))} ms`

/** Such as "1.0 % of B's requests take 10 times as long, 11 ms (of A's 0.0 %)". */
export function shapeText({ a, b, times, us }: ShapeChange): string {
  const factor = times < 10 ? times.toFixed(1) : Math.round(times)
  const from = `${Number((100 * (1 - b)).toPrecision(4))}th percentile`
  return (
    `${percent(b, 2)} of B's requests take ${factor} times as long as its median or so, ` +
    `${milliseconds(us)} (of A's ${percent(a, 2)}): the tail from the ${from} on`
  )
}
