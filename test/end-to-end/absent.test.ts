import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { plimsollJson, start } from './plimsoll.ts'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'

/** What a target does with each connection; `count` says the how-manieth it is. */
const misbehaviours: Record<string, (socket: Socket, count: number) => void> = {
  hangs: () => {},
  'closes at once': (socket) => socket.end(),
  'resets at once': (socket) => socket.resetAndDestroy(),
  'answers garbage': (socket) => socket.end('220 smtp.example.test ESMTP\r\n'),
  'says half an answer': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
  'dies after a few answers': (socket, count) =>
    count < 4 ? socket.once('data', () => socket.end(ok)) : socket.resetAndDestroy()
}

let server: Server | undefined
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server?.close()
  server = undefined
})

/** A target file for a server that misbehaves, or for a port where nothing listens. */
async function targetThat(behave?: (socket: Socket, count: number) => void): Promise<string> {
  let count = 0
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    behave?.(socket, ++count)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  if (!behave) server.close()
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-absent-')), 'target.json')
  const endpoints = { edge: { url: `http://127.0.0.1:${port}` } }
  writeFileSync(file, JSON.stringify({ name: 'absent', endpoints, hosts: {} }))
  return file
}

async function outcomesAgainst(target: string) {
  const { code, json } = await plimsollJson('run', 'edge', '--target', target)
  return { code, outcomes: new Set(json.verdicts.map((one: { outcome: string }) => one.outcome)) }
}

test('nothing listening: everything is blocked, exit 2', async () => {
  const { code, outcomes } = await outcomesAgainst(await targetThat())
  expect([...outcomes]).toEqual(['blocked'])
  expect(code).toBe(2)
})

test.each(Object.keys(misbehaviours))(
  'a target that %s: no pass, no fail, exit 2',
  async (name) => {
    const { code, outcomes } = await outcomesAgainst(await targetThat(misbehaviours[name]))
    expect(outcomes.size).toBeGreaterThan(0)
    expect([...outcomes].filter((one) => one !== 'blocked' && one !== 'inconclusive')).toEqual([])
    expect(code).toBe(2)
  },
  60_000
)

const envelope = { result: null, success: false, errors: [{ message: 'Failed' }], messages: [] }
const failure = JSON.stringify(envelope)

/** What stands in a target's place and answers all that it is asked in one way. */
const standIns: Record<string, string> = {
  'is unavailable': 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n',
  'answers that too much was asked':
    'HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n',
  'leads to a login page': 'HTTP/1.1 302 Found\r\nlocation: /login\r\ncontent-length: 0\r\n\r\n',
  'shows a page to everybody':
    'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 20\r\n\r\n<html>Hello!</html>\n',
  'fails at everything, in the envelope of its API':
    'HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/json\r\n' +
    `content-length: ${failure.length}\r\n\r\n${failure}`,
  'finds everything too large':
    'HTTP/1.1 413 Content Too Large\r\ncontent-type: text/html\r\ncontent-length: 0\r\n\r\n'
}

// All stand-ins have the same control listener behind them, where nothing is asked about.
const platform = start(['platform', '--json', '--port', '0'])
await once(platform.child.stdout, 'data')
afterAll(() => void platform.child.kill('SIGTERM'))

/** A target file in which all endpoints but the control listener are one such server. */
async function standIn(answer: string): Promise<string> {
  const said = JSON.parse(platform.stdout())
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => socket.write(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-absent-')), 'target.json')
  const { zones, hosts, control } = said
  const endpoints = {
    ...{ management: { url: `${url}/client/v4` }, gateway: { url }, edge: { url } },
    control: { url: control }
  }
  const adapter = resolve(import.meta.dirname, '../../scenarios/_adapter.ts')
  writeFileSync(file, JSON.stringify({ name: 'stand-in', endpoints, zones, hosts, adapter }))
  return file
}

test.each(Object.keys(standIns))(
  'a target that %s: no pass, no fail in any area, exit 2',
  async (name) => {
    const file = await standIn(standIns[name]!)
    const { code, json } = await plimsollJson('run', '--target', file)
    const verdicts = json.verdicts as { scenario: string; outcome: string }[]
    const areas = new Set(verdicts.map(({ scenario }) => scenario.split('/')[0]))
    expect(areas.size).toBeGreaterThan(15)
    const outcomes = new Set(verdicts.map(({ outcome }) => outcome))
    expect([...outcomes].filter((one) => one !== 'blocked' && one !== 'inconclusive')).toEqual([])
    expect(code).toBe(2)
  },
  60_000
)

test('who answers 503 to everything is blocked, canary or not', async () => {
  const target = await targetThat((socket) => {
    socket.on('data', () => socket.write(standIns['is unavailable']!))
  })
  const { code, outcomes } = await outcomesAgainst(target)
  expect([...outcomes]).toEqual(['blocked'])
  expect(code).toBe(2)
})
