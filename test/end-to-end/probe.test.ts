import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
// @ts-expect-error: the probe is plain JavaScript, as it is deployed.
import probe, { ProbeState } from '../../scenarios/functions/_probe/probe.js'
import { type Backend, backend } from '../../src/servers/backend.ts'

type Command = { do: string; [option: string]: unknown }

const patienceMs = 5_000
const address = 'http://probe.test/'

/** What the probe answers to a command, as it is. */
async function asked(command: Command, { env = {}, promises = [] as Promise<unknown>[] } = {}) {
  const request = new Request(address, { method: 'POST', body: JSON.stringify(command) })
  const ctx = { waitUntil: (promise: Promise<unknown>) => void promises.push(promise) }
  return probe.fetch(request, env, ctx) as Promise<Response>
}

/** What came of a command. */
async function ask(command: Command, given = {}) {
  return (await (await asked(command, given)).json()) as any
}

async function started(): Promise<Backend> {
  const server = await backend()
  onTestFinished(server.close)
  return server
}

test('commands in series and together, and the order in which they were done', async () => {
  const all = [{ do: 'wait', ms: 5 }, { do: 'env', name: 'A' }, { do: 'nonsense' }]
  const { ok } = await ask({ do: 'series', all }, { env: { A: 'x' } })
  expect(ok).toEqual([
    { ok: null, at: 0 },
    { ok: 'x', at: 1 },
    { error: 'there is no command "nonsense"', name: 'TypeError', at: 2 }
  ])
  const together = await ask({ do: 'together', all }, { env: { A: 'x' } })
  expect(together.ok[0].at).toBe(2)
})

test('repeated commands are summed up', async () => {
  const channel = (await started()).channel('repeated')
  const of = { do: 'fetch', url: channel.url() }
  expect((await ask({ do: 'repeat', times: 3, of })).ok).toMatchObject({ succeeded: 3, failed: 0 })
  expect((await ask({ do: 'repeat', times: 3, of, together: true })).ok.succeeded).toBe(3)
  expect(channel.seen().requests).toBe(6)
  const failing = { do: 'repeat', times: 2, of: { do: 'nonsense' } }
  expect((await ask(failing)).ok).toEqual({
    ...{ succeeded: 0, failed: 2, firstFailed: 0 },
    errors: ['there is no command "nonsense"']
  })
})

test('bodies are read, left, kept and cancelled', async () => {
  const server = await started()
  const channel = server.channel('bodies')
  const url = channel.url({ hold: 'body', bytes: 9 })
  const left = await ask({ do: 'fetch', url, body: 'leave' })
  expect(left.ok).toEqual({ status: 200, redirected: false })
  await ask({ do: 'fetch', url, body: 'cancel' })
  expect(await channel.until(({ dropped }) => dropped === 1, patienceMs)).toBe(true)
  channel.release()
  const all = [
    { do: 'fetch', url, body: 'leave', keep: 'a' },
    { do: 'peek', name: 'a' },
    { do: 'read', name: 'a' },
    { do: 'fetch', url, send: 7, method: 'POST' }
  ]
  const { ok } = await ask({ do: 'series', all })
  expect(ok[1].ok + ok[2].ok).toBe(9)
  expect(channel.seen().received).toBe(7)
  const hops = await ask({ do: 'fetch', url: server.channel('hops').url({ hops: 2 }) })
  expect(hops.ok).toEqual({ status: 200, redirected: true, bytes: 2 })
})

test('streams both ways', async () => {
  const response = await asked({ do: 'stream', bytes: 200_000, status: 203 })
  expect([response.status, (await response.bytes()).length]).toEqual([203, 200_000])
  const dripping = await asked({ do: 'stream', bytes: 3, dripMs: 1 })
  expect(await dripping.text()).toBe('xxx')
  const query = new URLSearchParams({ command: JSON.stringify({ do: 'receive' }) })
  const request = new Request(`${address}?${query}`, { method: 'POST', body: 'x'.repeat(70_000) })
  expect(await (await probe.fetch(request, {}, {})).json()).toEqual({ ok: 70_000, at: 0 })
})

