import { afterAll, describe, expect, test } from 'vitest'
import { codeOf, limitsOf, openTestIsolates, specOf } from './isolates.ts'

const code = codeOf('growing')

const cpuMs = { fetch: 20_000, scheduled: 50, queue: 50, alarm: 50 }
const env = { KV: { kind: 'kv', id: 'store' } } as const
const spec = specOf(code, { limits: limitsOf({ cpuMs }), env })
const slowly = () => new Promise<never>(() => {})
const isolates = openTestIsolates({ spares: 1, services: { call: slowly } })
afterAll(isolates.close)

const gradually = ['heap', 'slowly', 'buffers']
const atOnce = ['wasm', 'map', 'array']
/** What is in no heap and no buffer of the function. */
const outside = ['blobs', 'files', 'parts', 'copies', 'readers', 'keys', 'digested', 'given']

describe('one request that takes too much', () => {
  test.each([...gradually, ...atOnce, ...outside])('%s: is cancelled', async (how) => {
    const { record } = await isolates.ask(spec, { path: `/grow/${how}?to=250` })
    expect(record.outcome).toBe('exceededMemory')
  })

  test.each([...gradually, ...atOnce, ...outside])(
    '%s: is not, while it takes little',
    async (how) => {
      expect(await isolates.ask(spec, { path: `/grow/${how}?to=40` })).toMatchObject({
        text: 'held true',
        record: { outcome: 'ok' }
      })
    }
  )

  test.each(gradually)('%s: those beside it live on', async (how) => {
    const innocents = [1, 2].map(() => isolates.ask(spec, { path: '/sleep?to=300' }))
    const { record } = await isolates.ask(spec, { path: `/grow/${how}?to=250` })
    expect(record).toMatchObject({ outcome: 'exceededMemory' })
    expect(record.peakMemoryBytes).toBeGreaterThan(spec.limits.memoryBytes)
    for (const innocent of await Promise.all(innocents)) expect(innocent.record.outcome).toBe('ok')
  })
})

test('what a function keeps counts too, and the next one meets a fresh instance', async () => {
  isolates.evict(spec.id)
  const kept = []
  for (const to of [70, 40, 40]) kept.push(await isolates.ask(spec, { path: `/keep?to=${to}` }))
  expect(kept.map(({ record }) => record.outcome)).toEqual(['ok', 'ok', 'exceededMemory'])
  expect(await isolates.ask(spec)).toMatchObject({ text: '1' })
})

test.each(['buffers', 'json', 'blobs', 'shared'])('garbage does not count: %s', async (what) => {
  const { text, record } = await isolates.ask(spec, { path: `/garbage/${what}` })
  expect({ text, outcome: record.outcome }).toEqual({ text: 'collected', outcome: 'ok' })
})

test('by other rules buffers do not count', async () => {
  await using lax = openTestIsolates({ rules: { buffersCount: false } })
  const { record } = await lax.ask(spec, { path: '/grow/buffers?to=300' })
  expect(record.outcome).toBe('ok')
})
