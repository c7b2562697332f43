import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ownModule } from '../../src/scenario/own-module.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-own-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['t', 't.ts'],
  ['s', 's.ts'],
  ['js', 'js.js'],
  ['m', 'm.mts'],
  ['area/js', 'area/js.mjs']
])('the own modules of a document are beside a scenario called %s', async (id, name) => {
  const file = join(folder, '_own.js')
  writeFileSync(file, 'export const own = 1')
  const found = await ownModule({ id, file: join(folder, name) }, '_own')
  expect(found).toMatchObject({ file, exported: { own: 1 } })
})
