import { expect, test } from 'vitest'
import { shapeChange } from '../../src/verdict/pair-shape.ts'
import { trialOfTimes } from './served.ts'

/** A thousand responses of a millisecond, of which so many take twelve. */
const trial = (slow: number) =>
  trialOfTimes(Array.from({ length: 1_000 }, (_, n) => (n < slow ? 12_000 : 1_000)))

/** Starts of which B's had so many slow responses each, and A's so many. */
const blocks = (b: readonly number[], a = 0) => b.map((slow) => [{ a: trial(a), b: trial(slow) }])

const budget = Math.log(1.05)

test('a mode counts by what it adds, and by how much more of it there is', () => {
  const found = shapeChange(blocks([5, 6, 4, 5, 5, 6, 4, 5]), { budget })
  expect(found).toMatchObject({ b: 0.005, a: 0 })
  expect(found!.p).toBeLessThan(0.02)
  // Three responses in a thousand more, beside four of A's, are less than twice as many.
  expect(shapeChange(blocks([7, 7, 7, 7], 4), { budget })).toBeUndefined()
  expect(shapeChange(blocks([8, 8, 8, 8], 4), { budget })).toMatchObject({ a: 0.004, b: 0.008 })
})

test('seen again it only has to be there, and the other way round it is not', () => {
  const again = shapeChange(blocks([5, 5, 5, 5], 4), { budget, beyond: 10 })
  expect(again).toMatchObject({ b: 0.005, a: 0.004, beyond: 10 })
  expect(shapeChange(blocks([3, 3, 3], 4), { budget, beyond: 10 })).toBeUndefined()
})

test('what settled processes answered while they warmed up makes it surer, and no larger', () => {
  const warmed = (warmShape: Record<number, number>) =>
    blocks([3, 0, 4, 2, 0, 3]).map(([{ a, b }]) => [
      { a: { ...a, warmShape: trial(0).shape! }, b: { ...b, warmShape } }
    ])
  const alone = shapeChange(blocks([3, 0, 4, 2, 0, 3]), { budget })!
  const surer = shapeChange(warmed(trial(5).shape!), { budget })!
  expect(surer).toMatchObject({ a: alone.a, b: alone.b })
  expect(surer.p).toBeLessThan(alone.p / 2)
  // Of cold code that was not measured nothing is said.
  const only = blocks([0, 0, 0, 0, 0, 0]).map(([{ a, b }]) => [
    { a, b: { ...b, warmShape: trial(9).shape! } }
  ])
  expect(shapeChange(only, { budget })).toBeUndefined()
})

test('what a budget allows of tails is no change of shape', () => {
  const slower = (us: number) => {
    const times = Array.from({ length: 1_000 }, (_, n) => (n < 30 ? us : 1_000))
    return blocks([0, 0, 0, 0, 0, 0]).map(([{ a }]) => [{ a, b: trialOfTimes(times) }])
  }
  const wide = Math.log(2)
  expect(shapeChange(slower(3_500), { budget })).toMatchObject({ b: 0.03, beyond: 3 })
  expect(shapeChange(slower(3_500), { budget: wide })).toBeUndefined()
  expect(shapeChange(slower(7_000), { budget: wide })).toMatchObject({ b: 0.03, beyond: 5 })
  expect(shapeChange(slower(200_000), { budget: Math.log(50) })).toMatchObject({ beyond: 100 })
})
