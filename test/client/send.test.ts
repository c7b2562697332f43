import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createClient, type RawRequest } from '../../src/client/client.ts'
import { digest } from '../../src/client/payload.ts'
import type { BodyFraming } from '../../src/client/raw-request.ts'
import { type Clock, clock } from '../../src/clock.ts'
import { nowhere, say, serve, talk } from './servers.ts'

const framings: BodyFraming[] = ['length', 'chunked', 'expect']
const tooLarge = 'HTTP/1.1 413 Content Too Large\r\ncontent-length: 3\r\n\r\nbig'

/** Asks one question, a POST to / unless said otherwise. */
function ask(url: string, question: Partial<RawRequest> = {}) {
  return createClient({ endpoint: { url } }).send({ method: 'POST', path: '/', ...question })
}

/** Calls `act` once a socket has read a head and then `bytes` more, or a few more than that. */
function havingRead(
  socket: Socket,
  bytes: number,
  act: (head: string, read: number) => void
): void {
  let head = ''
  let read = 0
  const onData = (part: Buffer) => {
    const start = head.includes('\r\n\r\n') ? 0 : part.indexOf('\r\n\r\n') + 4
    head += part.toString('latin1', 0, start)
    read += part.length - start
    if (read < bytes) return
    socket.off('data', onData)
    socket.pause()
    act(head, read)
  }
  socket.on('data', onData)
}

/** A server that echoes what it read of a body: its length and its digest. */
const echo = () =>
  serve((request, response) => {
    const hash = createHash('sha256')
    let bytes = 0
    request.on('data', (part: Buffer) => {
      hash.update(part)
      bytes += part.length
    })
    request.on('end', () => response.end(JSON.stringify({ bytes, digest: hash.digest('hex') })))
  })

describe('the whole body arrives as it was', () => {
  const lengths = [0, 1, 65_536, 262_143, 262_144, 1_000_001]
  const all = framings.flatMap((framing) => lengths.map((bytes) => ({ framing, bytes })))
  test.each(all)('$bytes bytes, $framing', async ({ framing, bytes }) => {
    const reply = await ask(await echo(), { body: { bytes, framing } })
    expect(reply).toMatchObject({
      kind: 'answered',
      status: 200,
      sent: bytes,
      phase: 'end',
      because: 'HTTP 200',
      json: { bytes, digest: digest(bytes) },
      request: { method: 'POST', bodyBytes: bytes }
    })
  })

  test('paced from somewhere on', async () => {
    const body = { bytes: 400_000, framing: 'length' } as const
    const reply = await ask(await echo(), { body, paceFrom: 300_000 })
    expect(reply.json).toEqual({ bytes: 400_000, digest: digest(400_000) })
  })

  test('300 MB, without being held in memory', async () => {
    const url = await serve((request, response) => {
      let bytes = 0
      request.on('data', (part: Buffer) => {
        bytes += part.length
      })
      request.on('end', () => response.end(String(bytes)))
    })
    const before = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 5)
    const reply = await ask(url, { body: { bytes: 300_000_000, framing: 'length' } })
    clearInterval(watch)
    expect(reply).toMatchObject({ status: 200, json: 300_000_000, sent: 300_000_000 })
    expect(most - before).toBeLessThan(150_000_000)
  })
})

