import { describe, expect, test } from 'vitest'
import { createMeterMemory } from '../../src/caps.ts'
import type { OpenOrder, TrialOrder } from '../../src/engine/load-worker.ts'
import { fileDigest } from '../../src/file-digest.ts'
import { restore, snapshot } from '../../src/fleet/live-snapshot.ts'
import { fromText, openingOf, readOrder, toText, trialOf } from '../../src/fleet/order.ts'
import { createSample } from '../../src/load/figures/sample.ts'
import {
  createLiveCounters,
  createLiveMemory,
  readLive
} from '../../src/load/health/live-counters.ts'
import { closed, hold, open } from '../../src/load/load.ts'

test.each([
  ['a load that only time ends', closed({ users: 3, seconds: 5 })],
  ['an open load', open(hold({ rate: 100, seconds: 1 }))],
  ['a precise one', { ...open(hold({ rate: 100, seconds: 1 })), precise: true }],
  ['bytes', { body: new Uint8Array([0, 255, 7]) }],
  ['what was never measured', { toMs: Number.NaN, fromMs: Infinity, health: undefined }]
])('%s arrives as it was sent', (_, value) => {
  expect(fromText(toText(value))).toEqual(value)
})

test('how a load goes elsewhere can be read here', () => {
  const [there, here] = [createLiveMemory(), createLiveMemory()]
  const live = createLiveCounters(there)
  for (const end of [1, 5, 5, 700]) {
    live.begin()
    live.record(
      Object.assign(createSample(), { ending: 'answered', status: 200, due: 0, end }),
      true
    )
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
    ...{
      name: 't',
      zones: { pro: 'f00' },
      hosts: {},
      credentials: {},
      adapter: '/elsewhere/adapter.ts'
    },
    endpoints: { api: { url: 'http://127.0.0.1:1', route: { addresses: ['127.0.0.1'] } } }
  }
  const connecting = { transport: 'wire' as const, connections: 1, pipelining: 1, timeoutMs: 500 }
  const requests = [{ url: 'http://127.0.0.1:1/', body: new Uint8Array([1]) }]
  const routes = { 'http://127.0.0.1:1': { addresses: [] } }
  const opening: OpenOrder = {
    destinations: [{ ...connecting, verifyTls: true, source: { requests }, routes }],
    share: { index: 0, count: 1 },
    withinMs: Infinity
  }
  const going: TrialOrder = {
    to: [0],
    load: open(hold({ rate: 50, seconds: 10 })),
    ...{ seed: 1, startAt: 1, live: [createLiveMemory()], stop: new SharedArrayBuffer(4) }
  }
  const sent = { id: '1', lease: 'l', version: '1', thread: 0, limitMs: 1_000 }
  const opened = { ...openingOf(opening), ...sent }
  const trial = { ...trialOf(going), ...sent }
  const read = (given: object) => readOrder(toText(given))

  test('arrives as it was sent, without what is only of use there', () => {
    for (const order of [opened, trial, { ...trial, traced: 0.5 }, { kind: 'close', ...sent }]) {
      expect(read(order)).toEqual(order)
    }
    const ended = closed({ users: 3, iterations: 5 })
    expect(read({ ...trial, limitMs: Infinity, load: ended })).toBeTruthy()
    const unit = { scenario: 'load/list', file: import.meta.filename, needs: [] } as never
    const meter = createMeterMemory()
    const caps = { requestsPerSecond: 1, seconds: 1, untilMs: 1, meter }
    const capped = { 'http://127.0.0.1:1': { addresses: ['127.0.0.1'], caps } }
    const destinations = [{ ...connecting, source: { unit, target }, routes: capped }]
    const order = { ...openingOf({ ...opening, destinations }), ...sent }
    expect(read(order)).toMatchObject({
      destinations: [
        {
          verifyTls: true,
          source: {
            scenario: 'load/list',
            digest: fileDigest(import.meta.filename),
            target: {
              ...{ name: 't', tables: { zones: { pro: 'f00' }, hosts: {}, credentials: {} } },
              endpoints: { api: { url: 'http://127.0.0.1:1' } }
            }
          }
        }
      ]
    })
  })

  const [phase] = going.load.phases as [(typeof going.load.phases)[number]]
  const loading = (change: object) => ({ load: { ...going.load, ...change } })
  const lasting = (...seconds: number[]) =>
    loading({ phases: seconds.map((one) => ({ ...phase, seconds: one })) })
  test.each<[string, object, RegExp]>([
    ['seconds that are no number', lasting(Number.NaN), /load\.phases\.0\.seconds/],
    ['seconds below 0', lasting(1_000, -1_000), /load\.phases\.1\.seconds/],
    ['no seconds', lasting(0), /load\.phases\.0\.seconds/],
    ['an end before the end', lasting(Infinity, 1), /only the last phase/],
    ['no phases', lasting(), /load\.phases/],
    ['a rate beyond all', loading({ phases: [{ ...phase, to: 1e9 }] }), /phases\.0\.to/],
    ['a rate below 0', loading({ phases: [{ ...phase, from: -1 }] }), /phases\.0\.from/],
    ['connections beyond all', loading({ connections: 1e9 }), /load\.connections/],
    ['a timeout without end', loading({ timeoutMs: Infinity }), /load\.timeoutMs/],
    ['no model', loading({ model: 'none' }), /load\.model/],
    ['a start at no time', { startAt: Number.NaN }, /startAt/],
    ['more traced than all', { traced: 2 }, /traced/],
    ['a destination that cannot be', { to: [-1] }, /to\.0/],
    ['no such kind', { kind: 'other' }, /kind/]
  ])('with %s is none', (_, change, message) => {
    expect(() => read({ ...trial, ...change })).toThrow(message)
  })

  const [destination] = opened.destinations
  const to = (change: object) => ({ destinations: [{ ...destination, ...change }] })
  const foreign = { scenario: 'a', digest: '', target }
  test.each<[string, object, RegExp]>([
    ['a part that there is not', { share: { index: 2, count: 2 } }, /there is no such part/],
    ['a part of nothing', { share: { index: 0, count: 0 } }, /share\.count/],
    ['nowhere to go', { destinations: [] }, /destinations/],
    ['another transport', to({ transport: 'other' }), /transport/],
    ['connections beyond all', to({ connections: 1e9 }), /connections/],
    ['a timeout without end', to({ timeoutMs: Infinity }), /timeoutMs/],
    ['nothing to ask', to({ source: { requests: [] } }), /source/],
    ['what is no URL', to({ source: { requests: [{ url: 'file:///etc' }] } }), /source/],
    ['needs of the sender', to({ source: { ...foreign, needs: [] } }), /source/],
    ['routes of the sender', to({ routes: {} }), /routes/]
  ])('to open with %s is none', (_, change, message) => {
    expect(() => read({ ...opened, ...change })).toThrow(message)
  })

  test('that is something else is none', () => {
    expect(() => read([])).toThrow(/^the order is none: /)
    expect(() => read({ ...trial, limitMs: -1 })).toThrow(/^the order is none: limitMs: /)
  })
})
