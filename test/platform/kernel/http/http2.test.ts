import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { send } from '../../../../src/platform/kernel/http/answer.ts'
import { headOf } from '../../../../src/platform/kernel/http/http2-message.ts'
import { listen, type Service } from '../../../../src/platform/kernel/http/listener.ts'
import { ask2, asked, session } from '../../http2.ts'
import { head, talk } from '../../wire.ts'

let open: (() => unknown)[] = []
afterEach(async () => {
  await Promise.all(open.toReversed().map((close) => close()))
  open = []
})

const answer = (status: number, body = '') => ({ status, type: 'text/plain', body })

async function listening(service: Partial<Service>): Promise<string> {
  const onRequest: Service['onRequest'] = (_message, response) => send(response, answer(200))
  const onMalformed = (status: number) => answer(status)
  const whole = { onRequest, onMalformed, http2: true, ...service }
  const listener = await listen(whole, { host: '127.0.0.1', port: 0 })
  open.push(listener.close)
  return listener.url
}

async function connected(url: string) {
  const on = await session(url)
  open.push(() => on.destroy())
  return on
}

/** A connection's first bytes: the preface, SETTINGS that say nothing, and GET / of a.test. */
const get = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
  Buffer.from([0, 0, 11, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84, 0x41, 6]),
  Buffer.from('a.test')
])

const bytes = (count: number) => [Buffer.alloc(count, 'x')]
const post = { ':method': 'POST', ':path': '/' }

/** A service that tells of each request how it came, having read all of it. */
const told: Service['onRequest'] = async (message, response) => {
  let size = 0
  for await (const chunk of message) size += chunk.length
  const { method, url, rawHeaders, httpVersion, complete } = message
  send(
    response,
    answer(200, JSON.stringify({ method, url, rawHeaders, httpVersion, complete, size }))
  )
}

test('a request is the same by either version, but for the version', async () => {
  const url = await listening({ onRequest: told })
  const lines = ['host: a.test', 'x-a: 1', 'x-a: 2', 'cookie: a=1; b=2', 'content-length: 3']
  const { body } = await talk(
    url,
    [head('PUT /p?q', ...lines, 'connection: close'), 'abc'],
    /"size"/
  )
  const first = JSON.parse(body)
  const fields = { 'x-a': ['1', '2'], cookie: ['a=1', 'b=2'], 'content-length': 3 }
  const second = await ask2(
    url,
    { ':method': 'PUT', ':path': '/p?q', ':authority': 'a.test', ...fields },
    [Buffer.from('abc')]
  )
  expect(JSON.parse(second.body)).toEqual({
    ...first,
    httpVersion: '2',
    rawHeaders: first.rawHeaders.slice(0, -2)
  })
})

test.each([1, 3, 16, 23])('a preface cut after %i bytes is one', async (cut) => {
  const url = await listening({})
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay()
  open.push(() => socket.destroy())
  const said = Buffer.concat([
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
  ])
  socket.write(said.subarray(0, cut))
  await wait(20)
  socket.write(said.subarray(cut))
  const [first] = await once(socket, 'data')
  // A frame of SETTINGS, on no stream.
  expect([first[3], first.readUInt32BE(5)]).toEqual([4, 0])
})

test.each([
  ['P', 'OST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', [200]],
  ['PRI * HTTP/2.0\r', '\n\r\nXX\r\n\r\n', [400]],
  ['PRI', '', [408]]
])('what only begins as HTTP/2 does, "%s", is HTTP/1', async (begin, rest, statuses) => {
  const url = await listening({ idleMs: 200 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay()
  open.push(() => socket.destroy())
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  socket.write(begin)
  await wait(20)
  socket.write(rest)
  await once(socket, 'close')
  expect([...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, it]) => Number(it))).toEqual(statuses)
})

test('a service that does not say so speaks HTTP/1 alone', async () => {
  const url = await listening({ http2: false })
  const { statuses } = await talk(url, ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])
  expect(statuses).toEqual([400])
})

test.each([
  ['two hosts', { ':authority': 'a.test', host: 'b.test' }, 400],
  ['one host, said twice', { ':authority': 'a.test', host: 'a.test' }, 200],
  ['an expectation that is unknown', { ':authority': 'a.test', expect: '200-ok' }, 417]
])('%s', async (_, fields, status) => {
  const url = await listening({})
  const heard = await ask2(url, { ':path': '/', ...fields })
  expect(heard.status).toBe(status)
})

test('no host is a 400, as no request is to anybody', async () => {
  const raw = [':method', 'GET', ':scheme', 'http', ':path', '/', 'x-a', '1']
  expect(headOf(raw)).toBeUndefined()
  expect(headOf([...raw, 'host', 'a.test', 'host', 'a.test'])).toBeUndefined()
  expect(headOf([...raw, 'host', 'a.test'])?.rest).toEqual([
    ['host', 'a.test'],
    ['x-a', '1']
  ])
})

