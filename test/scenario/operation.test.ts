import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { judgeAnswer } from '../../src/scenario/answers.ts'
import type { Context } from '../../src/scenario/context.ts'
import type { ShapeSchema } from '../../src/scenario/formats.ts'
import { type OperationOptions, operation } from '../../src/scenario/operation.ts'
import type { Judge } from '../../src/scenario/scenario.ts'
import { judgeSides } from '../../src/scenario/sides.ts'

let made: unknown = {}
let busy = 0
const asked: string[] = []
const server = createServer(({ method, url }, response) => {
  asked.push(`${method} ${url}`)
  if (busy-- > 0) response.statusCode = 429
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

test.each([
  [',', 'ids=1,2%2C3'],
  ['|', 'ids=1%7C2%2C3'],
  [' ', 'ids=1%202%2C3'],
  [undefined, 'ids=1&ids=2%2C3']
])('the items of a list are written with %j between them', async (between, query) => {
  const separators: Record<string, string> = between === undefined ? {} : { ids: between }
  await ask({ separators, valid: { query: { ids: ['1', '2,3'] } } })
  expect(asked).toEqual([`POST /pets?${query}`])
})

test('any method is sent as it is written', async () => {
  await ask({ method: 'COPY' })
  expect(asked).toEqual(['COPY /pets'])
})

test.each(['DELETE', 'PURGE'])('nothing is sent by %s to what a guess names', async (method) => {
  const asking = ask({
    method,
    path: '/pets/{id}',
    valid: { path: { id: 1 } },
    unknown: ['path.id']
  })
  await expect(asking).rejects.toThrow(/nothing says what may be deleted, as path.id/)
  expect(asked).toEqual([])
})

test('what has to be fresh is another value each time, and of its kind', async () => {
  const uuid = '7f0c5c5a-8a55-4b1e-9a39-3f2f6d1f7a10'
  const one = { valid: { query: { key: 'a', id: uuid } }, fresh: ['query.key', 'query.id'] }
  await ask(one)
  await ask(one)
  const [first, second] = asked.map((line) => new URL(line.split(' ')[1]!, url).searchParams)
  expect(first!.get('key')).toMatch(/^a[a-z]{6}$/)
  expect(first!.get('id')).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  for (const name of ['key', 'id']) expect(first!.get(name)).not.toBe(second!.get(name))
})

test.each([
  ['path.id', 404, 'observed'],
  ['path.id', 200, false],
  ['query.id', 404, undefined]
])('an id that is none, in %s and answered %i', async (at, status, expected) => {
  const own = createServer(({ url }, response) => {
    response.writeHead(url!.includes('none') ? status : 200).end()
  }).listen(0, '127.0.0.1')
  await once(own, 'listening')
  const endpoint = { url: `http://127.0.0.1:${(own.address() as AddressInfo).port}` }
  const found: (boolean | string)[] = []
  const verify = (_: string, look: { holds: boolean }) => void found.push(look.holds)
  const observe = () => void found.push('observed')
  const judges = { verify, observe, leave() {} }
  const judging = { service: createClient({ endpoint }), ...judges, random: () => 0 }
  const [path, valid] = at.startsWith('path')
    ? ['/pets/{id}', { path: { id: 'a' } }]
    : ['/pets', { query: { id: 'a' } }]
  const get = operation({ name: 'a', method: 'GET', path, samples, valid })
  await judgeSides(get, { c: { at, refused: ['none'] } }, judging as unknown as Context & Judge)
  own.close().closeAllConnections()
  expect(found[0]).toBe(expected)
})

/** A list of pets whose first page is `first`, held against it by default, too. */
async function pages(first: number) {
  const looks: string[] = []
  const own = createServer(({ url }, response) => {
    const page = Number(new URL(url!, 'http://here').searchParams.get('page') ?? 1)
    response.writeHead(page < first ? 400 : 200).end()
  })
  await new Promise<void>((listening) => own.listen(0, '127.0.0.1', listening))
  const { port } = own.address() as AddressInfo
  const service = createClient({ endpoint: { url: `http://127.0.0.1:${port}` } })
  const verify = (clause: string, { holds }: { holds: boolean }) => {
    looks.push(`${clause}: ${holds}`)
  }
  const one = operation({
    ...{ name: 'a', method: 'GET', path: '/pets', samples },
    explicit: { 'query.page': 2 }
  })
  const judge = { ...context, service, verify } as unknown as Context & Judge
  const sides = {
    least: { at: 'query.page', accepted: [1], refused: [0] },
    sort: { at: 'query.sort', accepted: ['up'] }
  }
  const failed = await judgeSides(one, sides, judge).catch((cause: Error) => cause.message)
  await new Promise((resolve) => own.close(resolve).closeAllConnections())
  return failed ?? looks
}

test('who holds a default against a limit that was moved fails by that limit alone', async () => {
  expect(await pages(1)).toEqual(['least: true', 'sort: true'])
  expect(await pages(2)).toEqual(['least: false', 'sort: true'])
  expect(await pages(3)).toMatch(/a valid GET \/pets is not served/)
})

/** A body whose list may have so many items, each of so many letters at most. */
async function lists(items: number, letters: number) {
  const told: string[] = []
  const own = createServer(async (request, response) => {
    const { list = [] } = JSON.parse((await request.toArray()).join(''))
    const isTaken = list.length <= items && list.every((one: string) => one.length <= letters)
    response.writeHead(isTaken ? 200 : 422).end()
  })
  await new Promise<void>((listening) => own.listen(0, '127.0.0.1', listening))
  const { port } = own.address() as AddressInfo
  const service = createClient({ endpoint: { url: `http://127.0.0.1:${port}` } })
  const verify = (clause: string, { holds }: { holds: boolean }) => {
    told.push(`${clause}: ${holds}`)
  }
  const leave = (clause: string, saw: string) => void told.push(`${clause}: ${saw.slice(0, 27)}`)
  const one = operation({
    ...{ name: 'a', method: 'POST', path: '/', samples, valid: { body: {} } },
    optional: { 'body.list': ['xx'] }
  })
  const sides = {
    list: { at: 'body.list', accepted: [[]] },
    item: { at: 'body.list[0]', accepted: ['xxx'], listOfOne: 'body.list' }
  }
  await judgeSides(one, sides, { ...context, service, verify, leave } as unknown as Context & Judge)
  await new Promise((resolve) => own.close(resolve).closeAllConnections())
  return told
}

test('where a list of one takes none, nothing is said of its item', async () => {
  expect(await lists(1, 3)).toEqual(['list: true', 'item: true'])
  expect(await lists(1, 2)).toEqual(['list: true', 'item: false'])
  expect(await lists(0, 3)).toEqual(['list: true', 'item: a valid body.list was answe'])
})

const judged = async (answers: OperationOptions['answers'], defs?: Record<string, unknown>) => {
  const found: Record<string, boolean> = {}
  const verify = (clause: string, { holds }: { holds: boolean }) => {
    found[clause] = holds
  }
  const one = operation({ name: 'a', method: 'GET', path: '/', samples, answers, defs })
  const judge = { ...context, verify } as unknown as Context & Judge
  await judgeAnswer(one, { status: 'status', body: 'body' }, judge)
  return found
}
const inJson = (schema: ShapeSchema) => ({ content: { 'application/json': schema } })

test.each([
  ['a pattern that does not end', { pattern: '^(a+)+$' }],
  ['a schema in itself', { $ref: '#/$defs/A' }]
])('%s is no evidence about an answer', async (_, schema) => {
  made = `${'a'.repeat(60)}!`
  const A = { allOf: [{ $ref: '#/$defs/A' }] }
  expect(await judged({ 200: inJson(schema) }, { A })).toEqual({ status: true })
})

test.each([
  [{ 201: {} }, { status: false }],
  [{ 201: {}, default: {} }, { status: true }],
  [{ 201: {}, default: inJson({ type: 'object' }) }, { status: true }],
  [{ 201: {}, default: inJson({ required: ['error'] }) }, { status: false }],
  [{ 201: {}, default: { content: { 'text/plain': true } } }, { status: false }]
])('of %j an answer with 200 is %j', async (answers, found) => {
  made = {}
  expect(await judged(answers)).toEqual(found)
})

test('what is missing is named until it is set', async () => {
  const missing = { 'query.q': 'how it is written' }
  await expect(ask({ missing })).rejects.toThrow(
    'query.q: how it is written: set it in samples.yaml, operations.a'
  )
})

test('what comes too often is asked again after a window, where the rate is known', async () => {
  busy = 2
  expect((await ask({ rate: { requests: 1, seconds: 0.01 } })).status).toBe(200)
  busy = 1
  expect((await ask({})).status).toBe(429)
})