describe('a refusal is seen however the connection is closed', () => {
  const limit = 65_536
  const sizes = [limit + 1, 1_000_000, 20_000_000]
  const all = framings.flatMap((framing) => sizes.map((bytes) => ({ framing, bytes })))

  test.each(all)('at once, input unread: $bytes bytes, $framing', async ({ framing, bytes }) => {
    const url = await talk((socket) =>
      havingRead(socket, 0, () => socket.write(tooLarge, () => socket.destroy()))
    )
    for (let n = 0; n < 5; n++) {
      const reply = await ask(url, { body: { bytes, framing } })
      expect(reply).toMatchObject({ kind: 'answered', status: 413, body: 'big' })
      if (framing === 'expect') expect(reply).toMatchObject({ phase: 'headers', sent: 0 })
    }
  })

  test.each(sizes)('at the limit, input unread: %i bytes', async (bytes) => {
    const url = await talk((socket) =>
      havingRead(socket, limit + 1, () => socket.write(tooLarge, () => socket.destroy()))
    )
    for (let n = 0; n < 5; n++) {
      const reply = await ask(url, { body: { bytes, framing: 'chunked' } })
      expect(reply).toMatchObject({ kind: 'answered', status: 413, body: 'big' })
    }
  })

  test.each(sizes)('mid-body, the rest read and thrown away: %i bytes', async (bytes) => {
    const url = await talk((socket) =>
      havingRead(socket, limit + 1, () => {
        socket.write(tooLarge)
        socket.resume()
      })
    )
    const reply = await ask(url, { body: { bytes, framing: 'length' } })
    expect(reply).toMatchObject({ kind: 'answered', status: 413, body: 'big' })
    expect(reply.sent).toBeGreaterThan(0)
    expect(reply.phase).toBe(reply.sent < bytes ? 'body' : 'end')
  })

  test.each([
    { begun: 'a status line', answer: ['HTTP/1.1 4', '13 Content Too Large\r\n\r\n'] },
    { begun: 'a body', answer: ['HTTP/1.1 413 X\r\ncontent-length: 3\r\n\r\nb', 'ig'] }
  ])('nothing more is sent once the answer has begun with $begun', async ({ answer }) => {
    const read = Promise.withResolvers<number>()
    const url = await talk((socket) =>
      havingRead(socket, 100_000, () => {
        let bytes = 0
        socket.on('data', (part) => {
          bytes += part.length
        })
        socket.on('end', () => read.resolve(bytes))
        socket.write(answer[0]!)
        socket.resume()
        setTimeout(() => socket.end(answer[1]), 50)
      })
    )
    const body = { bytes: 1_000_000_000, framing: 'length' } as const
    const reply = await ask(url, { body, paceFrom: 0 })
    expect(reply).toMatchObject({ kind: 'answered', status: 413, phase: 'body' })
    // What was on its way when the first byte came, and not what fits into the other 50 ms.
    expect(await read.promise).toBeLessThan(reply.sent + 65_536)
  })

  test('the second attempt is paced from before, and sees what the first one lost', async () => {
    let connections = 0
    const url = await talk((socket) => {
      const isFirst = ++connections === 1
      havingRead(socket, 200_000, () => (isFirst ? socket.resetAndDestroy() : socket.end(tooLarge)))
    })
    const reply = await ask(url, { body: { bytes: 20_000_000, framing: 'length' } })
    expect(reply).toMatchObject({ kind: 'answered', status: 413, phase: 'body' })
    expect(reply.sent % 16_384).toBe(0)
    expect(connections).toBe(2)
  })
})

test('a body may be one character again and again', async () => {
  const reply = await ask(await echo(), { body: { bytes: 300_000, framing: 'chunked', fill: '1' } })
  const expected = createHash('sha256').update('1'.repeat(300_000)).digest('hex')
  expect(reply.json).toEqual({ bytes: 300_000, digest: expected })
})

test('an answer that begins with success does not stop the body', async () => {
  const bytes = 20_000_000
  const url = await talk((socket) =>
    havingRead(socket, 1, (_, already) => {
      let read = already
      socket.on('data', (part) => {
        read += part.length
        if (read === bytes) socket.end('all of it')
      })
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.resume()
    })
  )
  const reply = await ask(url, { body: { bytes, framing: 'length' } })
  expect(reply).toMatchObject({ kind: 'answered', status: 200, body: 'all of it', phase: 'body' })
  expect(reply.sent).toBeLessThan(bytes)
})

