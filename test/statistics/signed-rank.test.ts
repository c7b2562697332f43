import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hodgesLehmann } from '../../src/statistics/hodges-lehmann.ts'
import { signedRank, signedRankInterval } from '../../src/statistics/signed-rank.ts'

fc.configureGlobal({ seed: 1 })

// Hollander & Wolfe, "Nonparametric Statistical Methods", examples 3.1 and 3.4; R, wilcox.test.
const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
const depression = after.map((value, place) => value - before[place]!)

test('Hollander & Wolfe: 40 of 45, one-sided p = .01953', () => {
  const result = signedRank(depression.map((difference) => -difference))
  expect(result).toMatchObject({ rankSum: 40, pairs: 9, zeros: 0, exact: true })
  expect(result.greater).toBeCloseTo(0.01953125, 12)
  expect(result.p).toBeCloseTo(0.0390625, 12)
})

test('Hollander & Wolfe: −.786 to −.010 at 96.1 %', () => {
  const interval = signedRankInterval(depression, 0.96)
  expect(interval.low).toBeCloseTo(-0.786, 12)
  expect(interval.high).toBeCloseTo(-0.01, 12)
  expect(interval.confidence).toBeCloseTo(0.961, 3)
})

/** Differences of sizes 1 to n, of which just enough are positive for the rank sum. */
function withRankSum(n: number, rankSum: number): number[] {
  let left = rankSum
  return Array.from({ length: n }, (_, place) => n - place).map((rank) => {
    if (rank > left) return -rank
    left -= rank
    return rank
  })
}

// Wilcoxon & Wilcox, "Some Rapid Approximate Statistical Procedures" (1964): two-sided 5 % points.
test.each([
  [6, 0],
  [7, 2],
  [8, 3],
  [9, 5],
  [10, 8],
  [12, 13],
  [15, 25],
  [20, 52],
  [25, 89],
  [50, 434]
])('of %i pairs, a rank sum of %i is the largest that is called low', (n, critical) => {
  expect(signedRank(withRankSum(n, critical)).p).toBeLessThanOrEqual(0.05)
  expect(signedRank(withRankSum(n, critical + 1)).p).toBeGreaterThan(0.05)
})

/** Both tails by turning over every sign in every way, with mid ranks by counting. */
function bySigns(differences: readonly number[]): { less: number; greater: number } {
  const sizes = differences.filter((difference) => difference !== 0).map(Math.abs)
  const ranks = sizes.map(
    (size) =>
      sizes.filter((other) => other < size).length +
      (sizes.filter((other) => other === size).length + 1) / 2
  )
  const signs = differences.filter((difference) => difference !== 0).map((value) => value > 0)
  const sumOf = (isPositive: (place: number) => boolean) =>
    ranks.reduce((sum, rank, place) => (isPositive(place) ? sum + rank : sum), 0)
  const seen = sumOf((place) => signs[place]!)
  const all = Array.from({ length: 2 ** ranks.length }, (_, bits) =>
    sumOf((place) => ((bits >> place) & 1) === 1)
  )
  const share = (counts: (sum: number) => boolean) => all.filter(counts).length / all.length
  return { less: share((sum) => sum <= seen), greater: share((sum) => sum >= seen) }
}

test('with ties and zeros too it is what turning over every sign gives', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 11 }), (differences) => {
      const { less, greater, p } = signedRank(differences)
      const expected = bySigns(differences)
      expect(less).toBeCloseTo(expected.less, 12)
      expect(greater).toBeCloseTo(expected.greater, 12)
      expect(p).toBeCloseTo(Math.min(1, 2 * Math.min(less, greater)), 12)
    })
  )
})

test('zeros are counted, not ranked', () => {
  expect(signedRank([0, 3, 0, -1, 2])).toMatchObject({ pairs: 3, zeros: 2, rankSum: 5 })
  expect(signedRank([0, 0])).toMatchObject({ pairs: 0, zeros: 2, p: 1 })
})