test('a tunnel is a 405', async () => {
  const url = await listening({})
  const heard = await ask2(url, { ':method': 'CONNECT', ':authority': 'a.test:80' })
  expect(heard.status).toBe(405)
})

describe('an answer', () => {
  test('leaves out what is about a connection, and keeps what stands twice', async () => {
    const url = await listening({
      onRequest(_message, response) {
        const own = ['Connection', 'close, X-Own', 'X-Own', '1', 'Keep-Alive', 'timeout=5']
        const kept = ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'ETag', '"a"', 'ETag', '"b"']
        response.writeHead(200, [...own, ...kept]).end('x')
      }
    })
    const { headers, body } = await ask2(url, { ':path': '/' })
    const { ':status': status, date, ...rest } = headers
    expect([status, typeof date, body]).toEqual([200, 'string', 'x'])
    expect(rest).toEqual({ 'set-cookie': ['a=1', 'b=2'], etag: '"a"' })
  })

  test('to HEAD has no body, and what it says of one', async () => {
    const url = await listening({ onRequest: (_, response) => send(response, answer(200, 'text')) })
    const heard = await ask2(url, { ':method': 'HEAD', ':path': '/' })
    expect([heard.status, heard.headers['content-length'], heard.body]).toEqual([200, '4', ''])
  })

  test('before the end of a request ends that, without an error', async () => {
    const url = await listening({ onRequest: (_, response) => send(response, answer(413, 'no')) })
    const on = await connected(url)
    const heard = await asked(on, post, bytes(1_000_000))
    expect(heard).toMatchObject({ status: 413, body: 'no', code: 0 })
    expect((await asked(on, post, bytes(1))).status).toBe(413)
  })

  test('that is cut off does not look whole', async () => {
    const url = await listening({
      onRequest(_message, response) {
        response.writeHead(200).write('begun', () => response.destroy())
      }
    })
    expect(await ask2(url, { ':path': '/' })).toMatchObject({ status: 200, body: 'begun', code: 2 })
  })
})

test('a client that gives up ends its own stream, and hears of the others', async () => {
  const ended: string[] = []
  const url = await listening({
    async onRequest(message, response) {
      response.once('close', () => ended.push(`${message.url} ${response.writableFinished}`))
      try {
        for await (const _chunk of message);
        send(response, answer(200))
      } catch (error) {
        ended.push(`${message.url} ${(error as NodeJS.ErrnoException).code}`)
      }
    }
  })
  const on = await connected(url)
  const stream = on.request({ ...post, ':path': '/gone' })
  stream.on('error', () => {}).write('abc')
  await asked(on, post, bytes(1))
  // By `close` it would end its body first.
  stream.destroy(new Error('gives up'))
  await expect.poll(() => ended.toSorted()).toEqual(['/ true', '/gone ECONNRESET', '/gone false'])
  expect((await asked(on, post, bytes(1))).status).toBe(200)
})

test('a body of nothing, whose end comes later, is one', async () => {
  const url = await listening({ onRequest: told })
  const heard = await ask2(url, { ...post, ':authority': 'a.test' }, [])
  expect(JSON.parse(heard.body)).toMatchObject({ method: 'POST', size: 0, complete: true })
})

test('who waits to be told is told to go on', async () => {
  const url = await listening({
    async onRequest(message, response, proceed) {
      proceed()
      await told(message, response, proceed)
    }
  })
  const heard = await ask2(url, { ...post, expect: '100-continue' }, bytes(3))
  expect([heard.isContinued, heard.status]).toEqual([true, 200])
})

test('a body that comes too slowly is a 408, one that is not read is not slow', async () => {
  const url = await listening({
    pace: { spanMs: 200, bytes: 1_000 },
    async onRequest(message, response) {
      if (message.url === '/unread') await wait(900)
      try {
        for await (const _chunk of message);
        send(response, answer(200))
      } catch {}
    }
  })
  const on = await connected(url)
  const slow = on.request({ ...post, ':path': '/slow' })
  slow.on('error', () => {}).write('x')
  const unread = asked(on, { ...post, ':path': '/unread' }, bytes(2_000_000))
  const [headers] = await once(slow, 'response')
  expect(headers[':status']).toBe(408)
  expect((await unread).status).toBe(200)
})

test('an answer that is not taken is let go, one that is being made is not', async () => {
  const ended: Record<string, boolean> = {}
  const url = await listening({
    idleMs: 300,
    async onRequest({ url: path }, response) {
      response.once('close', () => {
        ended[path!] = response.writableFinished
      })
      if (path === '/waits') await wait(1_000)
      send(response, answer(200, 'x'.repeat(path === '/waits' ? 1 : 5_000_000)))
    }
  })
  const on = await connected(url)
  const deaf = on.request({ ':path': '/deaf' })
  deaf.on('error', () => {}).pause()
  const { status } = await asked(on, { ':path': '/waits' })
  expect(status).toBe(200)
  await expect.poll(() => ended, { timeout: 10_000 }).toEqual({ '/deaf': false, '/waits': true })
})