describe('asking leave first', () => {
  const body = { bytes: 100_000, framing: 'expect' } as const

  /** A clock on which the second that leave is waited for never ends by itself. */
  const patient: Clock = {
    now: clock.now,
    until: (time, signal) =>
      signal
        ? new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
        : clock.until(time)
  }
  const askPatiently = (url: string) =>
    createClient({ endpoint: { url }, clock: patient }).send({ method: 'PUT', path: '/', body })

  /** A server that counts the bytes it reads after the head, and answers the head with `answer`. */
  async function answering(answer: string, then: (socket: Socket, read: number) => void) {
    let read = 0
    const url = await talk((socket) =>
      havingRead(socket, 0, (head) => {
        expect(head).toContain('\r\nexpect: 100-continue\r\n')
        socket.on('data', (part) => {
          read += part.length
          then(socket, read)
        })
        socket.write(answer)
        socket.resume()
      })
    )
    return { url, read: () => read }
  }

  test('leave is waited for', async () => {
    const { url } = await answering('HTTP/1.1 100 Continue\r\n\r\n', (socket, read) => {
      if (read === body.bytes) socket.end('HTTP/1.1 201 Created\r\n\r\n')
    })
    const reply = await askPatiently(url)
    expect(reply).toMatchObject({ status: 201, sent: 100_000, phase: 'end', because: 'HTTP 201' })
  })

  test.each([401, 413, 417, 200])('HTTP %i instead ends it', async (status) => {
    const url = await say(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
    const reply = await askPatiently(url)
    expect(reply).toMatchObject({ kind: 'answered', status, sent: 0, phase: 'headers' })
  })

  test('so does one that is not complete yet', async () => {
    const { url, read } = await answering('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no', () => {})
    const reply = await ask(url, { body, timeoutMs: 600 })
    expect(reply).toMatchObject({ kind: 'timeout', status: 200, sent: 0, phase: 'headers' })
    expect(read()).toBe(0)
  })

  test('a target that does not know it gets the body after a second, which is said', async () => {
    const url = await talk((socket) => havingRead(socket, 100_000, () => socket.end(tooLarge)))
    expect(await ask(url, { body })).toMatchObject({
      status: 413,
      because: 'HTTP 413, without a 100 Continue within 1000 ms'
    })
  })
})

describe('a last byte that is held back', () => {
  const bodies = [undefined, ...framings.map((framing) => ({ bytes: 100_000, framing }))]
  test.each(bodies)('follows when it is released, and not before: %j', async (body) => {
    const url = await echo()
    const release = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let isAnswered = false
    const question = {
      body,
      beforeLastByte() {
        held.resolve()
        return release.promise
      }
    }
    const asked = ask(url, question).finally(() => {
      isAnswered = true
    })
    await held.promise
    // Whatever the target could answer by now, it would have.
    expect((await ask(url)).status).toBe(200)
    expect(isAnswered).toBe(false)
    release.resolve()
    const reply = await asked
    expect(reply).toMatchObject({
      kind: 'answered',
      status: 200,
      json: { bytes: body?.bytes ?? 0 }
    })
  })

  test('is asked for once, also when the connection breaks', async () => {
    let connections = 0
    const url = await talk((socket) => {
      connections++
      socket.once('data', () => socket.resetAndDestroy())
    })
    const body = { bytes: 10, framing: 'length' } as const
    const reply = await ask(url, { body, beforeLastByte: () => new Promise(() => {}) })
    expect(reply.kind).toBe('closed')
    expect(connections).toBe(1)
  })
})

test('a head comes in the pieces that were asked for, and then the rest', async () => {
  const pieces: string[] = []
  const url = await talk((socket) => {
    socket.on('data', (bytes) => {
      pieces.push(bytes.toString('latin1'))
      if (pieces.join('').endsWith('\r\n\r\n')) socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  // A pause is over once what was sent before it has come.
  let pauses = 0
  const until = async () => {
    pauses++
    while (pieces.length < pauses) await new Promise(setImmediate)
  }
  const client = createClient({ endpoint: { url }, clock: { now: () => 0, until } })
  const reply = await client.send({ method: 'POST', path: '/a', headPieces: [1, 3] })
  expect(reply.status).toBe(204)
  expect(pieces.slice(0, 2)).toEqual(['P', 'OST'])
  expect(pieces.slice(2).join('')).toMatch(/^ \/a HTTP\/1\.1\r\n/)
})

describe('what goes wrong is a reply', () => {
  const body = { bytes: 1_000_001, framing: 'length' } as const

  test('nobody listens', async () => {
    const url = await nowhere()
    expect(await ask(url, { body })).toMatchObject({
      kind: 'refused',
      phase: 'connect',
      sent: 0,
      ms: 0,
      because: `connection refused at ${new URL(url).host}`
    })
  })

  test('closed at once, and never with an answer: asked three times', async () => {
    let connections = 0
    const url = await talk((socket) => {
      connections++
      havingRead(socket, 0, () => socket.resetAndDestroy())
    })
    const reply = await ask(url, { body })
    expect(reply).toMatchObject({ kind: 'closed', status: 0 })
    expect(reply.because).toBe(
      `closed after ${reply.sent} of 1000001 body bytes, before any answer`
    )
    expect(reply.sent).toBeLessThan(1_000_001)
    expect(connections).toBe(3)
  })

  test('a request without a body is never sent twice', async () => {
    let connections = 0
    const url = await talk((socket) => {
      connections++
      havingRead(socket, 0, () => socket.resetAndDestroy())
    })
    const reply = await ask(url, { method: 'GET' })
    expect(reply).toMatchObject({ kind: 'closed', because: 'closed before any answer' })
    expect(connections).toBe(1)
  })

  test('an orderly end without an answer is one, though the other half stays open', async () => {
    let connections = 0
    const url = await talk((socket) => {
      connections++
      havingRead(socket, 50_000, () => {
        socket.end()
        socket.resume()
      })
    })
    expect(await ask(url, { body })).toMatchObject({ kind: 'closed', status: 0 })
    expect(connections).toBe(1)
  })

  test('no answer at all', async () => {
    const url = await talk((socket) => socket.resume())
    expect(await ask(url, { body, timeoutMs: 500 })).toMatchObject({
      kind: 'timeout',
      sent: 1_000_001,
      phase: 'end',
      because: 'no byte for 500 ms'
    })
  })

  test('a target that stops reading', async () => {
    const url = await talk((socket) => havingRead(socket, 1, () => {}))
    const reply = await ask(url, {
      body: { bytes: 200_000_000, framing: 'length' },
      timeoutMs: 600
    })
    expect(reply).toMatchObject({ kind: 'timeout', status: 0, phase: 'body' })
    expect(reply.sent).toBeLessThan(200_000_000)
  })

  test.each(['HTTP/1.1 200 OK\r\na: ', 'HTTP/1.1 200 OK\r\n\r\n'])(
    'an answer that drips for ever after %j',
    async (start) => {
      const url = await talk((socket) => {
        socket.write(start)
        const timer = setInterval(() => socket.write('x'), 10)
        socket.on('close', () => clearInterval(timer))
      })
      const reply = await ask(url, { method: 'GET', timeoutMs: 5_000, deadlineMs: 500 })
      expect(reply).toMatchObject({ kind: 'timeout', because: 'not finished after 500 ms' })
    }
  )

  test('garbage', async () => {
    const reply = await ask(await say('SSH-2.0-OpenSSH_9\r\n'), { method: 'GET' })
    expect(reply).toMatchObject({
      kind: 'garbage',
      status: 0,
      because: 'not HTTP: it begins with "SSH-2.0-OpenSSH_9\\r\\n"'
    })
  })

  test('less of an answer than promised', async () => {
    const url = await say('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello')
    expect(await ask(url, { method: 'GET' })).toMatchObject({
      kind: 'closed',
      status: 200,
      received: 5,
      body: 'hello',
      because: "HTTP 200, but closed after 5 of 9 bytes of the answer's body"
    })
  })
})

describe('answers', () => {
  test('interim ones, then chunks with trailers', async () => {
    const url = await say(
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n' +
        '6\r\n{"a":1\r\n1\r\n}\r\n0\r\nx-sum: 7\r\n\r\n'
    )
    expect(await ask(url, { method: 'GET' })).toMatchObject({
      kind: 'answered',
      status: 200,
      received: 7,
      json: { a: 1 },
      phase: 'end',
      sent: 0
    })
  })

  test("the client's headers, host and prefix are used", async () => {
    const url = await serve((request, response) => {
      const { host, authorization, connection } = request.headers
      response.end(JSON.stringify([request.url, host, authorization, connection]))
    })
    const endpoint = { url: `${url}/v4`, headers: { Authorization: 'Bearer t' } }
    const client = createClient({ endpoint }).as('zone.test')
    const reply = await client.send({ method: 'GET', path: '/a?b' })
    expect(reply.json).toEqual(['/v4/a?b', 'zone.test', 'Bearer t', 'close'])
    expect(reply.request.url).toBe(`${url}/v4/a?b`)
  })

  test('40 KB of headers and a long path arrive', async () => {
    const url = await talk((socket) =>
      socket.on('data', (part) => {
        length += part.length
        if (length > 60_000) socket.end(`HTTP/1.1 200 OK\r\n\r\n${length}`)
      })
    )
    let length = 0
    const headers = Array.from({ length: 40 }, (_, n): [string, string] => [
      `x-${n}`,
      'v'.repeat(1_000)
    ])
    const reply = await ask(url, { method: 'GET', path: `/${'p'.repeat(20_000)}`, headers })
    expect(reply.json).toBeGreaterThan(60_000)
  })
})
