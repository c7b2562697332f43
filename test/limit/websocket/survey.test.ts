import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { unthrottled } from '../../../src/client/throttle.ts'
import { clock } from '../../../src/clock.ts'
import type { LineFound } from '../../../src/limit/seek.ts'
import type { SocketSurvey } from '../../../src/limit/websocket/probed-socket.ts'
import { surveySocketIdle, surveySockets, unopened } from '../../../src/limit/websocket/survey.ts'
import { addressOf } from '../../../src/load/http1/dial.ts'
import { routeTo } from '../../../src/route.ts'
import { answer, listen } from '../../load/server.ts'
import { echo, listenSockets } from '../../load/websocket/socket-server.ts'

/** What asks a server about its WebSockets. */
function survey(url: string, more: Partial<SocketSurvey> = {}): SocketSurvey {
  const origin = url.replace(/^ws/, 'http')
  return {
    address: addressOf(origin, { verifyTls: true, route: routeTo(origin) }),
    ...{ request: { url }, clock, turn: unthrottled, stopped: () => false, ...more }
  }
}

/** Where one limit has its lines. */
async function lines(...asked: Parameters<typeof surveySockets>) {
  const told = (await surveySockets(...asked)) as LineFound
  return told.lines.map(({ variant, boundary: { kind, accepted, rejected }, how }) => [
    ...[variant, kind, accepted, rejected, how]
  ])
}

test('the largest message, whole and in fragments', async () => {
  const { url } = await listenSockets(echo, { maxPayload: 70_000 })
  const how = 'close 1009'
  expect(await lines('message', survey(url, { ceiling: 100_000 }))).toEqual([
    ['in one frame', 'found', 70_000, 70_001, how],
    ['in fragments', 'found', 70_000, 70_001, how]
  ])
})

test('how many messages at once', async () => {
  const { url } = await listenSockets((socket) => {
    let left = 20
    socket.on('message', () => --left < 0 && socket.close(1_008, 'too many'))
  })
  const found = await surveySockets('messages', survey(url, { paceMs: 1_100 }))
  expect(found).toMatchObject({
    lines: [
      { boundary: { kind: 'found', accepted: 20, rejected: 21 }, how: 'close 1008 (too many)' }
    ]
  })
})

test('who answers a ping first and refuses messages later is waited for', async () => {
  const { url } = await listenSockets((socket) => {
    let left = 20
    const refuse = () => setTimeout(() => socket.close(1_008, 'too many'), 200)
    socket.on('message', () => void (--left < 0 && refuse()))
  })
  const how = 'close 1008 (too many)'
  const asked = survey(url, { paceMs: 300, ceiling: 200 })
  expect(await lines('messages', asked)).toEqual([['', 'found', 20, 21, how]])
})

test('an end for silence is none for messages', async () => {
  const { url } = await listenSockets((socket) => {
    const end = () => setTimeout(() => socket.close(1_001), 400)
    let timer = end()
    socket.on('message', () => {
      clearTimeout(timer)
      timer = end()
    })
  })
  const [[, kind] = []] = await lines('messages', survey(url, { ceiling: 200 }))
  expect(kind).toBe('unlimited')
})

test('how many sockets at a time, of whoever still counts those that are closed', async () => {
  const open = new Set<WebSocket>()
  const { url } = await listenSockets(
    (socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    },
    { verifyClient: () => open.size < 4 }
  )
  expect(await lines('sockets', survey(url, { ceiling: 20 }))).toEqual([
    ['', 'found', 4, 5, 'HTTP 401']
  ])
})

describe('how long one is left alone that says nothing', () => {
  test('from when it was opened, and from its last message', async () => {
    const { url } = await listenSockets((socket) => {
      const end = () => setTimeout(() => socket.close(1_001), 400)
      let timer = end()
      socket.on('message', () => {
        clearTimeout(timer)
        timer = end()
      })
    })
    const { lines } = await surveySocketIdle(survey(url), 5_000)
    const kinds = lines.map(({ reading }) => [reading.kind, 'since' in reading && reading.since])
    expect(kinds).toEqual([
      ['found', ['answer']],
      ['found', ['last byte']]
    ])
  })

  test('or that nobody ends it for so long', async () => {
    const { url } = await listenSockets(echo)
    const { lines } = await surveySocketIdle(survey(url), 300)
    expect(lines.map(({ reading }) => reading)).toEqual([
      { kind: 'unlimited', ms: 300 },
      { kind: 'unlimited', ms: 300 }
    ])
  })
})

describe('who opens none, or says nothing, is told as such', () => {
  test.each<[string, string, string]>([
    ['a page', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', 'no WebSocket: HTTP 200'],
    ['a refusal', 'HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n', 'no WebSocket: HTTP 403'],
    ['noise', 'SSH-2.0-x\r\n', 'no WebSocket: its answer is no HTTP/1.1']
  ])('%s', async (_, said, because) => {
    const { url } = await listen(answer(said))
    expect(await unopened(survey(url.replace('http', 'ws')))).toContain(because)
  })

  test('one that can be asked', async () => {
    const { url } = await listenSockets(echo)
    expect(await unopened(survey(url))).toBe(undefined)
  })
})
