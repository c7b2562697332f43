import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeCheck } from '../../src/verdict/judge-check.ts'
import type { Observation } from '../../src/verdict/verdict.ts'
import { exchanged, seen } from './observations.ts'

const timeout = exchanged({ kind: 'timeout', status: 0, because: 'nothing came for 5 s' })

const kinds: Record<string, Partial<Observation>> = {
  h: { holds: true, observed: 'held' },
  n: { holds: false, observed: 'not' },
  s: { observed: 'seen' },
  u: { holds: true, answered: false, observed: 'silence', exchanges: [timeout] },
  x: { holds: false, answered: false, observed: 'silence', exchanges: [timeout] }
}

/** Attempts as in `hn n -`: held and then not, not, came to no point. */
function attempts(notation: string): Observation[][] {
  return notation
    .split(' ')
    .map((word) => [...word].filter((sign) => kinds[sign]).map((sign) => seen('a', kinds[sign])))
}

const unanswered = 'no answer to judge by: nothing came for 5 s'

test.each([
  ['h', 'pass', 'held', 'it held in 1 observation'],
  ['hh', 'pass', 'held', 'it held in 2 observations'],
  ['hs', 'pass', 'held', 'it held in 1 observation'],
  ['h - h', 'pass', 'held', 'it held in 2 observations'],
  ['n n n', 'fail', 'not', 'it did not hold in 3 of 3 attempts'],
  ['n x n u n', 'fail', 'not', 'it did not hold in 3 of 5 attempts'],
  ['nu nu n', 'fail', 'not', 'it did not hold in 3 of 3 attempts'],
  ['n - n - n', 'fail', 'not', 'it did not hold in 3 of 5 attempts'],
  ...[
    ['n n h', 2],
    ['n h n', 2],
    ['h n n', 2],
    ['hn hn h', 2],
    ['n h h', 1],
    ['h n h', 1],
    ['n n n h', 3]
  ].map(([notation, times]) => {
    const observed = notation === 'hn hn h' ? 'held; not' : 'not; held'
    const attempts = String(notation).split(' ').length
    const because = `it did not hold in ${times} of ${attempts} attempts, and the answers differ`
    return [`${notation}`, 'inconclusive', observed, because] as [string, string, string, string]
  }),
  [
    'n n x',
    'inconclusive',
    'not; silence',
    'it did not hold in 2 of 3 attempts, and other attempts are no evidence: nothing came for 5 s'
  ],
  ['n', 'inconclusive', 'not', 'it did not hold in 1 of 1 attempt, and nothing confirmed it'],
  ['n - -', 'inconclusive', 'not', 'it did not hold in 1 of 3 attempts, and nothing confirmed it'],
  ['u', 'inconclusive', 'silence', unanswered],
  ['x', 'inconclusive', 'silence', unanswered],
  ['x x x', 'inconclusive', 'silence', unanswered],
  ['u h', 'pass', 'held', 'it held in 1 observation'],
  ['x s', 'observed', 'seen', 'nothing is judged; what the target does is recorded'],
  ['hu', 'inconclusive', 'silence', unanswered],
  ['su', 'inconclusive', 'silence', unanswered],
  ['-', 'inconclusive', 'nothing', 'the scenario came to no conclusion'],
  ['s', 'observed', 'seen', 'nothing is judged; what the target does is recorded']
])('%s: %s', (notation, outcome, observed, because) => {
  expect(judgeCheck('a', attempts(notation))).toEqual({ outcome, observed, because })
})

test('no attempt is no conclusion', () => {
  expect(judgeCheck('a', []).outcome).toBe('inconclusive')
})

test('why an attempt is in doubt is told where it is known', () => {
  const doubt = 'the canary of edge does not work: HTTP 502'
  const all = [[seen('a', { holds: false, answered: false, doubt })]]
  expect(judgeCheck('a', all)).toMatchObject({
    outcome: 'inconclusive',
    because: `no answer to judge by: ${doubt}`
  })
})

test('other clauses of the same check have no say', () => {
  const mixed = attempts('h h h').map((all) => [...all, seen('b', { holds: false })])
  expect(judgeCheck('a', mixed).outcome).toBe('pass')
  expect(judgeCheck('b', mixed).outcome).toBe('fail')
})

test('many different texts are cut to a line, unless another run is compared with them', () => {
  const all = ['one', 'two', 'three', 'four', 'five'].map((observed) =>
    seen('a', { holds: true, observed })
  )
  expect(judgeCheck('a', [all]).observed).toBe('one; two; three; and 2 more')
  const open = all.map(({ holds: _, ...one }) => one)
  expect(judgeCheck('a', [open]).observed).toBe('one; two; three; four; five')
})

describe('verdicts never improve when evidence worsens', () => {
  const options = { seed: 2 }
  const sign = fc.constantFrom(...'hnsux')
  const word = fc.array(sign, { maxLength: 3 }).map((signs) => signs.join('') || '-')
  const notation = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
  const order = ['fail', 'inconclusive', 'observed', 'pass']
  const rank = (text: string) => order.indexOf(judgeCheck('a', attempts(text)).outcome)

  test('what no longer holds never helps', () => {
    fc.assert(
      fc.property(notation, fc.nat(), (text, at) => {
        const held = [...text].flatMap((one, index) => (one === 'h' ? [index] : []))
        fc.pre(held.length > 0)
        const index = held[at % held.length]!
        const worse = `${text.slice(0, index)}n${text.slice(index + 1)}`
        expect(rank(worse)).toBeLessThanOrEqual(rank(text))
      }),
      options
    )
  })

  test('an attempt with an answer missing is nothing better than inconclusive', () => {
    fc.assert(
      fc.property(word, fc.constantFrom('u', 'x'), (text, sign) => {
        expect(rank(text + sign)).toBeLessThanOrEqual(order.indexOf('inconclusive'))
      }),
      options
    )
  })

  test('another attempt in which it does not hold never helps', () => {
    fc.assert(
      fc.property(notation, (text) => {
        expect(rank(`${text} n`)).toBeLessThanOrEqual(rank(text))
      }),
      options
    )
  })
})