/** P(rank sum ≤ most) of n untied pairs, by counting sign patterns. */
function exactTail(n: number, most: number): number {
  let counts = [1]
  for (let rank = 1; rank <= n; rank++) {
    const longer = new Array<number>(counts.length + rank).fill(0)
    for (const [sum, count] of counts.entries()) {
      longer[sum]! += count / 2
      longer[sum + rank]! += count / 2
    }
    counts = longer
  }
  return counts.slice(0, most + 1).reduce((total, count) => total + count, 0)
}

test.each([7500, 8000, 8544, 9000, 10_000])(
  'past 200 pairs the normal law is within .001 of exact: rank sum %i of 201',
  (rankSum) => {
    const { less, exact } = signedRank(withRankSum(201, rankSum))
    expect(exact).toBe(false)
    expect(Math.abs(less - exactTail(201, rankSum))).toBeLessThan(0.001)
  }
)

test('up to 200 pairs it is exact', () => {
  const { less, exact } = signedRank(withRankSum(200, 8000))
  expect(exact).toBe(true)
  expect(less).toBeCloseTo(exactTail(200, 8000), 12)
})

test('with 201 pairs, too, the interval leaves out as many averages as it may', () => {
  const differences = withRankSum(201, 10_000).map((value) => value + 0.25)
  const { low, high, confidence } = signedRankInterval(differences, 0.95)
  expect(confidence).toBeGreaterThanOrEqual(0.95)
  expect(confidence).toBeLessThan(0.951)
  expect(low).toBeLessThan(hodgesLehmann(differences))
  expect(high).toBeGreaterThan(hodgesLehmann(differences))
})

test.each([0, 1, 5])('%i pairs are too few for an interval at 95 %%', (n) => {
  const differences = Array.from({ length: n }, (_, place) => place + 1)
  const interval = signedRankInterval(differences, 0.95)
  expect(interval).toMatchObject({ low: -Infinity, high: Infinity, confidence: 1 })
})

const differences = fc.uniqueArray(fc.double({ noNaN: true, min: -100, max: 100 }), {
  minLength: 6,
  maxLength: 40
})

test('swapping the labels swaps the tails and mirrors the interval', () => {
  fc.assert(
    fc.property(differences, (values) => {
      const swapped = values.map((value) => -value)
      const [one, other] = [signedRank(values), signedRank(swapped)]
      expect(other.greater).toBeCloseTo(one.less, 12)
      const [here, there] = [signedRankInterval(values, 0.9), signedRankInterval(swapped, 0.9)]
      expect([there.low, there.high]).toEqual([0 - here.high, 0 - here.low])
    })
  )
})

test('the interval shifts and scales with the differences', () => {
  const scale = fc.integer({ min: 1, max: 64 })
  fc.assert(
    fc.property(differences, fc.integer({ min: -50, max: 50 }), scale, (values, shift, factor) => {
      const here = signedRankInterval(values, 0.95)
      const moved = values.map((value) => shift + factor * value)
      const there = signedRankInterval(moved, 0.95)
      expect(there.low).toBeCloseTo(shift + factor * here.low, 6)
      expect(there.high).toBeCloseTo(shift + factor * here.high, 6)
    })
  )
})

test('it holds the estimate, covers what is asked for, and widens with confidence', () => {
  fc.assert(
    fc.property(differences, (values) => {
      const estimate = hodgesLehmann(values)
      const narrow = signedRankInterval(values, 0.8)
      const wide = signedRankInterval(values, 0.99)
      expect(narrow.low).toBeLessThanOrEqual(estimate)
      expect(narrow.high).toBeGreaterThanOrEqual(estimate)
      expect(narrow.confidence).toBeGreaterThanOrEqual(0.8)
      expect(wide.low).toBeLessThanOrEqual(narrow.low)
      expect(wide.high).toBeGreaterThanOrEqual(narrow.high)
    })
  )
})

test('inside are just the shifts that the test does not reject', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 8, maxLength: 30 }), (values) => {
      const { low, high } = signedRankInterval(values, 0.95)
      const rejects = (shift: number) => signedRank(values.map((value) => value - shift)).p <= 0.05
      // Averages of whole numbers are halves of them: a quarter off none is met exactly.
      expect([rejects(low - 0.25), rejects(high + 0.25)]).toEqual([true, true])
      if (high - low > 0.5)
        expect([rejects(low + 0.25), rejects(high - 0.25)]).toEqual([false, false])
    })
  )
})
