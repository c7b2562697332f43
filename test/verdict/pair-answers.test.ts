import { expect, test } from 'vitest'
import { otherAnswers, otherWork } from '../../src/verdict/pair-answers.ts'
import type { Pair, Trial } from '../../src/verdict/trial.ts'
import { trialOfUs } from './pairs.ts'

/** A trial of a hundred requests, answered with these statuses, each so large with its headers. */
const answered = (statuses: Record<string, number>, bytes = 1_000): Trial => {
  const failures = statuses['500'] ?? 0
  return trialOfUs(1_000, { statuses, failures, receivedBytes: 100 * bytes })
}

const pairs = (a: Trial, b: Trial): Pair[] => Array.from({ length: 12 }, () => ({ a, b }))

test('redirects of one side are other work, in whichever direction', () => {
  const [here, away] = [answered({ 200: 100 }), answered({ 200: 80, 302: 20 }, 900)]
  expect(otherWork(pairs(here, away))).toMatch(/^B redirects 20 % of its requests and A 0 %: /)
  expect(otherWork(pairs(away, here))).toMatch(/^A redirects 20 % /)
  expect(otherWork(pairs(away, away))).toBeUndefined()
  expect(otherWork(pairs(here, answered({ 200: 91, 302: 9 })))).toBeUndefined()
  const little = ({ a, b }: Pair): Pair => ({
    a: { ...a, requests: 40, statuses: { 200: 40 } },
    b: { ...b, requests: 40, statuses: { 200: 35, 302: 5 } }
  })
  expect(otherWork(pairs(here, away).map(little).slice(0, 1))).toMatch(/^B redirects 12.5 % /)
  // So few may be so by chance.
  expect(
    otherWork(
      pairs(here, away)
        .map(({ a, b }) => few(a, b))
        .slice(0, 2)
    )
  ).toBeUndefined()
})

const few = (a: Trial, b: Trial): Pair => ({
  a: { ...a, requests: 10, statuses: { 200: 10 } },
  b: { ...b, requests: 10, statuses: { 302: 10 } }
})

test.each([[204], [205], [304]])(
  'so are answers with %i beside those that hold content',
  (status) => {
    const full = answered({ 200: 100 })
    const empty = answered({ [status]: 100 }, 150)
    expect(otherWork(pairs(full, empty))).toMatch(/B answers 100 % of its requests without content/)
    const some = answered({ 200: 70, [status]: 30 }, 745)
    expect(otherWork(pairs(full, some))).toMatch(/B answers 30 % /)
    expect(otherWork(pairs(empty, empty))).toBeUndefined()
    // Who had no content before either has only another status.
    expect(otherWork(pairs(answered({ 200: 100 }, 160), empty))).toBeUndefined()
  }
)

test('another status, and more bytes, are told', () => {
  const told = (a: Trial, b: Trial) => otherAnswers(pairs(a, b).map((pair) => [pair]))
  const usual = answered({ 200: 100 })
  expect(told(usual, usual)).toBeUndefined()
  expect(told(usual, answered({ 200: 99, 201: 1 }, 1_040))).toBeUndefined()
  expect(told(usual, answered({ 200: 95, 201: 5 }, 1_040))).toBe(
    'B answers 5 % of its requests with 201, and A 0 %'
  )
  // Both do so now and then: 24 and 36 of 1,200 are chance.
  expect(told(answered({ 200: 98, 201: 2 }), answered({ 200: 97, 201: 3 }))).toBeUndefined()
  expect(told(usual, answered({ 202: 100 }, 150))).toBe(
    'B answers 100 % of its requests with 202, and A 0 %; ' +
      "an answer of B's has 150 bytes, and of A's 1000"
  )
  expect(told(usual, answered({ 200: 100 }, 300_000))).toMatch(/B's has 300000 bytes, and of A's/)
  // Failures are told of by themselves, and smaller as a rule.
  expect(told(usual, answered({ 200: 60, 500: 40 }, 640))).toBeUndefined()
})

test('answers that are now larger and now smaller differ by nothing that is told', () => {
  const told = (sizes: number[], by: number) =>
    otherAnswers(
      Array.from({ length: 24 }, (_, at) => {
        const size = (n: number) => sizes[n % sizes.length]!
        return [
          { a: answered({ 200: 100 }, size(at)), b: answered({ 200: 100 }, by * size(at + 1)) }
        ]
      })
    )
  expect(told([1_000, 3_000, 500, 2_000], 1)).toBeUndefined()
  // Where all of B's are less by a sixth, that shows beside what either differs by.
  expect(told([1_000, 1_100, 950, 1_050], 0.84)).toBe(
    "an answer of B's has 861 bytes, and of A's 1025"
  )
})
