import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'

/** What those who write a document of their own get wrong, and what they are told. */
const check = (needs: string, body: string) => `import { check } from 'plimsoll'
export default check({
  title: 'x', clauses: ['one'], needs: [${needs}],
  async run({ service, adapter, shelves, verify }) { ${body} }
})`
const asked = "const reply = await service.get('/'); verify('one', true, reply)"
const sending = (kind: string, rest: string) => `import { ${kind}, closed } from 'plimsoll'
export default ${kind}({
  title: 'x', needs: ['service'], ${rest},
  request: ({ service, shelves }) => service.get('/' + shelves.s)
})`
const scenarios = {
  'read.ts': check("'service'", 'shelves.s.toUpperCase()'),
  'capable.ts': check("'service', 'shelf'", 'await adapter.shelf()'),
  'load.ts': sending('load', 'load: closed({ connections: 1, seconds: 1 }), objectives: {}'),
  'capacity.ts': sending('capacity', 'perSecond: 10, p99Ms: 50, seconds: 5')
}
const targetParts = `export const target = {
  tables: ['shelves'],
  capabilities: ({ shelves }) => ({ shelf: async () => shelves.s.toUpperCase() })
}`

const paths = new Set<string>()
const server = createServer(({ url }, response) => {
  paths.add(url!)
  response.end('{}')
})
const folders: string[] = []
let url: string
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** A document of these files, and of a target that is described like this. */
function document(files: Record<string, string>, target: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-slips-'))
  folders.push(folder)
  const clauses = [{ id: 'one', kind: 'rule', documented: 'it does' }]
  const described = { name: 'a target', endpoints: { service: { url } }, ...target }
  const all = { 'clauses.json': JSON.stringify(clauses), ...files }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'target.json'), JSON.stringify(described))
  return folder
}

test('an entry that the target does not name blocks checks, adapters and loads', async () => {
  const folder = document({ ...scenarios, '_target.js': targetParts })
  const { code, json } = await plimsollJson('run', '--tier', 'full', '--scenarios', folder)
  const because = expect.stringMatching(/the target names no "s" in "shelves": add it to .*t\.json/)
  expect(json.verdicts).toHaveLength(4)
  for (const one of json.verdicts) expect(one).toMatchObject({ outcome: 'blocked', because })
  expect(code).toBe(2)
  expect([...paths].filter((path) => path.includes('undefined'))).toEqual([])
})

test.each([
  ['a table that is a list', { shelves: ['t'] }, 'shelves'],
  ['a name of a header', { endpoints: { service: { url: 'URL', headers: { 'a b': '' } } } }, 'a b'],
  ['a header of two lines', { endpoints: { service: { url: 'URL', headers: { a: '\n' } } } }, 'a'],
  ['a URL of something else', { endpoints: { a: { url: 'ftp://x' } } }, 'endpoints.a.url: '],
  ['a misspelt field', { endpoints: { a: { url: 'URL', verifytls: false } } }, 'verifyTls']
])('%s is told with file and field before anything is sent', async (_, target, field) => {
  const told = JSON.parse(JSON.stringify(target).replace('URL', url))
  const folder = document({ 'one.ts': check("'service'", asked), '_target.js': targetParts }, told)
  const { code, stderr } = await plimsoll('run', '--scenarios', folder)
  expect([code, stderr]).toEqual([64, expect.stringContaining('target.json: ')])
  expect(stderr).toContain(field)
})
