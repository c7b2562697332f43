import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Backend, backend } from '../../src/servers/backend.ts'

/** Longer than anything here takes; only a failing test waits for it. */
const patienceMs = 5_000

async function started(): Promise<Backend> {
  const server = await backend()
  onTestFinished(server.close)
  return server
}

test('each label has its own counts, and an unknown one is not there', async () => {
  const server = await started()
  const [one, other] = [server.channel('one'), server.channel('other')]
  await fetch(one.url({ name: 'a' }), { method: 'POST', body: 'abc' })
  await fetch(one.url({ name: 'b', bytes: 1_000 })).then((response) => response.bytes())
  expect(await one.until(({ finished }) => finished === 2, patienceMs)).toBe(true)
  expect(one.seen()).toEqual({
    ...{ requests: 2, finished: 2, dropped: 0, open: 0, peak: 1, received: 3, sent: 1_002 },
    order: ['a', 'b']
  })
  expect(other.seen().requests).toBe(0)
  expect(server.channel('one').seen().requests).toBe(2)
  expect((await fetch(`http://127.0.0.1:${server.port}/unknown`)).status).toBe(404)
})

test('a channel can be called below another address', async () => {
  const server = await started()
  expect(server.channel('a b', 'https://tunnel.test/x').url({ bytes: 5 })).toBe(
    'https://tunnel.test/x/a%20b?bytes=5'
  )
})

test('what is asked for is answered', async () => {
  const channel = (await started()).channel('manners')
  const asked = { status: 418, bytes: 70_000, cache: 'max-age=60', returned: 'x-told' }
  const teapot = await fetch(channel.url(asked), { headers: { 'x-told': 'as it came' } })
  expect(teapot.headers.get('x-told')).toBe('as it came')
  expect([teapot.status, teapot.headers.get('cache-control')]).toEqual([418, 'max-age=60'])
  expect((await teapot.bytes()).length).toBe(70_000)
  const parts = await fetch(channel.url({ framing: 'chunked', bytes: 70_000 }))
  expect(parts.headers.get('content-length')).toBe(null)
  expect((await parts.bytes()).length).toBe(70_000)
  expect((await fetch(channel.url({ status: 204 }))).status).toBe(204)
  expect((await fetch(channel.url(), { method: 'HEAD' })).headers.get('content-length')).toBe(null)
  expect(
    await (await fetch(channel.url({ dripMs: 1, bytes: 3, delayMs: 1 }))).bytes()
  ).toHaveLength(3)
})

test('what is sent is answered once all of it has come', async () => {
  const server = await started()
  const [channel, other] = [server.channel('parts'), server.channel('other')]
  const socket = connect(server.port, '127.0.0.1')
  let answer = ''
  socket.on('data', (bytes) => (answer += bytes))
  socket.write('POST /parts HTTP/1.1\r\nhost: parts.test\r\ncontent-length: 6\r\n\r\nabc')
  await channel.until(({ received }) => received === 3, patienceMs)
  // Who asks later is answered, so that the other one would have been.
  await fetch(other.url()).then((response) => response.bytes())
  expect(answer).toBe('')
  socket.write('def')
  await once(socket, 'data')
  expect([answer.slice(0, 12), channel.seen().received]).toEqual(['HTTP/1.1 200', 6])
  socket.destroy()
})

test('redirects lead to another place and back', async () => {
  const [one, other] = [(await started()).channel('one'), (await started()).channel('other')]
  const response = await fetch(one.url({ hops: 3, to: other.url(), bytes: 5 }))
  expect(response.url).toBe(other.url({ hops: 0, bytes: 5, to: one.url().replace('?', '') }))
  expect(await response.bytes()).toHaveLength(5)
  expect([one.seen().requests, other.seen().requests]).toEqual([2, 2])
})

