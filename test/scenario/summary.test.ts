import { expect, test } from 'vitest'
import type { Reply } from '../../src/client/reply.ts'
import { summary } from '../../src/scenario/summary.ts'

const look = (asked: string, holds = true) => ({
  ...{ asked, holds, saw: holds ? 'refused' : 'served' },
  reply: { because: asked } as Reply
})

test('of what holds the first ones are told, with their replies', () => {
  const found = summary(['a', 'b', 'c', 'd'].map((asked) => look(asked)))!
  const saw = '4 asked, as a: refused; b: refused; c: refused; …'
  expect(found[0]).toEqual({ holds: true, saw })
  expect(found.slice(1)).toEqual([{ because: 'a' }, { because: 'b' }, { because: 'c' }])
})

test('of what does not hold, those are told in which it did not', () => {
  const found = summary([look('a'), look('b', false), look('c')])!
  expect(found).toEqual([
    { holds: false, saw: '1 of 3 asked do not, as b: served' },
    { because: 'b' }
  ])
})

test('nothing was seen where nothing was asked', () => {
  expect(summary([])).toBeUndefined()
})

test('a look at nothing is none, unless it shows what must not be', () => {
  const none = { ...look('a'), of: 0 }
  expect(summary([none, { ...look('b'), of: 0 }])).toBeUndefined()
  expect(summary([none, { ...look('b'), of: 2 }])![0]).toMatchObject({
    saw: '1 asked, as b: refused'
  })
  expect(summary([none, { ...look('b', false), of: 0 }])![0]).toMatchObject({ holds: false })
})
