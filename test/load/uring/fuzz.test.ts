import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { closed } from '../../../src/load/load.ts'
import { type Random, random } from '../../../src/random.ts'
import { ask } from '../ask.ts'
import { listen, requestsBegun } from '../server.ts'

/** A body that tells whether it is whole, and its own: its seed, over and over. */
function bodyOf(next: Random): string {
  const seed = `${Math.floor(next() * 1e9)};`
  const bytes = next() < 0.2 ? next() * 100_000 : next() * 200
  return seed.repeat(Math.ceil(bytes / seed.length))
}

const isWhole = ({ body }: { body: string }) => {
  const seed = body.slice(0, body.indexOf(';') + 1)
  return body === seed.repeat(body.length / Math.max(1, seed.length))
}

function wellFormed(next: Random, status = 200): string {
  const body = bodyOf(next)
  const start = `HTTP/1.1 ${status} OK\r\n`
  if (next() < 0.6) return `${start}Content-Length: ${body.length}\r\n\r\n${body}`
  const cut = Math.ceil(next() * (body.length || 1))
  const chunks = [body.slice(0, cut), body.slice(cut), ''].filter((one, n) => one !== '' || n === 2)
  const coded = chunks.map((one) => `${one.length.toString(16)}\r\n${one}\r\n`).join('')
  return `${start}Transfer-Encoding: chunked\r\n\r\n${coded}`
}

/** Any bytes, many of which look like something. */
function garbage(next: Random): string {
  const parts = [
    'HTTP/1.1 ',
    '200',
    '\r\n',
    '\r',
    '\n',
    ': ',
    'Content-Length',
    '\0',
    'ÿ',
    '9'.repeat(20)
  ]
  return Array.from({ length: next() * 30 }, () => parts[Math.floor(next() * parts.length)]).join(
    ''
  )
}

/** A response with one byte of it changed, under a status of its own: its body may be any. */
function mutated(next: Random): string {
  const response = wellFormed(next, 555)
  const at = Math.floor(next() * Math.min(80, response.length))
  return response.slice(0, at) + String.fromCharCode(next() * 256) + response.slice(at + 1)
}

/** Writes in a few pieces, some of them in turns of their own. */
async function writeCut(socket: Socket, bytes: string, next: Random): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const to = next() < 0.5 ? bytes.length : at + 1 + Math.floor(next() * bytes.length)
    socket.write(bytes.slice(at, to), 'latin1')
    at = to
    if (next() < 0.3) await new Promise(setImmediate)
  }
}

/** Answers as chance will have it: mostly well, now and then as no server should. */
async function misbehave(socket: Socket, requests: number, next: Random): Promise<void> {
  for (let left = requests; left > 0; left--) {
    const chance = next()
    if (chance < 0.8) await writeCut(socket, wellFormed(next), next)
    else if (chance < 0.84) await writeCut(socket, mutated(next), next)
    else if (chance < 0.87) await writeCut(socket, garbage(next), next)
    else if (chance < 0.9) socket.end(wellFormed(next).slice(0, next() * 300), 'latin1')
    else if (chance < 0.92) socket.resetAndDestroy()
    else if (chance < 0.94) socket.destroy()
    else if (chance < 0.96) socket.end()
    else if (chance < 0.98) await writeCut(socket, wellFormed(next) + wellFormed(next), next)
  }
}

describe.each(['uring', 'wire'] as const)('%s', (transport) => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 4],
    [4, 16]
  ])('whatever a server sends, seed %i with %i in flight', async (seed, pipelining) => {
    const next = random(seed, 'server')
    const last = new WeakMap<Socket, Promise<void>>()
    const { url } = await listen((socket, chunk) => {
      // One after the other, so that no two answers are mixed.
      const before = last.get(socket) ?? Promise.resolve()
      last.set(
        socket,
        before.then(() => misbehave(socket, requestsBegun(chunk), next))
      )
    })
    const load = closed({ connections: 6, pipelining, iterations: 400, timeoutMs: 100 })
    const { results, begun, checks } = await ask({ url }, load, {
      transport,
      checks: { whole: (response) => response.status !== 200 || isWhole(response) }
    })
    const ended = Object.values(results).reduce((sum, count) => sum + count, 0)
    expect({ begun, ended }).toEqual({ begun: 400, ended: 400 })
    expect(results[200]).toBeGreaterThan(40)
    expect(checks).toEqual({ whole: { passed: 400, failed: 0 } })
  })
})
