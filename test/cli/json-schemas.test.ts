import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import { beforeAll, expect, test } from 'vitest'
import { readTarget } from '../../src/cli/targets/target.ts'
import { parseInventory } from '../../src/scenario/clause.ts'
import { parseAuthorisations } from '../../src/target/authorise.ts'
import { parseExpectations } from '../../src/verdict/expectation.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-schemas-'))
beforeAll(() => {
  execFileSync(process.execPath, [resolve('src/cli/json-schemas.ts'), folder])
})

/** Whether an editor marks nothing in a file. */
function isClean(name: string, file: unknown): boolean {
  const schema = JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8'))
  return new Ajv({ strict: true, allowUnionTypes: true }).compile(schema)(file)
}

/** The JSON that stands in a README after some words. */
function blockAfter(page: string, words: string): unknown {
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf('```json\n', text.indexOf(words))
  expect(text).toContain(words)
  return JSON.parse(text.slice(from + 8, text.indexOf('```', from + 8)))
}

const $schema = './node_modules/plimsoll/dist/schemas/x.schema.json'
const clause = { id: 'a', kind: 'rule', documented: 'so it is' }
const target = {
  name: 'a',
  endpoints: { service: { url: 'http://127.0.0.1:1', headers: { a: 'b' } } }
}
const day = '2099-12-31'
const entry = { host: 'a', authorisedBy: 'b', until: day, requestsPerSecond: 1, seconds: 1 }
const expectations = { schema: 'plimsoll-expectations/1' }

test.each<[string, unknown]>([
  ['clauses', JSON.parse(readFileSync('scenarios/clauses.json', 'utf8'))],
  ['clauses', { $schema, clauses: [clause] }],
  ['target', blockAfter('scenarios/README.md', 'Where it is (`scenarios/target.json`')],
  ['target', blockAfter('scenarios/README.md', "## The target's file")],
  ['target', { $schema, ...target, anyTable: { a: 'b' } }],
  ['authorisation', blockAfter('README.md', 'plimsoll.authorisation.json')],
  ['authorisation', { $schema, targets: [entry] }],
  ['expectations', { $schema, ...expectations }]
])('an editor marks nothing in a right %s file', (name, file) => {
  expect(isClean(name, file)).toBe(true)
})

test.each<[string, unknown]>([
  ['clauses', [{ ...clause, kind: 'limt' }]],
  ['clauses', [{ id: 'a', kind: 'rule' }]],
  ['clauses', { $schema, claims: [clause] }],
  ['clauses', [{ ...clause, id: 'A b' }]],
  ['target', { ...target, endpoints: { service: 'http://127.0.0.1' } }],
  ['target', { ...target, hosts: { pro: 1 } }],
  ['authorisation', { targets: [{ ...entry, seconds: 0 }] }],
  ['authorisation', { targets: [{ ...entry, more: 1 }] }],
  ['expectations', { ...expectations, deviations: [{ clause: 'a' }] }],
  ['expectations', { schema: 'plimsoll-expectations/2' }]
])('an editor marks what is wrong in a %s file: %j', (name, file) => {
  expect(isClean(name, file)).toBe(false)
})

test('the address of a schema is taken where a file is read', () => {
  const told = (file: object) => JSON.stringify({ $schema, ...file })
  expect(parseInventory(told({ clauses: [clause] }), 'f').size).toBe(1)
  expect(parseAuthorisations(told({ targets: [entry] }), 'f')).toEqual([entry])
  expect(parseExpectations(told(expectations), 'f')).toMatchObject(expectations)
  const file = join(folder, 'target.json')
  writeFileSync(file, told(target))
  expect(readTarget(file, [])).toEqual({ ...target, file, adapter: undefined })
})
