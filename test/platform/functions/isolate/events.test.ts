import { afterAll, describe, expect, test } from 'vitest'
import type {
  Bytes,
  Call,
  Invocation,
  Result
} from '../../../../src/platform/functions/isolate/contract.ts'
import { codeOf, limitsOf, openTestIsolates, specOf, textOf } from './isolates.ts'
import { createVirtualClock } from './virtual-clock.ts'

const code = codeOf('handlers')

const calls: (Call & { sent: string })[] = []
const stored = new Map<string, string>()
const bytes = async function* (text: string): Bytes {
  yield Buffer.from(text)
} as (text: string) => Bytes

/** The least that a platform can be. */
async function service(call: Call): Promise<Result> {
  const sent = call.body ? await textOf(call.body) : ''
  calls.push({ ...call, sent })
  const { service, method, args } = call
  const what = `${service} ${method}`
  const key = typeof args[0] === 'string' ? args[0] : JSON.stringify(args.slice(0, 2))
  if (what === 'kv put') stored.set(key, sent)
  if (what === 'kv get')
    return stored.has(key) ? { value: { metadata: { m: 1 } }, body: bytes(stored.get(key)!) } : {}
  if (what === 'kv list') return { value: { keys: [{ name: 'key' }], list_complete: true } }
  if (what === 'objects put') return { value: { key: 'o', size: sent.length } }
  if (what === 'objects head') return { value: { key: 'o', size: 2 } }
  if (what === 'objects get')
    return args[0] === 'o' ? { value: { key: 'o', size: 2 }, body: bytes('hi') } : { value: null }
  if (what === 'cache match')
    return args[0].url.endsWith('/c')
      ? { value: { status: 200, headers: [['cache-control', 'max-age=9']] }, body: bytes('kept') }
      : { value: null }
  if (what === 'cache delete') return { value: true }
  if (what === 'service fetch') return { value: { status: 203, headers: [] }, body: bytes(sent) }
  if (what === 'stateful fetch') return { value: { status: 200, headers: [] }, body: bytes('room') }
  if (what === 'storage get') return { value: [['seen', stored.get('seen')]] }
  if (what === 'storage put') for (const [name, value] of args[1]) stored.set(name, value)
  if (what === 'storage list') return { value: [...stored].map(([name]) => [name, 1]) }
  return {}
}

const clock = createVirtualClock()
const isolates = openTestIsolates({ spares: 1, clock, services: { call: service } })
const spec = specOf(code, {
  env: {
    TEXT: 'a text',
    KV: { kind: 'kv', id: 'namespace' },
    BUCKET: { kind: 'objects', id: 'bucket' },
    QUEUE: { kind: 'queue', id: 'line' },
    OTHER: { kind: 'service', id: 'other' },
    ROOM: { kind: 'stateful', id: 'rooms' }
  }
})
afterAll(isolates.close)
const { ask, run } = isolates
const lines = (record: { logs: { text: string }[] }) => record.logs.map(({ text }) => text)

describe('a request', () => {
  test('arrives as it was sent', async () => {
    const headers: [string, string][] = [
      ['x-a', '1'],
      ['x-a', '2']
    ]
    const event = { method: 'POST', headers, body: bytes('sent'), facts: { colo: 'HERE' } }
    const { text } = await ask(spec, { path: '/request?q=1', ...event } as Partial<Invocation>)
    expect(JSON.parse(text!)).toEqual({
      method: 'POST',
      url: 'http://function.test/request?q=1',
      headers: [['x-a', '1, 2']],
      cf: { colo: 'HERE' },
      body: 'sent'
    })
  })

  test('is answered with status and headers, cookies apart', async () => {
    const { status, headers, text } = await ask(spec, { path: '/head' })
    expect([status, text]).toEqual([201, 'body of no use'])
    expect(headers!.filter(([name]) => name !== 'content-type')).toEqual([
      ['a', '1'],
      ['set-cookie', 'b=2'],
      ['set-cookie', 'c=3']
    ])
  })

  test('without a body where none is asked for', async () => {
    const { status, text } = await ask(spec, {
      path: '/head',
      method: 'HEAD'
    } as Partial<Invocation>)
    expect([status, text]).toEqual([201, ''])
  })

  test('is answered in parts', async () => {
    expect(await ask(spec, { path: '/drip' })).toMatchObject({ text: '12345' })
  })

  test('meets the globals the one before it left', async () => {
    const counts = []
    for (let n = 0; n < 3; n++) counts.push(Number((await ask(spec, { path: '/count' })).text))
    expect([counts[1]! - counts[0]!, counts[2]! - counts[1]!]).toEqual([1, 1])
  })

  test('meets new ones once the function was evicted', async () => {
    isolates.evict(spec.id)
    expect((await ask(spec, { path: '/count' })).text).toBe('1')
  })

  test.each([
    { path: '/throw', message: 'thrown', passesThrough: false },
    { path: '/pass', message: 'passing', passesThrough: true },
    {
      path: '/nothing',
      message: 'Incorrect type for Promise: the Promise did not resolve to a Response.',
      passesThrough: false
    }
  ])('$path fails: $message', async ({ path, message, passesThrough }) => {
    const { failed, record } = await ask(spec, { path })
    expect(failed).toMatchObject({ message, outcome: 'exception', passesThrough })
    expect(record).toMatchObject({ outcome: 'exception', exception: { message } })
  })

  test.each([
    { path: '/breaks', message: 'broke' },
    { path: '/text-stream', message: 'This stream has a chunk that is not made of bytes.' }
  ])('$path breaks off: $message', async ({ path, message }) => {
    const { broke, record } = await ask(spec, { path })
    expect(broke).toMatchObject({ message })
    expect(record).toMatchObject({ outcome: 'exception', exception: { message } })
  })

  test('is not failed by what a timer throws', async () => {
    const { text, record } = await ask(spec, { path: '/uncaught' })
    expect(text).toBe('answered')
    expect(lines(record)).toEqual(['Uncaught Error: in a timer'])
  })

  test('hears nothing of a timer it cleared', async () => {
    expect(lines((await ask(spec, { path: '/cleared' })).record)).toEqual([])
  })
})

