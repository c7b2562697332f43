import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../src/engine/pool.ts'
import { createStop } from '../../src/engine/stop.ts'
import type { Unit } from '../../src/engine/unit.ts'
import { Faulty } from '../../src/fault.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-pool-'))
const target = { name: 'none', endpoints: {}, zones: {}, hosts: {}, credentials: {} }
const pool = createPool({ workers: 1, onQuestion() {}, mostMs: 6_000 })
afterAll(() => pool.close())

/** The work of a check whose code is this. */
function work(name: string, code: string, by = pool) {
  const file = join(folder, `${name}.ts`)
  const text = `import { check } from 'plimsoll'
export default check({ title: 'x', clauses: ['c'], async run() { ${code} } })`
  writeFileSync(file, text)
  const unit: Unit = {
    ...{ scenario: name, file, kind: 'check', title: 'x', key: '', clauses: ['c'] },
    ...{ needs: [], alone: [], tier: 'quick' }
  }
  const { signal } = new AbortController()
  return by.work({ unit, target, seed: 1, stop: createStop().buffer }, signal)
}

/** Holds its thread as a loop without end does, but keeps no core busy meanwhile. */
const holding = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

test('code that never ends is ended, and its thread does the next work', async () => {
  await expect(work('endless', 'for (;;);')).rejects.toThrow('did not end within 6 s')
  const because = 'did not end within 3 s; its thread was ended'
  const nothing = { evidence: { kind: 'none', outcome: 'error', because } }
  await expect(work('waiting', 'await new Promise(() => {})')).resolves.toMatchObject([nothing])
  await expect(work('fine', '')).resolves.toMatchObject([{ clause: 'c' }])
}, 60_000)

test('what code throws comes back as a fault with its place', async () => {
  const thrown = await work('throwing', 'throw new RangeError("far")').catch((cause) => cause)
  expect(thrown).toBeInstanceOf(Faulty)
  expect(thrown.fault).toMatchObject({ name: 'RangeError', message: 'far', line: 2 })
})

test('a thread that stands still is ended long before its work is due', async () => {
  const watched = createPool({ workers: 1, onQuestion() {}, stillMs: 4_000 })
  onTestFinished(watched.close)
  await expect(work('still', holding, watched)).rejects.toThrow(
    'stood still for 4 s, as in a loop without end; its thread was ended'
  )
  // One that only takes its time turns, and so do those that come after it.
  const taking = 'await new Promise((resolve) => setTimeout(resolve, 5_000))'
  await expect(work('slow', taking, watched)).resolves.toMatchObject([{ clause: 'c' }])
}, 60_000)

test('a loop that is left behind is whose it is, and not of who comes next', async () => {
  const watched = createPool({ workers: 1, onQuestion() {}, stillMs: 4_000 })
  onTestFinished(watched.close)
  await work('trap', `setTimeout(() => { ${holding} }, 50)`, watched)
  await new Promise((resolve) => setTimeout(resolve, 500))
  await expect(work('next', '', watched)).resolves.toMatchObject([{ clause: 'c' }])
  const left = await watched.settle(new AbortController().signal)
  expect(left).toMatchObject([
    { scenario: 'trap', fault: { message: expect.stringMatching(/stood still/) } }
  ])
}, 60_000)

test.each([
  ['an interval', 'setInterval(() => { throw null }, 300)'],
  ['a timeout', 'setTimeout(() => { throw null }, 300)'],
  ['a timeout without its listeners', 'setTimeout(() => { throw null }, 300); deafen()']
])(
  '%s that throws after the last verdict is heard of all the same',
  async (_, code) => {
    const watched = createPool({ workers: 2, onQuestion() {} })
    onTestFinished(watched.close)
    const deafen = 'const deafen = () => setTimeout(() => process.removeAllListeners(), 100);'
    await work('leaving', `${deafen} ${code}`, watched)
    const left = await watched.settle(new AbortController().signal)
    expect(left).toMatchObject([{ scenario: 'leaving' }])
    expect(await watched.settle(new AbortController().signal)).toHaveLength(1)
  },
  60_000
)

test('what is waited for no longer is ended, wherever it stands', async () => {
  const watched = createPool({ workers: 1, onQuestion() {} })
  onTestFinished(watched.close)
  const text = `import { capacity } from 'plimsoll'
export default capacity({ title: 'x', perSecond: 5, p99Ms: 50, request() { ${holding} } })`
  const file = join(folder, 'asking.ts')
  writeFileSync(file, text)
  const unit: Unit = {
    ...{ scenario: 'asking', file, kind: 'capacity', title: 'x', key: '', clauses: [] },
    ...{ needs: [], alone: [], tier: 'quick' }
  }
  await expect(
    watched.requests({ unit, target, seed: 1 }, AbortSignal.timeout(2_000))
  ).rejects.toThrow()
  await expect(work('after', '', watched)).resolves.toMatchObject([{ clause: 'c' }])
}, 60_000)
