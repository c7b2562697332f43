import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { target as ours } from '../../scenarios/_target.ts'
import { demanding } from '../../src/scenario/named.ts'
import { targetPartsOf } from '../../src/scenario/target-parts.ts'
import { withTables } from '../../src/target/target.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function partsOf(text?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-target-'))
  folders.push(folder)
  if (text !== undefined) writeFileSync(join(folder, '_target.js'), text)
  return targetPartsOf({ id: 'area/one', file: join(folder, 'area/one.js') })
}

test('a document lists the tables of its targets; one that says nothing has none', async () => {
  expect(await partsOf()).toEqual({ tables: [] })
  const tables = ['shelves', 'doors']
  const text = `export const target = { tables: ${JSON.stringify(tables)}, disposable: 'doors' }`
  expect(await partsOf(text)).toEqual({ tables, disposable: 'doors' })
})

test.each([
  'export const targets = []',
  "export const target = { tables: 'shelves' }",
  "export const target = { tables: ['shelves'], disposable: 'doors' }",
  "export const target = { tables: ['endpoints'] }",
  'export const target = { tables: [], capabilities: {} }',
  'export const target = { tabels: [] }'
])('what is wrong with it is told with its file: %s', async (text) => {
  await expect(partsOf(text)).rejects.toThrow(/_target\.js: write `export const target = /)
})

test('of our targets only a zone that was given up by name may be used up', async () => {
  const zones = { pro: 'a1', business: 'b2' }
  const tables = { zones, hosts: { pro: 'pro.test' }, credentials: {} }
  const staging = withTables({ name: 'staging', endpoints: {}, disposable: ['pro'] }, tables)
  const { disposableZone } = ours.capabilities!(demanding(staging))
  expect(await disposableZone!('pro')).toEqual({ id: 'a1', host: 'pro.test' })
  const refused = '"business" would be used up: allow it with --allow-irreversible business'
  await expect(disposableZone!('business')).rejects.toThrow(refused)
  await expect(disposableZone!('free')).rejects.toThrow('names no "free" in "zones"')
})
