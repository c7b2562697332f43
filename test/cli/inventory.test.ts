import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readInventory } from '../../src/cli/inventory.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-inventory-'))
writeFileSync(join(folder, 'file'), '')
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['none', /--scenarios .*none: there is no folder of that name; `plimsoll init SOURCE` writes/],
  ['file', /--scenarios .*file: it is no folder/],
  ['', /has no clauses\.json: list there what the document states/]
])('a folder of scenarios that is none is told: "%s"', async (name, message) => {
  await expect(readInventory(join(folder, name))).rejects.toThrow(message)
})
