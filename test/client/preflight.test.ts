import { once } from 'node:events'
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { preflight } from '../../src/client/preflight.ts'
import { nowhere, say, talk } from './servers.ts'

function check(url: string, waitMs?: number) {
  const client = createClient({ endpoint: { url } })
  onTestFinished(() => client.close())
  return preflight(client, waitMs)
}

test.each([200, 301, 404, 421, 500])('HTTP %i is an answer', async (status) => {
  const url = await say(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
  expect(await check(url)).toEqual({ up: true })
})

const outages = [407, 408, 425, 429, 502, 503, 504, 511, 520, 530]

test.each(outages)('HTTP %i is an outage', async (status) => {
  const url = await say(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`)
  expect(await check(url)).toEqual({ up: false, because: `HTTP ${status}` })
})

test('nobody there', async () => {
  const url = await nowhere()
  const because = `connection refused at ${new URL(url).host}`
  expect(await check(url)).toEqual({ up: false, because })
})

test('somebody who does not speak HTTP, or not to the end', async () => {
  expect(await check(await say('220 smtp ready\r\n'))).toMatchObject({
    up: false,
    because: expect.stringContaining('not HTTP')
  })
  expect(await check(await say('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'))).toMatchObject({
    up: false,
    because: expect.stringContaining('closed after 0 of 9')
  })
})

test('what speaks HTTP/2 alone is no HTTP/1.1, and there', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const because = 'not HTTP/1.1: it speaks HTTP/2 without being asked to'
  const found = { up: false, because, isHttp2: true }
  expect(await check(`http://127.0.0.1:${port}`)).toEqual(found)
  // A head of SETTINGS by which no connection begins: those of a stream.
  const settings = '\0\0\x06\x04\0\0\0\0\x01\0\x03\0\0\0\x64'
  expect(await check(await say(settings))).not.toHaveProperty('isHttp2')
})

test('a stream that never ends is an answer, unless its status is an outage', async () => {
  const streaming = (status: string) =>
    talk((socket) => {
      socket.write(`HTTP/1.1 ${status}\r\ncontent-type: text/event-stream\r\n\r\ndata: a\n\n`)
    })
  expect(await check(await streaming('200 OK'), 100)).toEqual({ up: true })
  const because = expect.stringMatching(/^HTTP 503, an event stream /)
  expect(await check(await streaming('503 Busy'), 100)).toMatchObject({ up: false, because })
})

test('a limit that is used up is waited for, as long as it says', async () => {
  let refused = 0
  const url = await talk((socket) => {
    const isOver = refused++ > 0
    const head = isOver ? '200 OK\r\n' : '429 Too Many\r\nretry-after: 1\r\n'
    socket.end(`HTTP/1.1 ${head}content-length: 0\r\nconnection: close\r\n\r\n`)
  })
  expect(await check(url)).toEqual({ up: true })
  expect(refused).toBe(2)
})
