import { createServer, type ServerHttp2Stream, type ServerOptions } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { unthrottled } from '../../../src/client/throttle.ts'
import { clock } from '../../../src/clock.ts'
import { type Http2Options, usualOf } from '../../../src/limit/http2/asking.ts'
import { type Http2Name, surveyHttp2 } from '../../../src/limit/http2/survey.ts'
import type { WindowFound } from '../../../src/limit/http2/windows.ts'
import type { LineFound } from '../../../src/limit/seek.ts'
import { addressOf } from '../../../src/load/http1/dial.ts'
import { flags, frame, frames, settingsFrame, wordsFrame } from '../../../src/load/http2/frame.ts'
import { routeTo } from '../../../src/route.ts'
import { listenHttp2, response } from '../../load/http2/peer.ts'
import { isInstalled, startProgram } from '../../load/http2/programs.ts'

/** Looks for one limit of a server. */
async function found(url: string, name: Http2Name, more: Partial<Http2Options> = {}) {
  const options: Http2Options = {
    address: addressOf(url, { verifyTls: false, route: routeTo(url) }),
    ordinary: { method: 'GET', path: '/', headers: [] },
    ...{ clock, turn: unthrottled, stopped: () => false, ...more }
  }
  const usual = await usualOf(options)
  if (typeof usual === 'string') throw new Error(usual)
  return surveyHttp2(name, options, usual)
}

/** Where the lines of one limit are, each way to ask by its name, and what is said of it. */
async function lines(...asked: Parameters<typeof found>) {
  const told = (await found(...asked)) as LineFound
  const all = told.lines.map(({ variant, boundary: { kind, accepted, rejected }, how }) => ({
    ...(variant !== '' && { variant }),
    ...(kind === 'found' ? { accepted, rejected, how } : { kind })
  }))
  return { announced: told.announced, lines: all }
}

