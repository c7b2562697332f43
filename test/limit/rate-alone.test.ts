import { expect, test } from 'vitest'
import { unlikeAlone } from '../../src/limit/rate-alone.ts'
import { createAsking, type RateQuestion, type Sighting } from '../../src/limit/rate-question.ts'

/** What is said of a target that accepts so many of a question, each a ms after the other. */
function toldOf(accepts: (question: RateQuestion, nth: number) => number) {
  const spacing = { from: 115, to: 120 }
  const reference = { from: 0, to: 1, sent: 0 }
  const known = { level: 17, mostLevel: 17, counts: [17, 17], isGradual: false, tookMs: 9 }
  const pace = { ...known, spacing, ownSpacing: spacing, reference }
  const questions = unlikeAlone(createAsking(16), pace)
  let next = questions.next()
  for (let nth = 0; !next.done; nth++) {
    const { at, most } = next.value
    const many = Math.min(most, accepts(next.value, nth))
    const seen = Array.from({ length: many }, (_, index) => one('accepted', at + index))
    if (many < most) seen.push(one('rejected', at + many))
    next = questions.next(seen)
  }
  return next.value
}

const one = (kind: Sighting['kind'], sent: number): Sighting => {
  return { kind, status: kind === 'accepted' ? 200 : 429, sent, answered: sent + 1 }
}

test('what is under way and not counted is told', () => {
  expect(toldOf(({ inFlight }) => (inFlight === 1 ? 10 : 17))).toBe(
    'one at a time 10 are accepted, and 17 with 16 in flight: what is under way is not counted ' +
      'until it is answered'
  )
})

test('new connections that are counted are told', () => {
  const told = toldOf(({ isApart, inFlight }) => (isApart ? 12 : inFlight === 1 ? 1e9 : 12))
  expect(told).toMatch(
    /^over connections that stay 51 in a row were accepted, and over new ones 12/
  )
})

test('what is as many each way, or differs from time to time, is neither', () => {
  expect(toldOf(() => 17)).toBeUndefined()
  expect(toldOf(() => 1e9)).toBeUndefined()
  // As of another limit that is met now and then.
  expect(toldOf(({ inFlight }, nth) => (inFlight === 1 ? (nth < 3 ? 10 : 13) : 17))).toBeUndefined()
  expect(toldOf((_, nth) => (nth === 2 ? 17 : 10))).toBeUndefined()
})
