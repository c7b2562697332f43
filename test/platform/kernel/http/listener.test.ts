import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { send } from '../../../../src/platform/kernel/http/answer.ts'
import {
  type Listener,
  listen,
  type Service
} from '../../../../src/platform/kernel/http/listener.ts'
import { head } from '../../wire.ts'

let open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.map((one) => one.close()))
  open = []
})

const answer = (status: number, body = '') => ({ status, type: 'text/plain', body })

async function listening(service: Partial<Service>): Promise<Listener> {
  const onRequest: Service['onRequest'] = (_message, response) => send(response, answer(200))
  const whole = { onRequest, onMalformed: (status: number) => answer(status), ...service }
  const listener = await listen(whole, { host: '127.0.0.1', port: 0 })
  open.push(listener)
  return listener
}

/** A connection, and what has come back over it. */
async function connected({ url }: Listener): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  open.push({ close: async () => void socket.destroy() })
  return { socket, heard: () => text }
}

const get = (path: string) => head(`GET ${path}`, 'Host: a.test')
const served = (text: string) => text.split('HTTP/1.1 200').length - 1

/** A service that reads bodies to their end, and counts. */
function reading() {
  const seen = { ended: 0, failed: 0, bytes: 0 }
  const onRequest: Service['onRequest'] = async (message, response) => {
    try {
      for await (const chunk of message) seen.bytes += chunk.length
      seen.ended++
      send(response, answer(200))
    } catch {
      seen.failed++
    }
  }
  return { seen, onRequest }
}

test.each([
  ['of a declared length', 'Content-Length: 1000000'],
  ['in chunks', 'Transfer-Encoding: chunked']
])('a body %s that comes too slowly ends with a 408', async (_, framing) => {
  const { seen, onRequest } = reading()
  const listener = await listening({ onRequest, pace: { spanMs: 200, bytes: 1_000 } })
  const { socket, heard } = await connected(listener)
  socket.write(head('POST /', 'Host: a.test', framing))
  const drip = setInterval(() => socket.write(framing.endsWith('chunked') ? '1\r\nx\r\n' : 'x'), 20)
  try {
    await expect.poll(heard, { timeout: 10_000 }).toContain('HTTP/1.1 408')
  } finally {
    clearInterval(drip)
  }
  expect(heard()).toContain('Connection: close')
  socket.destroy()
  await expect.poll(() => seen).toEqual({ ...seen, ended: 0, failed: 1 })
})

test('a body that keeps coming may take many spans', async () => {
  const { seen, onRequest } = reading()
  const listener = await listening({ onRequest, pace: { spanMs: 300, bytes: 1_000 } })
  const { socket, heard } = await connected(listener)
  const piece = Buffer.alloc(20_000, 'x')
  socket.write(head('POST /', 'Host: a.test', `Content-Length: ${piece.length * 100}`))
  for (let count = 0; count < 100; count++) {
    socket.write(piece)
    await wait(20)
  }
  await expect.poll(heard, { timeout: 10_000 }).toContain('HTTP/1.1 200')
  expect(seen).toEqual({ ended: 1, failed: 0, bytes: 2_000_000 })
})

test('a client whose body is not read is not the slow one', async () => {
  let read = () => {}
  const spans = 5
  const spanMs = 100
  const listener = await listening({
    pace: { spanMs, bytes: 1_000 },
    async onRequest(message, response) {
      await new Promise<void>((resolve) => {
        read = resolve
      })
      for await (const _chunk of message);
      send(response, answer(200))
    }
  })
  const { socket, heard } = await connected(listener)
  const bytes = 8_000_000
  socket.write(head('POST /', 'Host: a.test', `Content-Length: ${bytes}`))
  socket.write(Buffer.alloc(bytes))
  await wait(spans * spanMs)
  read()
  await expect.poll(heard, { timeout: 10_000 }).toContain('HTTP/1.1 200')
  expect(heard()).not.toContain('408')
})

test('an answer that has begun is cut when the body comes too slowly', async () => {
  const listener = await listening({
    pace: { spanMs: 100, bytes: 1_000 },
    onRequest: (_message, response) => void response.writeHead(200).write('begun')
  })
  const { socket, heard } = await connected(listener)
  socket.write(head('POST /', 'Host: a.test', 'Content-Length: 10'))
  await once(socket, 'close')
  expect(heard()).toContain('begun')
})

