import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Listener, listen } from '../../../src/platform/kernel/http/listener.ts'
import { override } from '../../../src/platform/kernel/override.ts'
import { openTime } from '../../../src/platform/kernel/time.ts'
import { type Rules, rules } from '../../../src/platform/parts.ts'
import { type Announcement, type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { door } from '../api.ts'
import { seeded, serviceOf } from '../opened.ts'
import { openStore } from '../store.ts'
import { bytes, chunks, head, talk } from '../wire.ts'

let running: Platform
let said: Announcement
/** An edge with limits so small that the whole of a body can be sent each time. */
let small: Listener
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  said = running.announcement
  const store = openStore()
  seeded(store)
  const bodyBytes = { free: 1_000, pro: 1_000, business: 2_000, enterprise: 5_000 }
  const scaled = override<Rules>(rules, { edge: { limits: { bodyBytes } } })
  const parts = { rules: scaled, store, time: openTime(store) }
  small = await listen(serviceOf('edge', parts), { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await small.close()
  await running.close()
})

const KiB = 1_024
const MiB = 1_048_576
const ask = (line: string, ...lines: string[]) =>
  head(line, 'Host: free.zones.test', 'Connection: close', ...lines)
const hears = (...parts: (string | Buffer)[]) => talk(said.edge, parts)
const digest = (body: Iterable<Buffer>) => {
  const hash = createHash('sha256')
  for (const piece of body) hash.update(piece)
  return hash.digest('hex')
}

describe('the head', () => {
  const url = (size: number) => ask(`GET /echo?${'u'.repeat(size - 6)}`)
  const header = (size: number) => ask('GET /echo', `X-H: ${'v'.repeat(size - 3)}`)
  /** Headers of `size` bytes together: what `ask` sends has 34, and each of these at most 8,000. */
  const headers = (size: number) => {
    const each = Array.from({ length: 5 }, (_, index) =>
      Math.min(8_000, Math.max(0, size - 34 - index * 8_000))
    )
    const lines = each.filter((part) => part > 0).map((part) => `X-H: ${'v'.repeat(part - 3)}`)
    return ask('GET /echo', ...lines)
  }

  test.each([
    ['a URL', url, 16 * KiB, 414],
    ['a header', header, 16 * KiB, 431],
    ['all headers', headers, 32 * KiB, 431]
  ])('%s: the limit passes, one byte more does not', async (_, sized, limit, status) => {
    expect((await hears(sized(16_000))).statuses).toEqual([200])
    expect((await hears(sized(limit))).statuses).toEqual([200])
    expect((await hears(sized(limit + 1))).statuses).toEqual([status])
    expect((await hears(sized(limit * 8))).statuses).toEqual([status])
  })

  test('the echo tells what arrived', async () => {
    expect(JSON.parse((await hears(url(16 * KiB))).body)).toMatchObject({ urlBytes: 16 * KiB })
    const { headers: counted } = JSON.parse((await hears(headers(32 * KiB))).body)
    expect(counted).toEqual({ count: 7, bytes: 32 * KiB })
    const many = await hears(ask('GET /echo', ...Array(5_000).fill('a: b')))
    expect(JSON.parse(many.body).headers).toEqual({ count: 5_002, bytes: 34 + 10_000 })
    const strange = await hears(ask('GET /echo', 'X-Y: \xfe\xff'))
    expect(JSON.parse(strange.body)).toMatchObject({ headers: { count: 3, bytes: 34 + 5 } })
  })

  test('a head without end is cut short, with an answer', async () => {
    const line = `X: ${'x'.repeat(MiB)}\r\n`
    const heard = await hears(ask('GET /echo').slice(0, -2), ...Array(12).fill(line), '\r\n')
    expect([heard.statuses, heard.error]).toEqual([[431], undefined])
  })
})

describe('the zone', () => {
  test.each([
    ['free.zones.test', 200],
    ['FREE.zones.test.', 200],
    ['a.b.pro.zones.test:8080', 200],
    ['zones.test', 404],
    ['127.0.0.1', 404]
  ])('at %s is %i', async (host, status) => {
    const heard = await hears(head('GET /echo', `Host: ${host}`, 'Connection: close'))
    expect(heard.statuses).toEqual([status])
  })

  test('has nothing but an echo', async () => {
    const heard = await hears(ask('POST /elsewhere', 'Content-Length: 3'), 'abc')
    expect(heard.statuses).toEqual([404])
    expect(JSON.parse(heard.body).error).toContain('/elsewhere')
  })

  test('that is made later is there, and its limit follows its plan', async () => {
    const control = door(said)
    const { id, host } = (await control('POST', '/zones', { plan: 'free' })).json
    const lines = [`Host: ${host}`, 'Connection: close', 'Expect: 100-continue']
    const large = head('POST /echo', ...lines, `Content-Length: ${150 * MiB}`)
    expect((await talk(said.edge, [large], /\r\n\r\n/)).statuses).toEqual([413])
    await control('PATCH', `/zones/${id}`, { plan: 'business' })
    expect((await talk(said.edge, [large], /\r\n\r\n/)).statuses).toEqual([100])
  })
})

describe('the body', () => {
  const plans = { free: 100, pro: 100, business: 200, enterprise: 500, ineligible: 200 }
  const methods = ['POST', 'PUT', 'PATCH']

  test.each(Object.entries(plans))(
    'on %s may have %i MB, known beforehand',
    async (zone, limit) => {
      const expecting = (method: string, size: number) =>
        head(
          `${method} /echo`,
          `Host: ${zone}.zones.test`,
          `Content-Length: ${size}`,
          'Expect: 100-continue'
        )
      const first = async (method: string, size: number) =>
        (await talk(said.edge, [expecting(method, size)], /\r\n\r\n/)).statuses
      for (const method of methods) {
        expect(await first(method, limit * MiB)).toEqual([100])
        expect(await first(method, limit * MiB + 1)).toEqual([413])
      }
      expect(await first('DELETE', limit * MiB + 1)).toEqual([100])
    }
  )

  describe.each(methods)('%s', (method) => {
    test.each([
      ['free', 1_000],
      ['business', 2_000],
      ['enterprise', 5_000]
    ])('on %s: the limit passes, one byte more does not', async (zone, limit) => {
      const ask = (...lines: string[]) =>
        head(`${method} /echo`, `Host: ${zone}.zones.test`, 'Connection: close', ...lines)
      for (const size of [0, 1, limit - 1, limit, limit + 1, 3 * limit]) {
        const status = size > limit ? 413 : 200
        const announced = [ask(`Content-Length: ${size}`), ...bytes(size)]
        const chunked = [ask('Transfer-Encoding: chunked'), ...chunks(size)]
        for (const parts of [announced, chunked]) {
          const heard = await talk(small.url, parts)
          expect([size, heard.statuses]).toEqual([size, [status]])
          if (status === 200)
            expect(JSON.parse(heard.body)).toMatchObject({
              method,
              bytes: size,
              sha256: digest(bytes(size))
            })
        }
      }
    })
  })

  test('chunks one byte each are counted as well', async () => {
    const ask = head('POST /echo', 'Host: free.zones.test', 'Transfer-Encoding: chunked')
    const heard = await talk(small.url, [ask, ...Array(1_001).fill('1\r\nx\r\n')])
    expect(heard.statuses).toEqual([413])
  })

  test('a client that waits is told to go on, or why not', async () => {
    const waiting = (size: number, ...more: string[]) => [
      head(
        'POST /echo',
        ...[`Host: pro.zones.test`, 'Connection: close', 'Expect: 100-continue'],
        `Content-Length: ${size}`
      ),
      ...more
    ]
    expect((await talk(small.url, waiting(3, 'abc'))).statuses).toEqual([100, 200])
    expect((await talk(small.url, waiting(1_001))).statuses).toEqual([413])
    const other = ask('POST /echo', 'Expect: 200-ok', 'Content-Length: 0')
    expect((await talk(small.url, [other])).statuses).toEqual([417])
  })

  test.each([
    ['announced', [ask('POST /echo', `Content-Length: ${130 * MiB}`), ...bytes(130 * MiB)]],
    ['chunked', [ask('POST /echo', 'Transfer-Encoding: chunked'), ...chunks(130 * MiB)]]
  ])('%s, the answer reaches a client that sends it all regardless', async (_, parts) => {
    const heard = await talk(said.edge, parts)
    expect([heard.statuses, heard.error]).toEqual([[413], undefined])
  })

  test('one connection serves requests until one is refused', async () => {
    const post = (size: number) => [
      head('POST /echo', 'Host: free.zones.test', `Content-Length: ${size}`),
      ...bytes(size)
    ]
    const unread = head('POST /nowhere', 'Host: free.zones.test', 'Content-Length: 3')
    const heard = await talk(small.url, [
      ...[...post(1_000), ...post(0), unread, 'abc', ...post(7)],
      ...[...post(1_001), ...post(1)]
    ])
    expect(heard.statuses).toEqual([200, 200, 404, 200, 413])
  })
})

test.each([
  ['no HTTP', '\0\x01\x02\r\n\r\n', 400],
  ['no host', head('GET /echo'), 400],
  ['two hosts', head('GET /echo', 'Host: free.zones.test', 'Host: pro.zones.test'), 400],
  ['two lengths', ask('POST /echo', 'Content-Length: 1', 'Content-Length: 2'), 400],
  ['a length that is none', ask('POST /echo', 'Content-Length: 1e3'), 400],
  ['a length beyond counting', ask('POST /echo', `Content-Length: ${'9'.repeat(30)}`), 400],
  ['a length below nothing', ask('POST /echo', 'Content-Length: -1'), 400],
  ['two framings', ask('POST /echo', 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
  ['an unknown coding', ask('POST /echo', 'Transfer-Encoding: chunked, gzip'), 400],
  ['a chunk that is none', `${ask('POST /echo', 'Transfer-Encoding: chunked')}xyz\r\n`, 400],
  ['a folded header', ask('GET /echo', 'X-A: 1', ' 2'), 400],
  ['a header with a space before the colon', ask('GET /echo', 'X-A : 1'), 400],
  ['a bare line feed', ask('GET /echo').replaceAll('\r\n', '\n'), 400],
  ['a tunnel', ask('CONNECT free.zones.test:80'), 405]
])('%s is %i', async (_, request, status) => {
  expect((await hears(request)).statuses).toEqual([status])
})

test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
  'a client that leaves in the middle by %s harms nobody',
  async (leave) => {
    const warned = vi.spyOn(process, 'emitWarning')
    const { hostname, port } = new URL(said.edge)
    const socket = connect(Number(port), hostname)
    socket.resume().write(`${ask('POST /echo', 'Content-Length: 1000')}abc`)
    await once(socket, 'connect')
    socket[leave]()
    await once(socket, 'close')
    expect((await hears(ask('GET /echo'))).statuses).toEqual([200])
    expect(warned).not.toHaveBeenCalled()
    warned.mockRestore()
  }
)