test('what is waited for, counted, burnt and allocated', async () => {
  const promises: Promise<unknown>[] = []
  const channel = (await started()).channel('later')
  const of = { do: 'fetch', url: channel.url() }
  expect((await ask({ do: 'waitUntil', of }, { promises })).ok).toBe(null)
  await Promise.all(promises)
  expect(channel.seen().finished).toBe(1)
  const first = (await ask({ do: 'count' })).ok
  const second = (await ask({ do: 'count' })).ok
  expect(second).toEqual({ requests: first.requests + 1, instance: first.instance })
  expect((await ask({ do: 'burn', work: 3 })).ok).toEqual(expect.any(Number))
  expect((await ask({ do: 'allocate', megabytes: 2, as: 'buffer' })).ok).toBe(2)
  expect((await ask({ do: 'allocate', megabytes: 1, leak: true })).ok).toBe(1)
  expect((await ask({ do: 'allocate', megabytes: 1, leak: true })).ok).toBe(2)
})

test('an exception ends the invocation', async () => {
  await expect(asked({ do: 'series', all: [{ do: 'throw', message: 'oh' }] })).rejects.toThrow('oh')
})

test('bindings are called as they are told', async () => {
  const calls: unknown[] = []
  const say =
    (name: string) =>
    async (...args: unknown[]) =>
      void calls.push([name, ...args])
  const other = {
    fetch: async (url: string, init: RequestInit) =>
      probe.fetch(new Request(url, init), { A: 'other' }, {})
  }
  const env = {
    KV: { get: async (key: string) => `value of ${key}` },
    OBJECTS: { put: say('put'), get: async () => ({ body: new Response('abc').body }) },
    QUEUE: { send: say('send') },
    SERVICE: other,
    STATE: { idFromName: (name: string) => name, get: () => other }
  }
  expect((await ask({ do: 'kv', call: 'get', args: ['k'] }, { env })).ok).toBe('value of k')
  await ask({ do: 'object', call: 'put', args: ['k', 'v'] }, { env })
  expect((await ask({ do: 'object', call: 'get', args: ['k'] }, { env })).ok.bytes).toBe(3)
  await ask({ do: 'queue', call: 'send', args: ['m'] }, { env })
  const of = { do: 'env', name: 'A' }
  expect((await ask({ do: 'service', of }, { env })).ok.ok).toBe('other')
  expect((await ask({ do: 'state', name: 'n', of }, { env })).ok.ok).toBe('other')
  expect(calls).toEqual([
    ['put', 'k', 'v'],
    ['send', 'm']
  ])
})

test('other events carry out commands too', async () => {
  const channel = (await started()).channel('events')
  const said = (name: string) => ({ do: 'fetch', url: channel.url({ name }) })
  await probe.scheduled({}, { SCHEDULED: JSON.stringify(said('scheduled')) }, {})
  await probe.queue({ messages: [{ body: said('queue') }, { body: 'nothing' }] }, {}, {})
  const alarms: number[] = []
  const storage = { setAlarm: (atMs: number) => void alarms.push(atMs) }
  const object = new ProbeState({ storage }, { ALARM: JSON.stringify(said('alarm')) })
  const body = JSON.stringify({ do: 'alarm', afterMs: 5 })
  await object.fetch(new Request(address, { method: 'POST', body }))
  expect(alarms).toHaveLength(1)
  await object.alarm()
  expect(channel.seen().order).toEqual(['scheduled', 'queue', 'alarm'])
})

test.each([0, 3, 55, 56, 64, 119, 1_000])('the echo of a body of %i bytes', async (bytes) => {
  const body = Buffer.alloc(bytes, 'abc')
  const headers = { 'x-a': 'bc' }
  const request = new Request(`${address}echo?a=1`, { method: 'PUT', body, headers })
  expect(await (await probe.fetch(request, {}, {})).json()).toEqual({
    ...{ method: 'PUT', url: '/echo?a=1', urlBytes: 9, headers: { count: 1, bytes: 5 }, bytes },
    sha256: createHash('sha256').update(body).digest('hex')
  })
})
