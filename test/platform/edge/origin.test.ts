import { once } from 'node:events'
import {
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse
} from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isOrigin } from '../../../src/platform/kernel/zone.ts'
import { type Announcement, type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { door } from '../api.ts'
import { bytes, chunks, head, talk } from '../wire.ts'

let running: Platform
let said: Announcement
let server: Server
let handle: (message: IncomingMessage, response: ServerResponse) => void
/** A zone whose origin is the server above. */
let host: string
let control: ReturnType<typeof door>
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  said = running.announcement
  control = door(said)
  server = createServer((message, response) => handle(message, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = (await control('POST', '/zones', { plan: 'free', origin: addressOf(server) })).json.host
})
afterAll(async () => {
  await running.close()
  server.closeAllConnections()
  server.close()
})
afterEach(() => {
  handle = (_, response) => response.end('origin')
})

const addressOf = (listening: { address(): unknown }) =>
  `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
const ask = (line: string, ...lines: string[]) =>
  head(line, `Host: ${host}`, 'Connection: close', ...lines)
const hears = (...parts: (string | Buffer)[]) => talk(said.edge, parts)
const KiB = 1_024
const MiB = 1_048_576

test.each([
  ['http://127.0.0.1:8080', true],
  ['https://origin.test/', true],
  ['data:text/html,<p>', true],
  ['http://127.0.0.1/path', false],
  ['http://127.0.0.1/?', false],
  ['http://user:word@127.0.0.1', false],
  ['ftp://127.0.0.1', false],
  ['javascript:0', false],
  ['127.0.0.1', false],
  ['', false]
])('%j can be an origin: %j', (text, can) => {
  expect(isOrigin(text)).toBe(can)
})

test('the origin gets what was asked, and the client what it answers', async () => {
  let got: IncomingMessage | undefined
  handle = (message, response) => {
    got = message
    response.writeHead(418, 'Teapot', ['Set-Cookie', 'a=1', 'X-A', '\xff', 'Set-Cookie', 'b=2'])
    response.end('short and stout')
  }
  const heard = await hears(
    ask('GET /pot?x=1', 'X-B: 1', 'x-b: 2', 'X-Forwarded-For: 10.0.0.1', 'Te: trailers')
  )
  expect(heard.statuses).toEqual([418])
  expect(heard.text).toContain('Set-Cookie: a=1\r\nX-A: \xff\r\nSet-Cookie: b=2\r\n')
  expect(heard.text).toContain('short and stout')
  expect([got?.method, got?.url, got?.headers.host]).toEqual(['GET', '/pot?x=1', host])
  expect(got?.headersDistinct).toMatchObject({
    'x-b': ['1', '2'],
    'x-forwarded-for': ['10.0.0.1, 127.0.0.1'],
    'x-forwarded-proto': ['http'],
    'cdn-loop': ['plimsoll']
  })
  expect(got?.headers).not.toHaveProperty('te')
})

test('headers of one connection do not cross to the other', async () => {
  let got: IncomingMessage | undefined
  handle = (message, response) => {
    got = message
    response.writeHead(200, { Connection: 'close, X-Own', 'X-Own': '1', 'X-Far': '1' }).end()
  }
  const { text } = await talk(said.edge, [
    head('GET /', `Host: ${host}`, 'Connection: X-Mine, close', 'X-Mine: 1', 'X-Far: 1')
  ])
  expect(got?.headers).toHaveProperty('x-far')
  expect(got?.headers).not.toHaveProperty('x-mine')
  expect(text).toContain('X-Far')
  expect(text).not.toContain('X-Own')
})

test.each([
  ['in absolute form', 'GET http://HOST/a?b', '/a?b'],
  ['with a query only', 'GET http://HOST?b', '/?b'],
  ['for the server', 'OPTIONS *', '/'],
  ['with two slashes', 'GET //a//b', '//a//b']
])('a target %s is sent on as a path', async (_, line, url) => {
  handle = (message, response) => response.end(`<${message.url}>`)
  expect((await hears(ask(line.replace('HOST', host)))).text).toContain(`<${url}>`)
})

describe('bodies', () => {
  const counting = (message: IncomingMessage, response: ServerResponse) => {
    let count = 0
    message.on('data', (chunk) => {
      count += chunk.length
    })
    message.on('end', () => {
      const { 'content-length': length, 'transfer-encoding': coding } = message.headers
      response.end(`<${count} ${length} ${coding}>`)
    })
  }

  test('go through as they were declared', async () => {
    handle = counting
    const size = 3 * MiB + 1
    const declared = await hears(ask('POST /', `Content-Length: ${size}`), ...bytes(size))
    expect(declared.text).toContain(`<${size} ${size} undefined>`)
    const chunked = await hears(ask('POST /', 'Transfer-Encoding: chunked'), ...chunks(size))
    expect(chunked.text).toContain(`<${size} undefined chunked>`)
    expect((await hears(ask('POST /'))).text).toContain('<0 0 undefined>')
    expect((await hears(ask('GET /'))).text).toContain('<0 undefined undefined>')
    const expecting = ask('PUT /', 'Expect: 100-continue', 'Content-Length: 2')
    expect(await hears(expecting, 'hi')).toMatchObject({ statuses: [100, 200] })
  })

  test('come back as they are made', async () => {
    // The rest of the answer is never made, so what the client has was not waited for.
    handle = (_, response) => response.write('first half ')
    const { text } = await talk(said.edge, [ask('GET /')], /first half/)
    expect(text).toContain('first half')
    server.closeAllConnections()
  })

  test('of a HEAD, a 204 and a 304 there are none', async () => {
    handle = (_, response) => response.writeHead(200, { 'Content-Length': 5 }).end()
    expect((await hears(ask('HEAD /'))).text).toMatch(/content-length: 5\r\n.*\r\n\r\n$/is)
    for (const status of [204, 304]) {
      handle = (_, response) => response.writeHead(status).end()
      expect((await hears(ask('GET /'))).text).toMatch(/\r\n\r\n$/)
    }
  })

  test('may be as large coming back as they like', async () => {
    const size = 64 * MiB
    handle = async (_, response) => {
      for (const piece of bytes(size)) if (!response.write(piece)) await once(response, 'drain')
      response.end()
    }
    const [response] = await once(get(said.edge, { headers: { host } }), 'response')
    let count = 0
    for await (const chunk of response) count += chunk.length
    expect(count).toBe(size)
  })
})

describe('an origin that fails', () => {
  const elsewhere = async (origin: string) => {
    const { json } = await control('POST', '/zones', { plan: 'free', origin })
    return talk(said.edge, [head('GET /', `Host: ${json.host}`, 'Connection: close')])
  }

  test('by not being there is a 502', async () => {
    const taken = createTcpServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const origin = addressOf(taken)
    taken.close()
    await once(taken, 'close')
    expect((await elsewhere(origin)).statuses).toEqual([502])
  })

  test.each([
    ['hanging up', ''],
    ['no HTTP', 'SSH-2.0-x\r\n'],
    ['a bad header', 'HTTP/1.1 200 OK\r\nX\0: 1\r\n\r\n']
  ])('by %s is a 502', async (_, answer) => {
    const rude = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(answer, 'latin1'))
    }).listen(0, '127.0.0.1')
    await once(rude, 'listening')
    expect((await elsewhere(addressOf(rude))).statuses).toEqual([502])
    rude.close()
  })

  test('in the middle of its answer is cut off for the client too', async () => {
    handle = (_, response) => {
      response.writeHead(200, { 'Content-Length': 100 }).write('part', () => response.destroy())
    }
    const { statuses, text } = await hears(ask('GET /'))
    expect([statuses, text.endsWith('part')]).toEqual([[200], true])
  })

  test('by being the edge itself is a 508, once around', async () => {
    expect((await elsewhere(said.edge)).statuses).toEqual([508])
  })

  test('harms no other request', async () => {
    expect((await hears(ask('GET /'))).statuses).toEqual([200])
  })
})

test('an origin is not kept busy for a client that left', async () => {
  const left = new Promise<void>((resolve) => {
    handle = (_, response) => {
      response.once('close', resolve)
      client.destroy()
    }
  })
  const { hostname, port } = new URL(said.edge)
  const client = connect(Number(port), hostname)
  client.write(ask('GET /'))
  await left
  handle = (_, response) => response.end()
  expect((await hears(ask('GET /'))).statuses).toEqual([200])
})

test('limits are the same in front of an origin', async () => {
  const large = await hears(ask('POST /', `Content-Length: ${100 * MiB + 1}`))
  expect(large.statuses).toEqual([413])
  expect((await hears(ask(`GET /${'u'.repeat(16 * KiB)}`))).statuses).toEqual([414])
})

test('a page can be the whole origin', async () => {
  const page = '<!doctype html><p>Grüße</p>'
  const origin = `data:text/html;charset=utf-8,${encodeURIComponent(page)}`
  const { json } = await control('POST', '/zones', { plan: 'free', origin })
  const lines = [`Host: ${json.host}`, 'Connection: close']
  const { statuses, text } = await talk(said.edge, [head('GET /any/where', ...lines)])
  expect(statuses).toEqual([200])
  expect(text).toContain('Content-Type: text/html;charset=utf-8\r\n')
  expect(Buffer.from(text, 'latin1').toString()).toContain(page)
})
