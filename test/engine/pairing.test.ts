import { expect, test } from 'vitest'
import { createDeadline } from '../../src/engine/deadline.ts'
import { createPairing } from '../../src/engine/pairing.ts'
import { closed } from '../../src/load/load.ts'
import { random } from '../../src/random.ts'
import { type Behaviour, createVirtualArms } from './virtual-arms.ts'

const load = closed({ connections: 1, seconds: 0.1 })

function pairing(
  behave: Behaviour,
  options: { seed?: number; stopped?: () => boolean; seconds?: number } = {}
) {
  const { arms, asked, clock } = createVirtualArms(behave)
  const told: string[][] = []
  const { seed = 1, stopped = () => false, seconds = 60 } = options
  return {
    ...createPairing({
      ...{ arms, stopped, next: random(seed), deadline: createDeadline(seconds, { clock }) },
      onRepeated: (reasons) => told.push([...reasons])
    }),
    asked,
    told
  }
}

const healthy: Behaviour = () => ({})

test('each pair has one trial of each, in an order that the seed decides', async () => {
  const orders = await Promise.all(
    [1, 1, 2].map(async (seed) => {
      const { block, asked } = pairing(healthy, { seed })
      expect(await block(load, 40)).toHaveLength(40)
      for (let at = 0; at < 80; at += 2) expect(asked[at]).not.toBe(asked[at + 1])
      return asked.filter((_, at) => at % 2 === 0).join('')
    })
  )
  expect(orders[0]).toBe(orders[1])
  expect(orders[0]).not.toBe(orders[2])
  const first = [...orders[0]!].filter((arm) => arm === 'a').length
  expect(first).toBeGreaterThan(10)
  expect(first).toBeLessThan(30)
})

test('the numbers stay with their target, whichever came first', async () => {
  const { block } = pairing((arm) => ({ requests: arm === 'a' ? 1 : 2 }))
  for (const { a, b } of await block(load, 20)) expect([a.requests, b.requests]).toEqual([1, 2])
})

test('a pair with a void trial is taken again, and counted', async () => {
  const { block, repeated, told, asked } = pairing((_, n) => ({ reasons: n === 3 ? ['late'] : [] }))
  expect(await block(load, 10)).toHaveLength(10)
  expect(repeated()).toHaveLength(1)
  expect(told).toEqual([['late']])
  expect(asked).toHaveLength(22)
})

test('a machine on which most pairs are void is not measured on', async () => {
  const { block } = pairing((_, n) => ({ reasons: n % 3 === 0 ? ['late'] : [] }))
  await expect(block(load, 100)).rejects.toMatchObject({
    how: 'invalid',
    message: expect.stringMatching(/^6 of \d+ pairs were void: late/)
  })
})

test('a stop ends it before the next pair', async () => {
  let pairs = 0
  const { block } = pairing(healthy, { stopped: () => pairs++ > 4 })
  await expect(block(load, 100)).rejects.toMatchObject({ how: 'interrupted' })
})

test('no pair is begun that could not end in time', async () => {
  const { block, asked } = pairing(healthy, { seconds: 1 })
  await expect(block(load, 100)).rejects.toMatchObject({ how: 'time' })
  // A pair takes 0.24 s, of which 0.2 s are its load.
  expect(asked).toHaveLength(8)
})