/** SETTINGS that let nothing of a body come, and a PING. */
const shut = Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0])
/** SETTINGS and a WINDOW_UPDATE that let all of it come. */
const wide = Buffer.from([
  ...[0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0x7f, 0xff, 0xff, 0xff],
  ...[0, 0, 4, 8, 0, 0, 0, 0, 0, 0x7f, 0, 0, 0]
])
const ping = Buffer.from([0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
const preface = get.subarray(0, 24)
/** The head of GET / on a stream; without its end for flags of 1. */
const headOn = (id: number, flags = 5) =>
  Buffer.concat([Buffer.from([0, 0, 11, 1, flags, 0, 0, id >> 8, id]), get.subarray(-11)])

test.each<[string, { first: Buffer[]; more?: (nth: number) => Buffer; deaf?: boolean }]>([
  ['takes nothing, and sends PINGs', { first: [shut, headOn(1)], more: () => ping }],
  ['takes nothing, and asks on', { first: [shut, headOn(1)], more: (nth) => headOn(1 + 2 * nth) }],
  ['does not read', { first: [wide, ...[1, 3].map((id) => headOn(id))], deaf: true }],
  ['leaves its head unended', { first: [get.subarray(24, 33), headOn(1, 1)] }]
])('a client that %s is let go with its connection', async (_, { first, more, deaf }) => {
  const served = new Set<Socket>()
  const url = await listening({
    idleMs: 200,
    onRequest(message, response) {
      served.add(message.socket as Socket)
      send(response, answer(200, 'x'.repeat(deaf ? 10_000_000 : 100_000)))
    }
  })
  const client = connect({ port: Number(new URL(url).port), allowHalfOpen: true })
  open.push(() => client.destroy())
  client.on('error', () => {})
  const ended = new Promise((resolve) => client.once('close', resolve).once('end', resolve))
  if (deaf) client.pause()
  else client.resume()
  client.write(Buffer.concat([preface, ...first]))
  let nth = 0
  const saying = setInterval(() => more && client.write(more(++nth)), 20)
  open.push(() => clearInterval(saying))
  if (deaf) await expect.poll(() => [...served].map(({ destroyed }) => destroyed)).toEqual([true])
  else await ended
})

test('an answer that is taken bit by bit is sent to its end', async () => {
  const url = await listening({
    idleMs: 400,
    onRequest: (_message, response) => send(response, answer(200, 'x'.repeat(400_000)))
  })
  const on = await connected(url)
  const stream = on.request({ ':path': '/' })
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    await wait(40)
  }
  expect([bytes, stream.rstCode]).toEqual([400_000, 0])
})

test.each([
  ['on which nothing is asked', { idleMs: 100 }],
  ['that only sends PINGs', { quietMs: 400 }]
])('a connection %s ends', async (_, service) => {
  const on = await connected(await listening(service))
  const closed = once(on, 'close')
  const ping = setInterval(() => on.destroyed || on.ping(() => {}), 50)
  if ('idleMs' in service) clearInterval(ping)
  await closed
  clearInterval(ping)
})

test.each([
  ['resets', (socket: Socket) => void socket.resetAndDestroy()],
  ['ends', (socket: Socket) => void socket.end()]
])('a connection that a client %s is let go at once', async (_, leave) => {
  const sockets = () => process.getActiveResourcesInfo().filter((it) => it === 'TCPSocketWrap')
  const before = sockets().length
  const url = await listening({})
  for (let times = 1; times <= 10; times++) {
    const client = connect({ port: Number(new URL(url).port), allowHalfOpen: true })
    client.on('error', () => {}).resume()
    open.push(() => client.destroy())
    // It is gone before the server reads, whose first write is then the one that hears of it.
    client.write(get, () => leave(client))
    await once(client, 'connect')
  }
  await expect.poll(() => sockets().length, { timeout: 5_000 }).toBeLessThanOrEqual(before)
})

test('a connection gets one request a turn, and 100 streams', async () => {
  const begun: string[] = []
  const url = await listening({
    onRequest(message, response) {
      begun.push(message.url!)
      send(response, answer(200))
    }
  })
  const [greedy, modest] = [await connected(url), await connected(url)]
  expect(greedy.remoteSettings.maxConcurrentStreams).toBe(100)
  const all = Array.from({ length: 90 }, (_, at) => asked(greedy, { ':path': `/greedy/${at}` }))
  const one = asked(modest, { ':path': '/modest' })
  const statuses = new Set((await Promise.all([...all, one])).map(({ status }) => status))
  expect([...statuses]).toEqual([200])
  const own = begun.filter((path) => path !== '/modest')
  expect(own).toEqual(Array.from({ length: 90 }, (_, at) => `/greedy/${at}`))
  // Without turns the first read of 90 streams is served before anything else.
  expect(begun.indexOf('/modest')).toBeLessThan(60)
})