/** A server of Node with these settings that answers with a word; it ends with the test. */
async function node(
  options: ServerOptions = {},
  end = (stream: ServerHttp2Stream) => void stream.end('hello')
): Promise<string> {
  const server = createServer(options)
  server.on('session', (session) => session.on('error', () => {}))
  server.on('sessionError', () => {})
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {})
    stream.resume()
    if (stream.destroyed) return
    stream.respond({ ':status': 200 })
    stream.write('x')
    end(stream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('of Node', () => {
  test('how many streams it allows, and says', async () => {
    const url = await node({ settings: { maxConcurrentStreams: 7 } })
    const how = 'GOAWAY (PROTOCOL_ERROR)'
    const line = { accepted: 7, rejected: 8, how }
    expect(await lines(url, 'streams')).toEqual({ announced: 7, lines: [line] })
  })

  test('that it allows any number', async () => {
    const url = await node()
    expect(await lines(url, 'streams', { ceiling: 300 })).toEqual({
      announced: null,
      lines: [{ kind: 'unlimited' }]
    })
  })

  test('how many fields a head may have', async () => {
    const url = await node({ maxHeaderListPairs: 20 })
    const told = (await found(url, 'header-fields')) as LineFound
    expect(told.lines[0]).toMatchObject({
      boundary: { kind: 'found', accepted: 20, rejected: 21 },
      how: 'RST_STREAM (ENHANCE_YOUR_CALM)',
      reading: { what: 'header fields', number: 20 }
    })
  })

  test('how long a head may be, in one field and in many', async () => {
    const how = 'GOAWAY (COMPRESSION_ERROR)'
    const [one] = (await lines(await node(), 'header-list')).lines
    // What it counts is the value itself, up to 64 KiB.
    expect(one).toEqual({ variant: 'one long field', accepted: 65_760, rejected: 65_761, how })
  })

  test('how large a frame may be', async () => {
    const how = 'GOAWAY (FRAME_SIZE_ERROR)'
    const lineAt = (accepted: number) => [{ accepted, rejected: accepted + 1, how }]
    const url = await node({ settings: { maxFrameSize: 20_000 } })
    expect(await lines(url, 'frame-size')).toEqual({ announced: 20_000, lines: lineAt(20_000) })
  })

  test('how many streams it lets be reset at once, and then a second', async () => {
    const url = await node({ streamResetBurst: 200, streamResetRate: 20 })
    const told = (await found(url, 'resets', { paceMs: 2_000 })) as LineFound
    expect(told.lines[0]).toMatchObject({
      boundary: { kind: 'found', accepted: 200, rejected: 201 },
      how: 'GOAWAY (INTERNAL_ERROR)'
    })
    // It counts in whole seconds: so short a pace may meet one of them, or three, and halves them.
    expect(told.pace!.accepted).toBeGreaterThanOrEqual(8)
    expect(told.pace!.accepted).toBeLessThan(100)
    expect(told.pace!.rejected).not.toBe(null)
  })

  test('how wide its windows are, and when it opens them again', async () => {
    const url = await node({ settings: { initialWindowSize: 40_000 } })
    const told = (await found(url, 'windows')) as WindowFound
    expect(told).toMatchObject({ stream: 40_000, connection: 65_535, status: 200 })
  })
})

/** A server by hand that allows three streams, and says so or something else. */
const three = (said: number, refuse: (id: number) => Buffer) => {
  const open = new WeakMap<object, Set<number>>()
  return listenHttp2({
    greeting: { maxConcurrentStreams: said },
    onFrame(peer, type, id) {
      const { socket } = peer
      const ids = open.get(socket) ?? new Set<number>()
      open.set(socket, ids)
      if (type === frames.ping) peer.say(frame(frames.ping, 0, Buffer.alloc(8), flags.ack))
      if (type === frames.headers && ids.size >= 3) peer.say(refuse(id))
      else if (type === frames.headers) {
        ids.add(id)
        peer.say(response(id, 200, 'x').subarray(0, -10))
      } else if (type === frames.settings) {
        // Windows are open again: all that was held back may go.
        for (const one of ids) peer.say(frame(frames.data, one, Buffer.from('x'), flags.endStream))
        ids.clear()
      }
    }
  })
}

describe('of a server that says one thing and does another', () => {
  test('what it does counts, and what it says is told', async () => {
    const { url } = await three(100, (id) => wordsFrame(frames.resetStream, id, 7))
    const line = { accepted: 3, rejected: 4, how: 'RST_STREAM (REFUSED_STREAM)' }
    expect(await lines(url, 'streams')).toEqual({ announced: 100, lines: [line] })
  })
})

describe('of hostile servers', () => {
  const asked = async (greeting: Buffer) => {
    const { url } = await listenHttp2({ greeting })
    return found(url, 'streams').catch((cause: Error) => cause.message)
  }

  test('one that speaks no HTTP/2 is told as such', async () => {
    expect(await asked(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))).toMatch(
      /^no HTTP\/2 connection: it speaks HTTP\/1\.1$/
    )
  })

  test('one that answers without end holds its streams by itself', async () => {
    const url = await node({ settings: { maxConcurrentStreams: 3 } }, () => {})
    expect((await lines(url, 'streams')).lines).toMatchObject([{ accepted: 3, rejected: 4 }])
  })

  test('one whose frames cannot be read is left', async () => {
    const cut = Buffer.concat([settingsFrame({}), frame(frames.goAway, 0, Buffer.alloc(2))])
    expect(await asked(cut)).toMatch(/answered by nothing: closed$/)
  })
})

describe.skipIf(!isInstalled('nginx'))('of nginx', () => {
  const server = (more: string) => `http2_max_concurrent_streams 5; ${more}`

  test('streams, heads, and how many requests a connection takes', async () => {
    const { plain } = await startProgram('nginx', server('large_client_header_buffers 3 2k;'))
    const line = { accepted: 5, rejected: 6, how: 'RST_STREAM (REFUSED_STREAM)' }
    expect(await lines(`${plain}/`, 'streams')).toEqual({ announced: 5, lines: [line] })
    const heads = (await found(`${plain}/`, 'header-list')) as LineFound
    expect(heads.lines.map(({ reading }) => reading)).toEqual([
      { what: "the longest field's value", number: 2_048, isBelow: false },
      { what: 'all names and values', number: 6_144, isBelow: false }
    ])
    // It ends connections after a hundred requests, of whatever kind.
    expect(await found(`${plain}/`, 'resets')).toMatchObject({
      outcome: 'inconclusive',
      because: expect.stringContaining('after 100 requests')
    })
  })
})

describe.skipIf(!isInstalled('haproxy'))('of HAProxy', () => {
  test('how many streams it allows', async () => {
    const { plain } = await startProgram('haproxy')
    const line = { accepted: 7, rejected: 8, how: 'RST_STREAM (REFUSED_STREAM)' }
    expect(await lines(`${plain}/`, 'streams')).toEqual({ announced: 7, lines: [line] })
  })
})
