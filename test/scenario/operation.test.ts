import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { Context } from '../../src/scenario/context.ts'
import { type OperationOptions, operation } from '../../src/scenario/operation.ts'

let made: unknown = {}
const asked: string[] = []
const server = createServer(({ method, url }, response) => {
  asked.push(`${method} ${url}`)
  response.setHeader('content-type', 'application/json').end(JSON.stringify(made))
})
await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
afterAll(() => void server.close().closeAllConnections())
beforeEach(() => void asked.splice(0))

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const context = {
  service: createClient({ endpoint: { url } }),
  random: () => 0
} as unknown as Context
const samples = new URL('none/samples.yaml', import.meta.url)
const ask = (more: Partial<OperationOptions>) =>
  operation({ name: 'a', method: 'POST', path: '/pets', samples, ...more }).ask(context)

test.each([
  [{ id: 17 }, ['DELETE /pets/17']],
  [{ id: 'a/b' }, ['DELETE /pets/a%2Fb']],
  [{ id: '' }, []],
  [{ id: null }, []],
  [{ id: {} }, []],
  [null, []]
])('what made %j is followed by %j', async (answer, removals) => {
  made = answer
  await ask({ remove: 'DELETE /pets/{id}' })
  expect(asked).toEqual(['POST /pets', ...removals])
})

test('the path of a removal is the whole of it', async () => {
  made = { id: 17 }
  await ask({ remove: 'DELETE /my pets/{id}' })
  expect(asked).toEqual(['POST /pets', 'DELETE /my%20pets/17'])
})

test('an operation may be called as what each table has', async () => {
  expect((await ask({ name: 'constructor' })).status).toBe(200)
})

test('a path is sent encoded', async () => {
  await ask({ path: '/hündchen/{the name}/100%25', valid: { path: { 'the name': 'é' } } })
  expect(asked).toEqual(['POST /h%C3%BCndchen/%C3%A9/100%25'])
})

test('a query is added to one that the path has', async () => {
  await ask({ path: '/pets?beta=true', valid: { query: { q: 'x' } } })
  expect(asked).toEqual(['POST /pets?beta=true&q=x'])
})
