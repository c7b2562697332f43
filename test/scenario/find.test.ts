import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { find, load } from '../../src/scenario/find.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-find-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
  return { id: name, file: join(folder, name) }
}

test('every module below the folder is a scenario, save private parts and tests', () => {
  const names = [
    'b.ts',
    'a/x.ts',
    'a/y.mjs',
    '_part.ts',
    'a/_b/c.ts',
    'z.test.ts',
    'z.d.ts',
    '.c.ts'
  ]
  for (const name of [...names, 'clauses.json', 'node_modules/n/i.js']) write(name, '')
  expect(find(folder).map(({ id }) => id)).toEqual(['a/x', 'a/y', 'b'])
})

test('a folder that is not there is named', () => {
  expect(() => find(join(folder, 'nowhere'))).toThrow(/no scenarios folder at .*nowhere/)
})

test.each([
  ['exports-nothing.mjs', 'export const x = 1', /exports-nothing\.mjs: exports no scenario/],
  ['exports-other.mjs', 'export default { kind: "cake" }', /exports no scenario/],
  [
    'throws.mjs',
    'throw new RangeError("too far")',
    /throws\.mjs:1:7: does not load: RangeError: too far/
  ],
  ['imports.mjs', 'import "nowhere-at-all"', /imports\.mjs:1:1: does not load: .*nowhere-at-all/]
])('%s has one clear message', async (name, text, message) => {
  await expect(load(write(name, text))).rejects.toThrow(message)
})
