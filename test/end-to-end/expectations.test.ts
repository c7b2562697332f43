import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { plimsoll, plimsollJson, start } from './plimsoll.ts'
import { refused } from './refused.ts'

const clauses = [
  { id: 'orders.name-length', kind: 'limit', documented: '40', unit: 'characters' },
  { id: 'orders.name-empty', kind: 'unspecified', documented: 'not said: an empty name' }
]

const nameLength = `import { accepted, limit, rejected } from 'plimsoll'
export default limit({
  title: 'A name may have 40 characters', max: 40, clause: 'orders.name-length',
  unit: 'characters', needs: ['service'],
  async probe(length, { service }) {
    const reply = await service.post('/', { json: { name: 'x'.repeat(length) } })
    return reply.status === 200 ? accepted(reply) : rejected(reply)
  }
})
`
const nameEmpty = `import { check } from 'plimsoll'
export default check({
  title: 'What becomes of an empty name', clauses: ['orders.name-empty'], needs: ['service'],
  async run({ service, observe }) {
    const reply = await service.post('/', { json: { name: '' } })
    observe('orders.name-empty', reply.status === 200 ? 'taken' : 'refused', reply)
  }
})
`

/** How the service is today; each test begins with one that takes less than is documented. */
const service = { most: 30, least: 0 }
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const { length } = text === '' ? 'up' : JSON.parse(text).name
  response.statusCode = length > service.most || length < service.least ? 422 : 200
  response.end('{}')
}).listen(0, '127.0.0.1')

/** The document's folder, with the expectation file in it. */
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-expect-'))
const file = join(folder, 'e.json')
let common: string[]

beforeAll(async () => {
  if (!server.listening) await once(server, 'listening')
  mkdirSync(join(folder, 'orders'))
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify(clauses))
  writeFileSync(join(folder, 'orders', 'name-length.ts'), nameLength)
  writeFileSync(join(folder, 'orders', 'name-empty.ts'), nameEmpty)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  common = ['--scenarios', folder, '--target', url]
})
afterAll(() => void server.close())
beforeEach(() => Object.assign(service, { most: 30, least: 0 }))

const limited = { clause: 'orders.name-length', reason: 'until the move', until: '2999-12-31' }
const taken = { clause: 'orders.name-empty', scenario: 'orders/name-empty', observed: 'taken' }

function expecting(deviation: object = {}): void {
  const deviations = [{ ...limited, ...deviation }]
  const known = { schema: 'plimsoll-expectations/1', deviations, observations: [taken] }
  writeFileSync(file, JSON.stringify(known))
}

async function held(...flags: string[]) {
  const { code, json } = await plimsollJson('run', ...common, '--expect', file, ...flags)
  const of = (clause: string) => json.verdicts.find((one: any) => one.clause === clause)
  return { code, json, limit: of('orders.name-length'), empty: of('orders.name-empty') }
}

test('a failure that is accepted leaves CI green, and one that is new does not', async () => {
  expecting()
  const known = await held('--gate', 'observed', '--strict-expectations')
  expect(known.limit).toMatchObject({
    outcome: 'deviation',
    observed: '30 characters accepted, 31 refused (HTTP 422)',
    because: expect.stringMatching(/; accepted until 2999-12-31: until the move$/)
  })
  expect(known.empty.outcome).toBe('observed')
  expect(known.code).toBe(0)

  expecting({ observed: known.limit.observed })
  service.most = 20
  const worse = await held()
  expect(worse.limit).toMatchObject({
    outcome: 'fail',
    because: expect.stringMatching(/it looks different from what is accepted, “30 characters/)
  })
  expect(worse.code).toBe(1)
})

test('what was accepted until a day that is over fails', async () => {
  expecting({ until: '2020-01-31' })
  const { code, limit } = await held()
  expect(limit).toMatchObject({
    outcome: 'fail',
    because: expect.stringMatching(/\(until the move\) expired on 2020-01-31$/)
  })
  expect(code).toBe(1)
})

