import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../src/client/client.ts'
import { createLineMaker } from '../../../src/client/line.ts'
import { clock } from '../../../src/clock.ts'
import { holdService } from '../../../src/limit/claims/service-claims.ts'

/** What came of holding a server to its word, by field. */
async function held(handler: RequestListener, { method = 'GET' }: { method?: string } = {}) {
  const server = createServer(handler)
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const client = createClient({ endpoint })
  onTestFinished(client.close)
  const found = await holdService({
    ...{ client, maker: createLineMaker({ endpoint, clock }), clock, stopped: () => false },
    leftMs: () => 60_000,
    ordinary: { method, path: '/', headers: [] }
  })
  return Object.fromEntries(found.map(({ field, verdict, because }) => [field, [verdict, because]]))
}

/** Serves ten bytes, all methods that it lists, and parts of them where it is to. */
const honest: RequestListener = ({ method, headers }, response) => {
  response.setHeader('accept-ranges', 'bytes')
  if (method === 'OPTIONS') return response.writeHead(204, { allow: 'GET, HEAD, OPTIONS' }).end()
  if (headers.range === undefined) return response.end('0123456789')
  response.writeHead(206, { 'content-range': 'bytes 0-0/10' }).end('0')
}

test('what is as it says is true', async () => {
  expect(await held(honest)).toEqual({
    Allow: ['true', 'GET: HTTP 200, HEAD: HTTP 200'],
    'Accept-Ranges': ['true', 'bytes; the first byte alone is answered 206 with 1 byte']
  })
})

test('what is not has a counterexample', async () => {
  const lying: RequestListener = ({ method }, response) => {
    response.setHeader('accept-ranges', 'bytes')
    if (method === 'OPTIONS') return response.writeHead(204, { allow: 'POST' }).end()
    response.end('0123456789')
  }
  expect(await held(lying)).toEqual({
    Allow: ['false', 'POST; GET is answered 200'],
    'Accept-Ranges': ['false', 'bytes; the first byte alone is answered 200 with 10 bytes']
  })
})

test('a method that is listed and refused is a lie, no range and no word none', async () => {
  const none: RequestListener = ({ method }, response) => {
    response.setHeader('accept-ranges', 'none').setHeader('connection', 'close')
    if (method === 'OPTIONS') return response.writeHead(204, { allow: 'GET, HEAD' }).end()
    response.writeHead(method === 'HEAD' ? 405 : 200).end('0123456789')
  }
  expect(await held(none)).toEqual({
    Allow: ['false', 'GET, HEAD; HEAD is answered 405'],
    'Accept-Ranges': ['true', 'none; the first byte alone is answered 200 with 10 bytes']
  })
  const silent: RequestListener = (_, response) => {
    response.setHeader('connection', 'close').end('hello')
  }
  expect(await held(silent)).toEqual({})
})

/** A server that lists what it takes by POST and PATCH, and answers those with a status. */
const typed = (listed: string, statuses: Record<string, number>): RequestListener => {
  return ({ method = '', headers }, response) => {
    response.setHeader('connection', 'close')
    if (method === 'OPTIONS') {
      return response.writeHead(204, { 'accept-post': listed, 'accept-patch': listed }).end()
    }
    const key = `${method} ${headers['content-type']}`
    response.writeHead(method === 'GET' ? 200 : (statuses[key] ?? 415)).end('hello')
  }
}

test('a media type that is listed and not taken is a lie', async () => {
  const listed = 'text/x-own, application/json-patch+json;charset=utf-8'
  const taken = typed(listed, { 'PATCH application/json-patch+json': 204 })
  expect(await held(taken)).toEqual({
    'Accept-Post': ['unsaid', `${listed}; --method POST has it asked`],
    'Accept-Patch': ['true', `${listed}; PATCH of application/json-patch+json is answered 204`]
  })
  const refused = typed('application/json', {})
  expect((await held(refused))['Accept-Patch']).toEqual([
    ...['false', 'application/json; PATCH of application/json is answered 415']
  ])
  expect((await held(typed('text/x-own', {})))['Accept-Patch']?.[0]).toBe('unsaid')
})

test('a media type that a POST itself lists is asked about', async () => {
  const own = (listed: string): RequestListener => {
    return ({ method, headers }, response) => {
      response.setHeader('connection', 'close')
      if (method === 'POST') response.setHeader('accept-post', listed)
      const isTaken = method === 'GET' || headers['content-type'] === 'application/json'
      response.writeHead(isTaken ? 200 : 415).end('hello')
    }
  }
  const post = { method: 'POST' }
  expect((await held(own('application/json'), post))['Accept-Post']).toEqual([
    ...['true', 'application/json; POST of application/json is answered 200']
  ])
  const patch = 'application/merge-patch+json'
  expect((await held(own(patch), post))['Accept-Post']?.[0]).toBe('false')
})

test('HEAD that is not listed and answered as GET is neither true nor a lie', async () => {
  const listing = (allow: string): RequestListener => {
    return ({ method }, response) => {
      response.setHeader('connection', 'close')
      if (method === 'OPTIONS') return response.writeHead(204, { allow }).end()
      response.writeHead(method === 'GET' || method === 'HEAD' ? 200 : 405).end()
    }
  }
  expect((await held(listing('GET, OPTIONS'))).Allow).toEqual([
    ...['unsaid', 'GET, OPTIONS; HEAD is not listed, and answered as GET is']
  ])
  expect((await held(listing('OPTIONS'))).Allow?.[0]).toBe('false')
})