test('a client that does not take its answer is let go; one that waits for it is not', async () => {
  const ended: Record<string, boolean> = {}
  const idleMs = 300
  const listener = await listening({
    idleMs,
    async onRequest({ url }, response) {
      response.once('close', () => {
        ended[url!] = response.writableFinished
      })
      if (url === '/waits') await wait(idleMs * 4)
      send(response, answer(200, 'x'.repeat(url === '/waits' ? 1 : 50_000_000)))
    }
  })
  const [deaf, patient] = [await connected(listener), await connected(listener)]
  deaf.socket.pause()
  deaf.socket.write(get('/deaf'))
  patient.socket.write(get('/waits'))
  await expect.poll(() => ended, { timeout: 10_000 }).toEqual({ '/deaf': false, '/waits': true })
  await expect.poll(() => served(patient.heard())).toBe(1)
})

test('a connection on which nothing is asked ends', async () => {
  const listener = await listening({ idleMs: 100 })
  const { socket } = await connected(listener)
  await once(socket, 'close')
})

test('a connection that sends blank lines ends, one that asks does not', async () => {
  const listener = await listening({ quietMs: 500 })
  const [blank, asking] = [await connected(listener), await connected(listener)]
  const closed = new Promise((resolve) => blank.socket.once('close', resolve))
  blank.socket.write(get('/'))
  const drip = setInterval(() => blank.socket.write('\r\n'), 20)
  for (let times = 1; times <= 5; times++) {
    asking.socket.write(get('/'))
    await wait(200)
  }
  await closed
  clearInterval(drip)
  expect(served(blank.heard())).toBe(1)
  expect(served(asking.heard())).toBe(5)
})

test('a connection gets one request a turn, however many it has sent', async () => {
  const count = 2_000
  const begun: string[] = []
  const listener = await listening({
    onRequest(message, response) {
      begun.push(message.url!)
      send(response, answer(200))
    }
  })
  const [greedy, modest] = [await connected(listener), await connected(listener)]
  greedy.socket.write(get('/greedy').repeat(count))
  modest.socket.write(get('/modest'))
  await expect.poll(() => served(greedy.heard()), { timeout: 20_000 }).toBe(count)
  await expect.poll(() => served(modest.heard())).toBe(1)
  // Without turns all that came in one read is served first: 1,600 and more of these.
  expect(begun.indexOf('/modest')).toBeLessThan(100)
})

test('who sends without end is not read from while others wait to be served', async () => {
  let begun = 0
  const listener = await listening({
    async onRequest(_message, response) {
      begun++
      await wait(5)
      send(response, answer(200))
    }
  })
  const { socket, heard } = await connected(listener)
  const count = 20_000
  socket.write(get(`/${'x'.repeat(1_000)}`).repeat(count))
  await expect.poll(() => served(heard()), { timeout: 10_000 }).toBeGreaterThan(20)
  // What was not taken from the kernel stays with the sender.
  expect(socket.writableLength).toBeGreaterThan(5_000_000)
  expect(begun).toBeLessThan(count)
})

test('pipelined requests are answered in order, bodies and all, and an end ends them', async () => {
  const listener = await listening({
    async onRequest(message, response) {
      let body = ''
      for await (const chunk of message) body += chunk
      const isLast = message.url === '/30'
      const closing = isLast ? { headers: { Connection: 'close' } } : {}
      send(response, { ...answer(200, `${message.url}:${body.length}\n`), ...closing })
    }
  })
  const { socket, heard } = await connected(listener)
  const requests = Array.from({ length: 40 }, (_, number) => {
    const body = 'x'.repeat(number * 1_000)
    return head(`POST /${number}`, 'Host: a.test', `Content-Length: ${body.length}`) + body
  })
  socket.write(requests.join(''))
  await expect.poll(() => served(heard()), { timeout: 10_000 }).toBe(31)
  socket.end()
  const bodies = heard().match(/^\/\d+:\d+$/gm)
  expect(bodies).toEqual(Array.from({ length: 31 }, (_, number) => `/${number}:${number * 1_000}`))
})
