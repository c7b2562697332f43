import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sink } from '../../src/servers/sink.ts'

const send = async (url: string, body: string | Uint8Array<ArrayBuffer>) =>
  (await fetch(url, { method: 'POST', body, headers: { 'x-batch': '7' } })).status

test('takes batches for each inbox, compressed or not', async () => {
  await using logs = await sink()
  const [one, other] = [logs.inbox('one'), logs.inbox('an other')]
  expect(await send(one.url, '{"a":1}\n{"a":2}\n')).toBe(200)
  expect(await send(one.url, new Uint8Array(gzipSync('{"a":3}\n\n')))).toBe(200)
  expect(await send(other.url, '{"b":1}')).toBe(200)
  expect(one.records()).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
  expect(other.records()).toEqual([{ b: 1 }])
  expect(one.batches[1]).toMatchObject({ faults: [], bytes: 9, headers: { 'x-batch': '7' } })
})

test('takes what is stored below an inbox, and tells its name', async () => {
  await using logs = await sink()
  const [one, other] = [logs.inbox('one'), logs.inbox('on')]
  const put = { method: 'PUT', body: '{"a":1}' }
  expect((await fetch(`${one.url}/2024/1.log?x=1`, put)).status).toBe(200)
  expect(one.batches).toMatchObject([{ method: 'PUT', path: '/one/2024/1.log?x=1' }])
  expect(other.batches).toEqual([])
})

test('a batch that comes again is kept, and its records count once', async () => {
  await using logs = await sink()
  const inbox = logs.inbox('a')
  for (const body of ['{"a":1}\n', '{"a":2}\n', '{"a":1}\n']) await send(inbox.url, body)
  expect(inbox.batches).toHaveLength(3)
  expect(inbox.batches[2]!.digest).toBe(inbox.batches[0]!.digest)
  expect(inbox.records()).toEqual([{ a: 1 }, { a: 2 }])
})

test('forgets what came before', async () => {
  await using logs = await sink()
  const inbox = logs.inbox('a')
  const { batches } = inbox
  await send(inbox.url, '{"content":"tests"}\n')
  inbox.forget()
  expect([batches, inbox.records()]).toEqual([[], []])
  await send(inbox.url, '{"a":1}\n')
  expect(inbox.records()).toEqual([{ a: 1 }])
})

test.each([
  ['no JSON', 'hello', ['line 1 is no JSON object']],
  ['no objects', '1\n[2]\nnull\n{"a":1}', [1, 2, 3].map((at) => `line ${at} is no JSON object`)],
  ['half a line', '{"a":1}\n{"a":', ['line 2 is no JSON object']],
  [
    'a broken compression',
    new Uint8Array(gzipSync('{"a":1}')).slice(0, -9),
    ['it does not decompress']
  ]
])('says what is wrong with %s', async (_name, body, faults) => {
  await using logs = await sink()
  const inbox = logs.inbox('a')
  await send(inbox.url, body)
  expect(inbox.batches[0]!.faults).toEqual(faults)
})

test('turns away as many batches as it is told to', async () => {
  await using logs = await sink()
  const inbox = logs.inbox('a')
  inbox.refuse({ batches: 2, status: 500 })
  const statuses = []
  for (const number of [1, 2, 3]) statuses.push(await send(inbox.url, `{"a":${number}}`))
  expect(statuses).toEqual([500, 500, 200])
  expect(inbox.records()).toEqual([{ a: 3 }])
  expect(inbox.refused()).toBe(2)
})

test('takes batches with the status that it is told to', async () => {
  await using logs = await sink()
  const inbox = logs.inbox('a')
  inbox.answer(204)
  expect(await send(inbox.url, '{"a":1}')).toBe(204)
  inbox.refuse({ batches: 1, status: 503 })
  expect(await send(inbox.url, '{"a":2}')).toBe(503)
  expect(await send(inbox.url, '{"a":3}')).toBe(204)
  expect(inbox.records()).toEqual([{ a: 1 }, { a: 3 }])
})

test('closes the connection of a batch that it turns away without a status', async () => {
  await using logs = await sink()
  const inbox = logs.inbox('a')
  inbox.refuse({ batches: 1 })
  await expect(send(inbox.url, '{"a":1}')).rejects.toThrow()
  expect(await send(inbox.url, '{"a":2}')).toBe(200)
  expect(inbox.records()).toEqual([{ a: 2 }])
  expect(inbox.refused()).toBe(1)
})

test('knows no other places, and takes nothing that is cut off', async () => {
  await using logs = await sink()
  const inbox = logs.inbox('a')
  expect(await send(inbox.url.replace(/a$/, 'b'), '{}')).toBe(404)
  const { port, hostname } = new URL(inbox.url)
  const socket = connect(Number(port), hostname)
  socket.write('POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"a"')
  await once(socket, 'connect')
  socket.destroySoon()
  expect(await send(inbox.url, '{"a":1}')).toBe(200)
  expect(inbox.records()).toEqual([{ a: 1 }])
})
