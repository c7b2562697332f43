import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classify, conditionalThroughput, type LoadTrial } from '../../src/statistics/load-class.ts'

fc.configureGlobal({ seed: 1 })

const holding = { finalSeconds: 10, sumSeconds: 50, exceedRatio: 0.5 }

/** Trials in short: capitals are long ones, h and H held, m and M missed, ? not offered. */
const trials = (letters: string): LoadTrial[] =>
  [...letters].map((letter) => ({
    load: 100,
    seconds: letter === letter.toUpperCase() ? 10 : 3,
    outcome: letter === '?' ? 'unoffered' : letter.toUpperCase() === 'H' ? 'held' : 'missed',
    lossRatio: letter.toUpperCase() === 'H' ? 0 : 0.2
  }))

// By hand, after draft-ietf-bmwg-mlrsearch-15, appendix A, with half of 50 s tolerated.
test.each([
  ['', 'undecided'],
  ['HH', 'undecided'],
  ['HHH', 'lower'],
  ['MMM', 'upper'],
  ['HHMM', 'undecided'],
  ['HHMMH', 'lower'],
  ['HHMMM', 'upper'],
  // Short trials cannot make a lower bound, and long ones of them make an upper bound.
  ['hhhhhhhhhhhhhhhhhhhh', 'undecided'],
  ['mmmmmmmm', 'undecided'],
  ['mmmmmmmmm', 'upper'],
  // A short trial held balances one missed.
  ['mmmmmmmmmh', 'undecided'],
  // What was not offered says nothing.
  ['???', 'undecided'],
  ['H?H?H', 'lower'],
  // Past 50 s half of what was measured counts: just half missed is still held.
  ['HHHMMM', 'lower'],
  ['HHHMMMM', 'upper']
])('%s is %s', (letters, expected) => {
  expect(classify(trials(letters), holding)).toBe(expected)
})

test('with nothing tolerated one miss is enough, and all the time must be held', () => {
  const strict = { ...holding, exceedRatio: 0 }
  expect(classify(trials('HHHHM'), strict)).toBe('upper')
  expect(classify(trials('m'), strict)).toBe('upper')
  expect(classify(trials('HHHH'), strict)).toBe('undecided')
  expect(classify(trials('HHHHH'), strict)).toBe('lower')
})

const letters = fc.string({ unit: fc.constantFrom('H', 'M'), maxLength: 12 })

test('a class is what every way of filling the time still missing would lead to', () => {
  fc.assert(
    fc.property(letters, (seen) => {
      const missing = Math.max(0, 5 - seen.length)
      const ways = Array.from({ length: 2 ** missing }, (_, bits) =>
        Array.from({ length: missing }, (__, at) => ((bits >> at) & 1 ? 'H' : 'M')).join('')
      )
      const ends = ways.map((way) => {
        const whole = seen + way
        const missed = [...whole].filter((letter) => letter === 'M').length
        return missed <= whole.length / 2 ? 'lower' : 'upper'
      })
      const expected = ends.every((end) => end === ends[0]) ? ends[0] : 'undecided'
      expect(classify(trials(seen), holding)).toBe(expected)
    })
  )
})

test('the order of the trials does not matter', () => {
  const some = fc.string({ unit: fc.constantFrom('H', 'M', 'h', 'm', '?'), maxLength: 20 })
  fc.assert(
    fc.property(some, (seen) => {
      const backwards = [...seen].reverse().join('')
      expect(classify(trials(seen), holding)).toBe(classify(trials(backwards), holding))
    })
  )
})

const withLoss = (...ratios: number[]): LoadTrial[] =>
  ratios.map((lossRatio) => ({ load: 200, seconds: 10, outcome: 'held', lossRatio }))

// By hand, after appendix B: of 50 s the best 25 count, so the third best of five is the last.
test.each([
  [[0, 0, 0, 0, 0], 200],
  [[0.5, 0, 0.1, 0, 0.9], 180],
  [[0.1, 0.1, 0.1], 180],
  [[0, 0], 0],
  [[], 0],
  [[0, 0.02, 0.04, 0.06, 0.08, 0.1], 192]
])('losses of %o leave %f', (ratios, expected) => {
  expect(conditionalThroughput(withLoss(...ratios), holding)).toBeCloseTo(expected, 10)
})

test('short trials do not count towards throughput', () => {
  const short = { load: 200, seconds: 3, outcome: 'held' as const, lossRatio: 0.9 }
  expect(conditionalThroughput([short, ...withLoss(0, 0, 0)], holding)).toBe(200)
})