describe('what goes on after the answer', () => {
  test('may end by itself', async () => {
    const { text, record } = await ask(spec, { path: '/later' })
    expect([text, record.outcome, lines(record)]).toEqual(['now', 'ok', ['later']])
  })

  test('may fail', async () => {
    expect((await ask(spec, { path: '/rejects' })).record.outcome).toBe('ok')
  })

  test('is ended after 30 seconds', async () => {
    const { answer, record } = run(spec, { path: '/forever' })
    expect(await textOf((await answer).body)).toBe('now')
    let isOver = false
    record.then(() => (isOver = true))
    await new Promise((resolve) => setTimeout(resolve, 20))
    await clock.forward(29_000)
    expect(isOver).toBe(false)
    await clock.forward(1_000)
    expect((await record).outcome).toBe('waitUntilTimeout')
    expect((await record).wallMs).toBeGreaterThanOrEqual(30_000)
  })
})

describe('a client that leaves', () => {
  test.each([
    { path: '/hang', last: 'tick' },
    { path: '/hang?wait', last: 'waited' }
  ])('$path: $last is the last that is heard', async ({ path, last }) => {
    const gone = new AbortController()
    const { answer, record } = run(spec, { path, gone: gone.signal })
    setTimeout(() => gone.abort(), 15)
    await expect(answer).rejects.toMatchObject({ outcome: 'canceled' })
    expect((await record).outcome).toBe('canceled')
    expect(lines(await record).slice(-1)).toEqual([last])
  })

  test('while it reads has the function stop', async () => {
    const { answer, record } = run(spec, { path: '/drip' })
    for await (const chunk of (await answer).body!) if (chunk.length > 0) break
    expect((await record).outcome).toBe('canceled')
  })

  test('before it has begun has it never begin', async () => {
    const { answer, record } = run(spec, { path: '/count', gone: AbortSignal.abort() })
    await expect(answer).rejects.toMatchObject({ outcome: 'canceled' })
    expect((await record).cpuUs).toBe(0)
  })
})

