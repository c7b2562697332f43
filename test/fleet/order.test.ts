import { describe, expect, test } from 'vitest'
import { createMeterMemory } from '../../src/caps.ts'
import type { ShareTask } from '../../src/engine/drive.ts'
import { asPart, fromText, readOrder, toText } from '../../src/fleet/order.ts'
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

describe('an order', () => {
  const target = {
    ...{ name: 't', zones: {}, hosts: {}, credentials: {}, adapter: '/elsewhere/adapter.ts' },
    endpoints: { api: { url: 'http://127.0.0.1:1', route: { addresses: ['127.0.0.1'] } } }
  }
  const share: ShareTask = {
    load: open(hold({ rate: 50, seconds: 10 })),
    share: { index: 0, count: 1 },
    source: { requests: [{ url: 'http://127.0.0.1:1/', body: new Uint8Array([1]) }] },
    ...{ engine: 'wire', seed: 1, startAt: 1, verifyTls: true },
    live: createLiveMemory(),
    stop: new SharedArrayBuffer(4),
    routes: { 'http://127.0.0.1:1': { addresses: [] } }
  }
  const sent = { id: '1', lease: 'l', version: '1', limitMs: 1_000 }
  const order = { ...sent, task: asPart(share) }
  const read = (given: object) => readOrder(toText(given))

  test('arrives as it was sent, without what is only of use there', () => {
    expect(read(order)).toEqual(order)
    const ended = closed({ users: 3, iterations: 5 })
    expect(read({ ...order, limitMs: Infinity, task: { ...order.task, load: ended } })).toBeTruthy()
    const unit = { scenario: 'load/list', file: '/elsewhere/list.ts', needs: [] } as never
    const meter = createMeterMemory()
    const caps = { requestsPerSecond: 1, seconds: 1, untilMs: 1, meter }
    const routes = { 'http://127.0.0.1:1': { addresses: ['127.0.0.1'], caps } }
    const { source } = read({
      ...order,
      task: asPart({ ...share, routes, source: { unit, target } })
    }).task
    expect(source).toEqual({
      scenario: 'load/list',
      target: {
        ...{ name: 't', zones: {}, hosts: {}, credentials: {} },
        endpoints: { api: { url: 'http://127.0.0.1:1' } }
      }
    })
  })

  const [phase] = share.load.phases as [(typeof share.load.phases)[number]]
  const loading = (change: object) => ({ load: { ...share.load, ...change } })
  const lasting = (...seconds: number[]) =>
    loading({ phases: seconds.map((one) => ({ ...phase, seconds: one })) })
  test.each<[string, object, RegExp]>([
    ['seconds that are no number', lasting(Number.NaN), /task\.load\.phases\.0\.seconds/],
    ['seconds below 0', lasting(1_000, -1_000), /task\.load\.phases\.1\.seconds/],
    ['no seconds', lasting(0), /task\.load\.phases\.0\.seconds/],
    ['an end before the end', lasting(Infinity, 1), /only the last phase/],
    ['no phases', lasting(), /task\.load\.phases/],
    ['a rate beyond all', loading({ phases: [{ ...phase, to: 1e9 }] }), /phases\.0\.to/],
    ['a rate below 0', loading({ phases: [{ ...phase, from: -1 }] }), /phases\.0\.from/],
    ['connections beyond all', loading({ connections: 1e9 }), /task\.load\.connections/],
    ['a timeout without end', loading({ timeoutMs: Infinity }), /task\.load\.timeoutMs/],
    ['no model', loading({ model: 'none' }), /task\.load\.model/],
    ['a part that there is not', { share: { index: 2, count: 2 } }, /there is no such part/],
    ['a part of nothing', { share: { index: 0, count: 0 } }, /task\.share\.count/],
    ['a start at no time', { startAt: Number.NaN }, /task\.startAt/],
    ['another engine', { engine: 'other' }, /task\.engine/],
    ['nothing to ask', { source: { requests: [] } }, /task\.source/],
    ['what is no URL', { source: { requests: [{ url: 'file:///etc' }] } }, /task\.source/],
    ['needs of the sender', { source: { scenario: 'a', target, needs: [] } }, /task\.source/],
    ['routes of the sender', { routes: {} }, /task\.routes/]
  ])('with %s is none', (_, change, message) => {
    expect(() => read({ ...order, task: { ...order.task, ...change } })).toThrow(message)
  })

  test('that is something else is none', () => {
    expect(() => read([])).toThrow(/^the order is none: /)
    expect(() => read({ ...order, limitMs: -1 })).toThrow(/^the order is none: limitMs: /)
  })
})
