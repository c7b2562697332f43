import type { Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import type { Reply } from '../../src/client/reply.ts'
import { type Arbitraries, generated } from '../../src/scenario/generated.ts'
import type { Look } from '../../src/scenario/summary.ts'

const reply = { because: 'HTTP 200' } as Reply
const run = { seed: 4_000_000_000, tier: 'quick' as const }
const budget = { quick: 50, full: 400 }
const of = (any: Arbitraries): Arbitrary<number[]> => any.array(any.nat(1_000))

/** A target that gets sums wrong from 100 on. */
async function ask(values: number[]): Promise<Look> {
  const sum = values.reduce((one, other) => one + other, 0)
  return { asked: `sum of ${values}`, holds: sum < 100, saw: `${sum}`, reply }
}

test('the shortest counterexample is told, the same one each time', async () => {
  const found = await generated(run, { of, budget, ask })
  expect(found).toEqual(await generated(run, { of, budget, ask }))
  expect(found![0]).toMatchObject({ holds: false })
  expect(found![0].saw).toMatch(/^sum of (100: 100|\d+,\d+: 100) \(number \d+ of 50 made by chance/)
})

test('what holds of all of them holds, and a longer tier asks more', async () => {
  const seen: number[] = []
  const right = async (values: number[]) => {
    seen.push(values.length)
    return { ...(await ask(values)), holds: true }
  }
  expect((await generated(run, { of, budget, ask: right }))![0].saw).toMatch(/^50 made by chance/)
  await generated({ ...run, tier: 'full' }, { of, budget, ask: right })
  expect(seen).toHaveLength(450)
})

test('nothing is told where nothing can be told', async () => {
  expect(await generated(run, { of, budget, ask: async () => undefined })).toBeUndefined()
  const none = async (values: number[]) => ({ ...(await ask(values)), holds: true, of: 0 })
  expect(await generated(run, { of, budget, ask: none })).toBeUndefined()
})

test('questions are not asked without end to shorten a counterexample', async () => {
  let asked = 0
  const wrong = async (values: number[]) => {
    asked++
    return { ...(await ask(values)), holds: values.length < 3 }
  }
  await generated(run, { of, budget, ask: wrong })
  expect(asked).toBeLessThan(50 + 62)
})

test('what a scenario throws while it asks is thrown', async () => {
  const thrown = new RangeError('a slip')
  const slip = () => Promise.reject(thrown)
  await expect(generated(run, { of, budget, ask: slip })).rejects.toBe(thrown)
})

test('nor for long, however few they are', async () => {
  let [asked, ms] = [0, 0]
  const wrong = async (values: number[]) => {
    asked++
    ms += 4_000
    return { ...(await ask(values)), holds: false }
  }
  const long = (any: Arbitraries) => any.array(any.nat(1_000), { minLength: 20 })
  const [found] = (await generated(run, { of: long, budget, ask: wrong }, { now: () => ms }))!
  expect(found.holds).toBe(false)
  expect(asked).toBe(4)
})