test('each redirect is a request', async () => {
  const channel = (await started()).channel('hops')
  const response = await fetch(channel.url({ hops: 3, bytes: 5 }))
  expect([response.status, response.redirected]).toEqual([200, true])
  expect(await response.bytes()).toHaveLength(5)
  expect(channel.seen().requests).toBe(4)
  const once = await fetch(channel.url({ hops: 1, via: 308 }), { redirect: 'manual' })
  expect(once.status).toBe(308)
})

test('the first requests of a channel have their connection cut', async () => {
  const channel = (await started()).channel('cut')
  const url = channel.url({ cuts: 2, status: 204 })
  for (let at = 0; at < 2; at++) await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect((await fetch(url)).status).toBe(204)
  expect(channel.seen().requests).toBeGreaterThanOrEqual(3)
})

test('heads are held until they are released, the oldest first', async () => {
  const channel = (await started()).channel('held')
  const answered: string[] = []
  const ask = (name: string) =>
    fetch(channel.url({ name, hold: 'head' })).then(() => void answered.push(name))
  const asked: Promise<void>[] = []
  for (const name of ['a', 'b', 'c']) {
    asked.push(ask(name))
    await channel.until(({ requests }) => requests === asked.length, patienceMs)
  }
  expect(channel.seen()).toMatchObject({ open: 3, peak: 3, finished: 0 })
  channel.release(1)
  await asked[0]
  expect(answered).toEqual(['a'])
  channel.release()
  await Promise.all([...asked, ask('d')])
  expect(channel.seen()).toMatchObject({ requests: 4, peak: 3 })
})

test('a body is held after its first byte', async () => {
  const channel = (await started()).channel('body')
  const response = await fetch(channel.url({ hold: 'body', bytes: 10 }))
  const reader = response.body!.getReader()
  expect((await reader.read()).value).toHaveLength(1)
  expect(channel.seen()).toMatchObject({ open: 1, sent: 1 })
  channel.release()
  expect((await reader.read()).value).toHaveLength(9)
})

test('an answer that is not waited for is dropped, and its body not made', async () => {
  const channel = (await started()).channel('dropped')
  const gone = new AbortController()
  const { signal } = gone
  await fetch(channel.url({ bytes: 1e12 }), { signal })
  const held = fetch(channel.url({ hold: 'head' }), { signal }).catch(() => 'gone')
  await channel.until(({ open }) => open === 2, patienceMs)
  gone.abort()
  expect(await held).toBe('gone')
  expect(await channel.until(({ dropped }) => dropped === 2, patienceMs)).toBe(true)
  expect(channel.seen()).toMatchObject({ open: 0, finished: 0 })
  expect(channel.seen().sent).toBeLessThan(1e9)
})

test('what does not come is not waited for longer than asked', async () => {
  const channel = (await started()).channel('never')
  expect(await channel.until(({ requests }) => requests === 1, 1)).toBe(false)
})

test('connections are counted, greeted and held', async () => {
  const sockets = await (await started()).sockets()
  const socket = connect(sockets.port, '127.0.0.1')
  const [greeting] = await once(socket, 'data')
  expect(String(greeting)).toBe('hello\n')
  connect(sockets.port, '127.0.0.1').on('error', () => {})
  expect(await sockets.until(({ open }) => open === 2, patienceMs)).toBe(true)
  sockets.release(1)
  await once(socket, 'close')
  expect(await sockets.until(({ open }) => open === 1, patienceMs)).toBe(true)
  expect(sockets.seen()).toEqual({ connections: 2, open: 1, peak: 2 })
})

test('closing ends what is held', async () => {
  const held: Promise<unknown>[] = []
  {
    await using server = await backend()
    const [channel, sockets] = [server.channel('closing'), await server.sockets()]
    held.push(fetch(channel.url({ hold: 'head' })).catch(() => 'ended'))
    held.push(once(connect(sockets.port, '127.0.0.1').resume(), 'close').then(() => 'ended'))
    await channel.until(({ requests }) => requests === 1, patienceMs)
    await sockets.until(({ connections }) => connections === 1, patienceMs)
  }
  expect(await Promise.all(held)).toEqual(['ended', 'ended'])
})
