import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readScenarios } from '../../src/engine/reader.ts'

test('a module that never comes to its end is named, and waited for no longer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-reader-'))
  const found = ['first', 'endless'].map((id) => ({ id, file: join(folder, `${id}.ts`) }))
  const check = `import { check } from 'plimsoll'
export default check({ title: 'x', clauses: ['c'], async run() {} })`
  writeFileSync(found[0]!.file, check)
  writeFileSync(found[1]!.file, `for (;;);\n${check}`)
  const { planned, faults } = await readScenarios(found, new Map(), 6_000)
  expect(planned.map(({ id }) => id)).toEqual(['first'])
  expect(faults).toEqual([{ name: '', message: 'did not load within 6 s', file: found[1]!.file }])
}, 60_000)
