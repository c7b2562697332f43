import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folders, isAbout, isExact } from './about.ts'

const root = join(import.meta.dirname, '../../..')
const isAside = (file: string) => /(^|\/)(mutants?|unenforced)(\/|\.ts$)/.test(file)
const files = globSync('src/platform/**/*.ts', { cwd: root }).filter((one) => !isAside(one))
const scenarios = globSync('scenarios/*/*.ts', { cwd: root }).map((path) => path.slice(10, -3))

test('what is declared is there', () => {
  for (const [beginning, those] of Object.entries(folders)) {
    expect(
      files.some((file) => file.startsWith(`src/platform/${beginning}`)),
      beginning
    ).toBe(true)
    for (const folder of those)
      expect(
        scenarios.some((scenario) => scenario.startsWith(folder)),
        folder
      ).toBe(true)
  }
})

test('somebody is about each file, and nobody about all of them', () => {
  for (const file of files)
    expect(
      scenarios.some((scenario) => isAbout(scenario, file)),
      file
    ).toBe(true)
  for (const scenario of scenarios)
    expect(
      files.every((file) => isAbout(scenario, file)),
      scenario
    ).toBe(false)
})

test.each([
  ['a part', 'waf/levels', 'waf/ruleset.ts', true],
  ['another part', 'waf/levels', 'gateway/call.ts', false],
  ['what is spoken everywhere', 'edge/http2', 'kernel/http/http2-message.ts', true],
  ['one scenario of another folder', 'policies/http2', 'kernel/http/http2.ts', true],
  ['and no other', 'policies/fields', 'kernel/http/http2.ts', false],
  ['what only some operations are', 'edge/http2', 'kernel/api/paging.ts', false],
  ['a permission of an operation', 'authentication/permissions', 'waf/ruleset-operations.ts', true],
  ['what is behind an operation', 'authentication/permissions', 'waf/ruleset.ts', false]
])('%s', (_, scenario, path, is) => {
  expect(isAbout(scenario, `src/platform/${path}`)).toBe(is)
})

test('a clause is exact whoever judges it, where one who is about the file does as well', () => {
  const file = 'src/platform/management/identity.ts'
  const units = [{ scenario: 'authentication/bearer', clauses: ['auth.bearer'] }]
  const by = (clause: string) =>
    isExact({ scenario: 'waf/every-operation', clause }, { file, units })
  expect(by('auth.bearer')).toBe(true)
  expect(by('waf-migration.check')).toBe(false)
})
