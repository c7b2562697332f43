import { expect, test } from 'vitest'
import { fromText, toText } from '../../src/fleet/order.ts'
import { restore, snapshot } from '../../src/fleet/snapshot.ts'
import { createLive, createLiveMemory, readLive } from '../../src/load/live.ts'
import { closed, hold, open } from '../../src/load/load.ts'
import { createSample } from '../../src/load/sample.ts'

test.each([
  ['a load that only time ends', closed({ users: 3, seconds: 5 })],
  ['an open load', open(hold({ rate: 100, seconds: 1 }))],
  ['bytes', { body: new Uint8Array([0, 255, 7]) }],
  ['what was never measured', { toMs: Number.NaN, fromMs: Infinity, health: undefined }]
])('%s arrives as it was sent', (_, value) => {
  expect(fromText(toText(value))).toEqual(value)
})

test('how a load goes elsewhere can be read here', () => {
  const [there, here] = [createLiveMemory(), createLiveMemory()]
  const live = createLive(there)
  for (const end of [1, 5, 5, 700]) {
    live.begin()
    live.record(Object.assign(createSample(), { ending: 'answered', status: 200, due: 0, end }))
  }
  live.begin()
  live.drop()
  const text = snapshot(there)
  restore(here, text)
  expect(readLive([here], 10)).toEqual(readLive([there], 10))
  expect(readLive([here], 10)).toMatchObject({ begun: 5, finished: 4, dropped: 1 })
  expect(text.length).toBeLessThan(1_000)
})

test('more than fits is refused', () => {
  const text = snapshot(new SharedArrayBuffer(100_000))
  expect(() => restore(createLiveMemory(), text)).toThrow()
})
