import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'

const length = { id: 'names.length', kind: 'limit', documented: '40', unit: 'characters' }
const cut = { id: 'names.cut', kind: 'rule', documented: 'an order with a longer one is taken' }

/** Taken with 40 characters and what is beyond them, which says nothing where nothing is beyond. */
const scenarios = {
  'names/length': `import { accepted, limit, rejected } from 'plimsoll'
export default limit({
  title: 'A name has 40 characters', max: 40, clause: 'names.length',
  unit: 'characters', needs: ['service'],
  async probe(length, { service }) {
    const reply = await service.post('/', { json: { name: 'x'.repeat(length) } })
    return reply.json?.name.length === length ? accepted(reply) : rejected(reply)
  }
})
`,
  'names/cut': `import { check } from 'plimsoll'
export default check({
  title: 'A longer name is cut, and its order taken', clauses: ['names.cut'], needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.post('/', { json: { name: 'x'.repeat(50) } })
    verify('names.cut', reply.status === 200, reply)
  }
})
`
}
const broken = join('other', 'broken.ts')

/** The service as it is today; each test begins with one that keeps its word. */
const service = { most: 40, status: 200 }
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const name = text === '' ? 'up' : JSON.parse(text).name.slice(0, service.most)
  response.statusCode = service.status
  response.end(JSON.stringify({ name }))
}).listen(0, '127.0.0.1')

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-presupposed-'))
let target: string[]

beforeAll(async () => {
  if (!server.listening) await once(server, 'listening')
  for (const area of ['names', 'other']) mkdirSync(join(folder, area))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  target = ['--scenarios', folder, '--target', url]
})
afterAll(() => void server.close())
beforeEach(() => {
  Object.assign(service, { most: 40, status: 200 })
  for (const [id, text] of Object.entries(scenarios)) writeFileSync(join(folder, `${id}.ts`), text)
  rmSync(join(folder, broken), { force: true })
  list(length, { ...cut, presupposes: ['names.length'] })
})

function list(...clauses: object[]) {
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify(clauses))
}

/** Outcomes by clause of the one scenario that was asked for, and of what it presupposes. */
async function outcomes(...flags: string[]) {
  const { code, json } = await plimsollJson('run', 'names/cut', ...target, ...flags)
  const verdicts = json.verdicts.map(({ clause, outcome }: any) => [clause, outcome])
  return { code, json, verdicts: Object.fromEntries(verdicts) }
}

test('what is presupposed is asked, too, and where it holds nothing else changes', async () => {
  // What does not load, and is not needed, is nobody's matter.
  writeFileSync(join(folder, broken), 'export default nothing')
  const kept = await outcomes()
  expect(kept.verdicts).toEqual({ 'names.length': 'pass', 'names.cut': 'pass' })
  expect(kept.code).toBe(0)
  service.status = 422
  const refused = await outcomes()
  expect(refused.verdicts).toMatchObject({ 'names.cut': 'fail' })
})

test('without the limit what follows from it is inapplicable, then and judged again', async () => {
  service.most = Infinity
  const run = await plimsoll('run', 'names', ...target)
  expect(run.stdout).toMatch(/– inapplicable +names\.cut +it presupposes names\.length, which was/)
  expect(run.stdout).toMatch(/✘ 1 clause fails\n +1 fail · 1 inapplicable\n/)
  expect(run.code).toBe(1)
  const read = (name: string) => readFileSync(join(run.out, 'latest', name), 'utf8')
  const lines = read('results.ndjson').trim().split('\n')
  const saved = lines.map((line) => JSON.parse(line)).filter(({ t }) => t === 'verdict')
  // It is on disk as it is concluded, after what it presupposes, with its evidence.
  expect(saved.map(({ clause, outcome }) => `${clause} ${outcome}`)).toEqual([
    ...['names.length fail', 'names.cut inapplicable']
  ])
  expect(saved[1]).toMatchObject({ presupposes: ['names.length'] })
  expect(saved[1].evidence.attempts[0]).toMatchObject([{ holds: true }])
  expect(read('junit.xml')).toMatch(/<skipped message="inapplicable: it presupposes names.length/)
  const again = await plimsollJson('report', join(run.out, 'latest'))
  expect(again.code).toBe(1)
  expect(again.json.verdicts).toEqual(saved)
})

test('an accepted failure of the limit does not make its consequence a pass', async () => {
  service.most = Infinity
  const file = join(folder, 'e.json')
  const known = { clause: 'names.length', reason: 'until the move', until: '2999-12-31' }
  writeFileSync(file, JSON.stringify({ schema: 'plimsoll-expectations/1', deviations: [known] }))
  const { code, verdicts } = await outcomes('--expect', file)
  expect(verdicts).toEqual({ 'names.length': 'deviation', 'names.cut': 'inapplicable' })
  expect(code).toBe(0)
})

test('the plan shows it, and asks for what judges it', async () => {
  const { stdout } = await plimsoll('list', 'names/cut', '--scenarios', folder)
  expect(stdout).toMatch(/names\/length .*\n.*\n +names\.length\n/)
  expect(stdout).toContain('names.cut  presupposes names.length')
  expect(stdout).toContain('2 scenarios in 2 units')
  const alone = await plimsoll('list', 'names/length', '--scenarios', folder)
  expect(alone.stdout).toContain('1 scenarios in 1 units')
})

test('a document that presupposes what nobody judges says so before anything is sent', async () => {
  rmSync(join(folder, 'names/length.ts'))
  writeFileSync(join(folder, broken), 'export default nothing')
  const gap = await plimsoll('run', 'names/cut', ...target)
  expect(gap.stderr).toContain('no scenario judges "names.length", which "names.cut" presupposes')
  expect(gap.stderr).toContain('other/broken.ts:1:16: does not load')
  expect(gap.code).toBe(64)
  list(length, { ...cut, presupposes: ['names.size'] })
  const typo = await plimsoll('run', 'names/cut', ...target)
  expect(typo.stderr).toMatch(/clauses\.json: "names\.cut" presupposes "names\.size", which is not/)
  expect(typo.code).toBe(64)
})
