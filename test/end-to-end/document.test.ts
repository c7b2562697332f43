import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plimsollJson } from './plimsoll.ts'

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