describe('other events', () => {
  test('a schedule', async () => {
    const event = { kind: 'scheduled', cron: '* * * * *', scheduledMs: 5 } as Partial<Invocation>
    const { status, record } = await ask(spec, event)
    expect([status, record.kind, record.outcome]).toEqual([204, 'scheduled', 'ok'])
    expect(lines(record)).toEqual(['* * * * * 5', 'after'])
  })

  test('a schedule whose handler throws', async () => {
    const event = { kind: 'scheduled', cron: 'bad', scheduledMs: 5 } as Partial<Invocation>
    expect((await ask(spec, event)).failed).toMatchObject({ message: 'not now' })
  })

  test('a batch of a queue, each message with a fate of its own', async () => {
    const messages = [{ bad: true }, { good: true }, {}].map((body, index) => {
      return { id: `m${index}`, atMs: 0, attempts: 1, body }
    })
    const verdictOf = async (queue: string) =>
      (await run(spec, { kind: 'queue', queue, messages } as Partial<Invocation>).answer).queue
    expect(await verdictOf('some')).toEqual({ acknowledged: ['m1'], retried: ['m0'] })
    expect(await verdictOf('all')).toEqual({ acknowledged: ['m1', 'm2'], retried: ['m0'] })
  })

  test('a duration is limited where the limits say so', async () => {
    const limits = limitsOf({ durationMs: { fetch: 900_000 } })
    const { answer, record } = run({ ...spec, limits, version: 'brief' }, { path: '/hang' })
    answer.catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 20))
    await clock.forward(900_000)
    expect((await record).outcome).toBe('exceededDuration')
  })

  test('a stateful object is made once, and its alarm reaches it', async () => {
    const object = { binding: 'rooms', className: 'Room', id: 'one' }
    const visit = async () => JSON.parse((await ask(spec, { object } as Partial<Invocation>)).text!)
    expect(await visit()).toMatchObject({ id: 'one', visits: 1, seen: 0 })
    expect(await visit()).toMatchObject({ id: 'one', visits: 2, seen: 1 })
    const alarm = { kind: 'alarm', object, scheduledMs: 1, attempts: 3 } as Partial<Invocation>
    expect((await ask(spec, alarm)).record.outcome).toBe('ok')
    expect(stored.get('rang')).toBe(2)
  })
})

describe('services', () => {
  test.each([
    {
      path: '/kv',
      value: [
        { value: 'a value', metadata: { m: 1 } },
        'SyntaxError',
        null,
        { keys: [{ name: 'key' }], list_complete: true },
        7
      ]
    },
    {
      path: '/objects',
      value: [{ key: 'o', size: 2 }, 'hi', 2, null, { key: 'o', size: 2 }]
    },
    { path: '/cache', value: ['kept', 'max-age=9', true, true] },
    { path: '/room', value: [true, 'room'] }
  ])('$path', async ({ path, value }) => {
    expect(JSON.parse((await ask(spec, { path })).text!)).toEqual(value)
  })

  test('a queue is sent to', async () => {
    calls.length = 0
    await ask(spec, { path: '/queue' })
    expect(calls.map(({ method, id, args }) => [method, id, args])).toEqual([
      ['send', 'line', [{ body: { n: 1 }, delaySeconds: undefined }]],
      ['sendBatch', 'line', [[{ body: 'two', delaySeconds: 3 }]]]
    ])
  })

  test('another function answers', async () => {
    expect((await ask(spec, { path: '/service' })).text).toBe('203to it')
  })

  test('what was not given is not to be had', async () => {
    const other = { ...spec, id: 'another', env: { KV: { kind: 'kv', id: 'mine' } } as const }
    calls.length = 0
    await ask(other, { path: '/foreign' })
    expect(calls.map(({ id }) => id)).toEqual(['mine'])
  })

  test('text and bindings are its environment', async () => {
    const { text } = await ask(spec, { path: '/env' })
    expect(JSON.parse(text!)).toEqual(['a text', Object.keys(spec.env)])
  })
})

/** Many megabytes, and how much of them has been asked for. */
function large() {
  const chunk = Buffer.alloc(65_536, 'x')
  const state = { taken: 0, bytes: 256 * chunk.length }
  async function* body(): AsyncGenerator<Uint8Array> {
    for (; state.taken < 256; state.taken++) yield chunk
  }
  return { state, body: body() }
}

test.each([
  { path: '/', what: 'untouched', most: 2 },
  { path: '/through', what: 'through a stream of the function', most: 64 }
])('a body of many megabytes passes $what as it is read', async ({ path, most }) => {
  const { state, body } = large()
  const { answer, record } = run(spec, { path, method: 'POST', body } as Partial<Invocation>)
  const reading = (await answer).body![Symbol.asyncIterator]()
  let read = (await reading.next()).value!.length
  await new Promise((resolve) => setTimeout(resolve, 30))
  // Who does not read is not sent more than what is under way.
  expect(state.taken).toBeLessThan(most)
  for (let next = await reading.next(); !next.done; next = await reading.next())
    read += next.value.length
  expect(read).toBe(state.bytes)
  expect((await record).outcome).toBe('ok')
})

test('a body that another function or service gets passes it untouched', async () => {
  const { state, body } = large()
  calls.length = 0
  await ask(spec, { path: '/store', method: 'POST', body } as Partial<Invocation>)
  expect(calls.map(({ sent }) => sent.length)).toEqual([state.bytes])
})

test('aborting a request after its head has reading its body fail', async () => {
  expect((await ask(spec, { path: '/abort-body' })).text).toBe('why not')
})
