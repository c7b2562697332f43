import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { plimsollJson } from './plimsoll.ts'

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
