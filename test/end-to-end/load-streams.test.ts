import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { echo, listenSockets } from '../load/websocket/socket-server.ts'
import { start } from './plimsoll.ts'

/** The JSON of a load of twenty, two at a time. */
async function loaded(words: string[]) {
  const { stdout, stderr } = await start(['load', ...words, '-n', '20', '-c', '2', '--json']).ended
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test('a URL is listened to as an event stream', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/event-stream').end('data: a\n\ndata: [DONE]\n\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const found = await loaded([url, '--events', '--until', '[DONE]', '--tokens'])
  expect(found).toMatchObject({ statuses: { 200: 20 }, errors: {}, begun: 20 })
  const broken = await loaded([url, '--events', '--until', '3'])
  expect(broken).toMatchObject({ statuses: {}, errors: { closed: 20 } })
  server.close()
}, 60_000)

test.each([
  [['--message', 'x', '--http', '2'], /--http 2 speaks no WebSocket: leave it out/],
  [['--message', 'x', '--transport', 'undici'], /--transport undici speaks no WebSocket/],
  [['--events'], /goes with --message, and with no --curl, --har or --events/]
])('%j of a WebSocket is refused by the flag that was given', async (words, told) => {
  const { stderr, code } = await start(['load', 'ws://127.0.0.1:9/', ...words]).ended
  expect(stderr).toMatch(told)
  expect(code).toBe(64)
})

test('a message goes over WebSockets that are kept open', async () => {
  const { url } = await listenSockets(echo)
  const found = await loaded([url, '--message', 'hello', '--answer', '^hel+o$'])
  expect(found).toMatchObject({ statuses: { 101: 20 }, errors: {}, begun: 20 })
  expect(found.connections).toMatchObject({ opened: 2, lost: 0, protocol: 'WebSocket' })
}, 60_000)
