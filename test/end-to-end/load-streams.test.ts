import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { listenReflecting } from '../load/grpc/reflecting.ts'
import { echo, listenSockets } from '../load/websocket/socket-server.ts'
import { start } from './plimsoll.ts'
import { refused } from './refused.ts'

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
  const { stderr, code } = await refused('load', 'ws://127.0.0.1:9/', ...words)
  expect(stderr).toMatch(told)
  expect(code).toBe(64)
})

test('a message goes over WebSockets that are kept open', async () => {
  const { url } = await listenSockets(echo)
  const found = await loaded([url, '--message', 'hello', '--answer', '^hel+o$'])
  expect(found).toMatchObject({ statuses: { 101: 20 }, errors: {}, begun: 20 })
  expect(found.connections).toMatchObject({ opened: 2, lost: 0, protocol: 'WebSocket' })
}, 60_000)

const file = new URL('../load/grpc/greeter.proto', import.meta.url).pathname

test('a method of gRPC is called, as its server or a file describes it', async () => {
  const { place, calls } = await listenReflecting('v1')
  const hello = `grpc://${place}/demo.Greeter/Hello`
  const found = await loaded([hello, '--message', '{"your_name":"x"}'])
  expect(found).toMatchObject({ statuses: { 200: 20 }, errors: {}, begun: 20, transport: 'http2' })
  expect(found.own).toMatchObject({ messagesReceived: { value: 20 } })
  expect(calls.Hello).toBe(20)
  const missing = await loaded([hello, '--message', '{"yourName":"nobody"}', '--proto', file])
  expect(missing).toMatchObject({ statuses: {}, errors: { NOT_FOUND: 20 } })
  expect(missing.connections.ends).toEqual({ 'NOT_FOUND (nobody is here)': 20 })
  const sum = [`grpc://${place}/demo.Greeter/Sum`, '--message', '[{"times":1},{"times":2}]']
  expect(await loaded([...sum, '--proto', file])).toMatchObject({ statuses: { 200: 20 } })
  expect(calls.Sum).toBe(60)
  const count = [`grpc://${place}/demo.Greeter/Count`, '--message', '{"times":7}']
  const counted = await loaded([...count, '--proto', file])
  expect(counted.own).toMatchObject({ messagesReceived: { value: 140 } })
}, 60_000)

test('a server that is not there cannot be asked what it has', async () => {
  const { stderr, code } = await start(['load', 'grpc://127.0.0.1:9/demo.Greeter/Hello']).ended
  expect(stderr).toMatch(/connection refused at 127\.0\.0\.1:9/)
  expect(code).toBe(2)
})
