import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'

const clauses = [
  { id: 'orders.name-length', kind: 'limit', documented: '40', unit: 'characters' },
  { id: 'orders.json', kind: 'rule', documented: 'every answer is JSON' }
]

const nameLength = `import { accepted, isOk, limit, rejected, type Reply } from 'plimsoll'

export default limit({
  title: 'A name may have 40 characters',
  max: 40,
  clause: 'orders.name-length',
  unit: 'characters',
  needs: ['service'],
  async probe(length: number, { service }) {
    const reply: Reply = await service.post('/orders', { json: { name: 'x'.repeat(length) } })
    return isOk(reply) && reply.json?.name?.length === length ? accepted(reply) : rejected(reply)
  }
})
`
const json = `import { check } from 'plimsoll'

export default check({
  title: 'Every answer is JSON',
  clauses: ['orders.json'],
  needs: ['service'],
  async run({ service, verify }) {
    const reply = await service.get('/orders')
    verify('orders.json', reply.json !== undefined, reply)
  }
})
`

/** Another team's service: names of at most 40 characters, or of as many as it really takes. */
function orders(most: number): Server {
  return createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const name = request.method === 'POST' ? JSON.parse(text).name : ''
    response.statusCode = name.length > most ? 422 : 200
    response.end(JSON.stringify({ name }))
  }).listen(0, '127.0.0.1')
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-orders-'))
const servers: Server[] = []
beforeAll(() => {
  writeFileSync(join(folder, 'clauses.json'), JSON.stringify(clauses))
  mkdirSync(join(folder, 'orders'))
  writeFileSync(join(folder, 'orders', 'name-length.ts'), nameLength)
  writeFileSync(join(folder, 'orders', 'json.ts'), json)
})
afterAll(() => {
  for (const server of servers) server.close()
})

test.each([
  [40, 'pass', 0],
  [39, 'fail', 1],
  [41, 'fail', 1]
])('another document against its own server that takes %i: %s', async (most, outcome, exit) => {
  const server = orders(most)
  servers.push(server)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, json } = await plimsollJson('run', '--scenarios', folder, '--target', url)
  expect(json.verdicts.map((one: any) => [one.clause, one.outcome]).sort()).toEqual([
    ['orders.json', 'pass'],
    ['orders.name-length', outcome]
  ])
  expect(code).toBe(exit)
})

const shopEndpoints = `import type { Asking, Client, Target } from 'plimsoll'

declare module 'plimsoll' {
  interface Endpoints<Speaker> {
    counter: Speaker & { shop: (name: string) => Speaker }
    stock: Speaker
  }
}
export const endpoints = {
  counter: (counter: Client | Asking, { hosts }: Target) => ({
    shop: (name: string) => counter.as(hosts[name]!)
  })
}
`
const shopCheck = `import { check } from 'plimsoll'

export default check({
  title: 'A shop answers for itself, and the stock beside it',
  clauses: ['shop.own', 'shop.stock'],
  needs: ['counter', 'stock'],
  async run({ counter, stock, verify }) {
    const reply = await counter.shop('north').get('/')
    verify('shop.own', reply.json?.host === 'north.example.test', reply)
    const beside = await stock.get('/')
    verify('shop.stock', beside.json?.host?.startsWith('127.0.0.1'), beside)
  }
})
`
const shopLoad = `import { closed, load } from 'plimsoll'

export default load({
  title: 'A shop answers one after the other',
  clauses: ['shop.load'],
  needs: ['counter'],
  load: closed({ connections: 1, seconds: 0.5 }),
  objectives: { errorRatio: 0 },
  request: ({ counter }) => counter.shop('north').get('/load')
})
`

test('a document with endpoints of other names declares them, and what they offer', async () => {
  const place = mkdtempSync(join(tmpdir(), 'plimsoll-shop-'))
  const asked: (string | undefined)[] = []
  const server = createServer(({ headers: { host } }, response) => {
    asked.push(host)
    response.end(JSON.stringify({ host }))
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ids = ['shop.own', 'shop.stock', 'shop.load']
  const inventory = ids.map((id) => ({ id, kind: 'rule', documented: 'it does' }))
  const target = {
    name: 'a shop',
    endpoints: { counter: { url }, stock: { url } },
    hosts: { north: 'north.example.test' }
  }
  writeFileSync(join(place, 'clauses.json'), JSON.stringify(inventory))
  writeFileSync(join(place, 'target.json'), JSON.stringify(target))
  writeFileSync(join(place, '_endpoints.ts'), shopEndpoints)
  writeFileSync(join(place, '_target.ts'), "export const target = { tables: ['hosts'] }")
  writeFileSync(join(place, 'shop.ts'), shopCheck)
  writeFileSync(join(place, 'shop-load.ts'), shopLoad)
  const { code, json } = await plimsollJson('run', '--scenarios', place)
  expect(json.verdicts.map((one: any) => [one.clause, one.outcome]).sort()).toEqual([
    ['shop.load', 'pass'],
    ['shop.own', 'pass'],
    ['shop.stock', 'pass']
  ])
  expect(code).toBe(0)
  expect(asked.filter((host) => host === 'north.example.test').length).toBeGreaterThan(2)
  // A table that the document does not list is a slip of the pen, and told before anything is sent.
  writeFileSync(join(place, 'target.json'), JSON.stringify({ ...target, host: {} }))
  const { code: misspelt, stderr } = await plimsoll('run', '--scenarios', place)
  expect([misspelt, stderr]).toEqual([
    64,
    expect.stringContaining('"host" is no table of this document, which has hosts; nearest: hosts')
  ])
  writeFileSync(join(place, '_target.ts'), 'export const target = {}')
  const { code: unlisted, stderr: told } = await plimsoll('run', '--scenarios', place)
  expect([unlisted, told]).toEqual([64, expect.stringContaining('_target.ts: write `export const')])
})

test('parts of endpoints that are no functions are told with their file', async () => {
  const place = mkdtempSync(join(tmpdir(), 'plimsoll-parts-'))
  writeFileSync(join(place, 'clauses.json'), JSON.stringify(clauses))
  writeFileSync(join(place, 'json.ts'), json)
  writeFileSync(join(place, '_endpoints.ts'), 'export const endpoints = { service: 1 }')
  const server = orders(40)
  servers.push(server)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, stderr } = await plimsoll('run', '--scenarios', place, '--target', url)
  expect(code).toBe(64)
  expect(stderr).toContain('_endpoints.ts: write `export const endpoints')
})
