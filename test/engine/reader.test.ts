import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readScenarios } from '../../src/engine/reader.ts'

/** Never ends, either, but keeps no core busy meanwhile. */
const holding = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

test('modules that never come to their end are named, and those after them are read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-reader-'))
  const found = ['first', 'endless', 'next', 'again', 'last'].map((id) => ({
    id,
    file: join(folder, `${id}.ts`)
  }))
  const check = `import { check } from 'plimsoll'
export default check({ title: 'x', clauses: ['c'], async run() {} })`
  const endless: Record<string, string> = { endless: 'for (;;);', again: holding }
  const hangs = (id: string) => id in endless
  for (const { id, file } of found) writeFileSync(file, `${endless[id] ?? ''}\n${check}`)
  const { planned, faults, sources } = await readScenarios(found, new Map(), { patienceMs: 6_000 })
  expect(planned.map(({ id }) => id)).toEqual(found.map(({ id }) => id))
  const message = 'did not load within 6 s'
  const told = found.map(({ id, file }) => (hangs(id) ? { name: '', message, file } : undefined))
  expect(planned.map(({ units }) => units[0]!.fault)).toEqual(told)
  expect(faults).toEqual([])
  expect(sources).toBeUndefined()
}, 60_000)

test('a module of the document itself that never comes to its end is named, once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-reader-'))
  const own = join(folder, '_target.ts')
  writeFileSync(own, holding)
  const found = ['one', 'two'].map((id) => ({ id, file: join(folder, `${id}.ts`) }))
  for (const { file } of found) writeFileSync(file, 'export default 1')
  const { planned, faults } = await readScenarios(found, new Map(), { patienceMs: 3_000 })
  expect(planned).toEqual([])
  expect(faults).toEqual([{ name: '', message: 'did not load within 3 s', file: own }])
}, 60_000)