test('a deviation that is none any more is told, and fails a strict run', async () => {
  expecting()
  service.most = 40
  const mild = await held()
  expect(mild.json.remarks).toMatchObject([{ clause: 'orders.name-length', failing: false }])
  expect(mild.limit.outcome).toBe('pass')
  expect(mild.code).toBe(0)
  const { code, stdout, out } = await plimsoll(
    ...['run', ...common, '--expect', file, '--strict-expectations']
  )
  expect(stdout).toMatch(
    /✘ orders\.name-length passes: its deviation can be removed from .*e\.json/
  )
  expect(code).toBe(1)
  const junit = readFileSync(join(out, 'latest', 'junit.xml'), 'utf8')
  expect(junit).toContain('<failure message="orders.name-length passes')
})

test('what is not as last time is told, and fails a gated run', async () => {
  expecting()
  service.least = 1
  const mild = await held()
  expect(mild.empty).toMatchObject({
    outcome: 'changed',
    observed: 'refused',
    because: expect.stringMatching(/it was “taken” last time, and is “refused”/)
  })
  expect(mild.code).toBe(0)
  expect((await held('--gate', 'observed')).code).toBe(1)
})

test('a file is made of a run, which is held against it then and ever after', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'plimsoll-accept-'))
  const given = async (...args: string[]) => {
    const { code, stdout, stderr } = await start([...args, '--out', 'reports'], { cwd }).ended
    return { code, text: stdout + stderr }
  }
  const accepting = ['report', '--write-expectations', 'known.json']
  expect(await given('run', ...common)).toMatchObject({ code: 1 })
  expect(await given(...accepting)).toMatchObject({
    code: 64,
    text: expect.stringMatching(/ {2}orders\.name-length\nSay why with --reason/)
  })
  const why = ['--reason', 'until the move', '--until', '2999-12-31']
  expect(await given(...accepting, ...why)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/known\.json: added 1 deviation and 1 observation\n/)
  })
  expect(JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'))).toEqual({
    schema: 'plimsoll-expectations/1',
    deviations: [
      {
        ...{ ...limited, scenario: 'orders/name-length' },
        observed: '30 characters accepted, 31 refused (HTTP 422)'
      }
    ],
    observations: [taken]
  })
  expect(await given('report')).toMatchObject({ code: 1 })
  expect(await given('report', '--expect', 'known.json')).toMatchObject({ code: 0 })
  expect(await given('run', ...common, '--expect', 'known.json')).toMatchObject({ code: 0 })
  const [header] = readFileSync(join(cwd, 'reports/latest/results.ndjson'), 'utf8').split('\n')
  expect(JSON.parse(header!).expectations).toMatchObject({ file: 'known.json', strict: false })
  expect(await given('report')).toMatchObject({ code: 0 })
  writeFileSync(join(cwd, 'known.json'), '{ "half": ')
  expect(await given('report')).toMatchObject({ code: 0 })
}, 120_000)

test.each([
  [
    'a misspelt clause',
    { clause: 'orders.name-lenght' },
    /e\.json: .*nearest: orders\.name-length/
  ],
  ['no reason', { reason: undefined }, /e\.json: deviations\.0\.reason is missing: add why/],
  [
    'an impossible day',
    { until: '2027-02-30' },
    /e\.json: deviations\.0\.until must be the last day/
  ]
])('%s is refused before anything is sent', async (_, deviation, message) => {
  expecting(deviation)
  const sent: string[] = []
  const note = ({ url }: { url?: string }) => void sent.push(url!)
  server.on('request', note)
  const { code, stderr } = await refused('run', ...common, '--expect', file)
  server.off('request', note)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
  expect(sent).toEqual([])
})

test.each([
  [['run', '--gate', 'observed'], /--gate observed is about an expectation file: name it with/],
  [['run', '--strict-expectations'], /--strict-expectations is about an expectation file/],
  [['run', '--expect', 'nowhere.json'], /nowhere\.json: there is no such file/],
  [['run', '--expect', 'a', '--expect', 'b'], /--expect is given 2 times/],
  [['report', '--reason', 'x'], /--reason is about a file: name it with --write-expectations/],
  [['report', '--expect', 'a', '--write-expectations', 'b'], /leave --expect out/]
])('%j is wrong usage', async (args, message) => {
  const { code, stderr } = await refused(...args)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
})
