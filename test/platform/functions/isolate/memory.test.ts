import { afterAll, describe, expect, test } from 'vitest'
import { limitsOf, openTestIsolates, specOf } from './isolates.ts'

const code = `
const MiB = 1_048_576
const kept = []
let counter = 0
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const grow = {
  heap(to) { const kept = []; for (let i = 0; i < to; i++) kept.push(new Array(131_072).fill(i + 0.5)); return kept },
  async slowly(to) { const kept = []; for (let i = 0; i < to; i++) { kept.push(new Array(131_072).fill(i + 0.5)); await sleep(1) } return kept },
  buffers(to) { return Array.from({ length: to }, () => new Uint8Array(MiB).fill(1)) },
  wasm(to) { return new WebAssembly.Memory({ initial: to * 16 }) },
  map(to) { const map = new Map(); for (let i = 0; i < to * 12_000; i++) map.set(i, { i }); return map },
  array(to) { return new Array(to * 131_072).fill(1.5) }
}
const garbage = {
  async buffers() { for (let i = 0; i < 400; i++) { new Uint8Array(MiB).fill(1); if (i % 20 === 0) await null } },
  async json() { const text = JSON.stringify(Array.from({ length: 5_000 }, (_, i) => ({ i, s: 'x' + i }))); for (let i = 0; i < 60; i++) { JSON.parse(text); await null } }
}
export default { async fetch(request) {
  const { pathname, searchParams } = new URL(request.url)
  const [, what, how] = pathname.split('/')
  const to = Number(searchParams.get('to'))
  counter++
  if (what === 'grow') { const held = await grow[how](to); await sleep(1); return new Response('held ' + Boolean(held)) }
  if (what === 'garbage') { await garbage[how](); return new Response('collected') }
  if (what === 'keep') kept.push(new Uint8Array(to * MiB).fill(1))
  if (what === 'sleep') await sleep(to)
  return new Response(String(counter))
} }`

const cpuMs = { fetch: 20_000, scheduled: 50, queue: 50, alarm: 50 }
const spec = specOf(code, { limits: limitsOf({ cpuMs }) })
const isolates = openTestIsolates({ spares: 1 })
afterAll(isolates.close)

const gradually = ['heap', 'slowly', 'buffers']
const atOnce = ['wasm', 'map', 'array']

describe('one request that takes too much', () => {
  test.each([...gradually, ...atOnce])('%s: is cancelled', async (how) => {
    const { record } = await isolates.ask(spec, { path: `/grow/${how}?to=250` })
    expect(record.outcome).toBe('exceededMemory')
  })

  test.each([...gradually, ...atOnce])('%s: is not, while it takes little', async (how) => {
    expect(await isolates.ask(spec, { path: `/grow/${how}?to=40` })).toMatchObject({
      text: 'held true',
      record: { outcome: 'ok' }
    })
  })

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

test.each(['buffers', 'json'])('garbage does not count: %s', async (what) => {
  const { text, record } = await isolates.ask(spec, { path: `/garbage/${what}` })
  expect({ text, outcome: record.outcome }).toEqual({ text: 'collected', outcome: 'ok' })
})

test('by other rules buffers do not count', async () => {
  await using lax = openTestIsolates({ rules: { buffersCount: false } })
  const { record } = await lax.ask(spec, { path: '/grow/buffers?to=300' })
  expect(record.outcome).toBe('ok')
})

test('by other rules everybody is cancelled with the one that took too much', async () => {
  await using harsh = openTestIsolates({ rules: { memoryVictims: 'all' } })
  await harsh.check(spec)
  const innocent = harsh.ask(spec, { path: '/sleep?to=5000' })
  await harsh.ask(spec, { path: '/grow/buffers?to=250' })
  expect((await innocent).record.outcome).toBe('exceededMemory')
})
