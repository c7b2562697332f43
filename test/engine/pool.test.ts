import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Unit } from '../../src/engine/plan.ts'
import { createPool } from '../../src/engine/pool.ts'
import { createStop } from '../../src/engine/stop.ts'
import { Faulty } from '../../src/fault.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-pool-'))
const target = { name: 'none', endpoints: {}, zones: {}, hosts: {}, credentials: {} }
const pool = createPool({ workers: 1, onQuestion() {}, mostMs: 2_000 })
afterAll(() => pool.close())

/** The work of a check whose code is this. */
function work(name: string, code: string) {
  const file = join(folder, `${name}.ts`)
  const text = `import { check } from 'plimsoll'
export default check({ title: 'x', clauses: ['c'], async run() { ${code} } })`
  writeFileSync(file, text)
  const unit: Unit = {
    ...{ scenario: name, file, kind: 'check', title: 'x', key: '', clauses: ['c'] },
    ...{ needs: [], alone: [], tier: 'quick' }
  }
  const { signal } = new AbortController()
  return pool.work({ unit, target, seed: 1, stop: createStop().buffer }, signal)
}

test('code that never ends is ended, and its thread does the next work', async () => {
  await expect(work('endless', 'for (;;);')).rejects.toThrow('did not end within 2 s')
  await expect(work('waiting', 'await new Promise(() => {})')).rejects.toThrow('did not end within')
  await expect(work('fine', '')).resolves.toMatchObject([{ clause: 'c' }])
})

test('what code throws comes back as a fault with its place', async () => {
  const thrown = await work('throwing', 'throw new RangeError("far")').catch((cause) => cause)
  expect(thrown).toBeInstanceOf(Faulty)
  expect(thrown.fault).toMatchObject({ name: 'RangeError', message: 'far', line: 2 })
})
