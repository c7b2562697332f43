import { expect, test } from 'vitest'
import { bounds, checkCall } from '../../../../../src/platform/functions/isolate/host/bounds.ts'
import { openTestIsolates, specOf } from '../isolates.ts'

const env = {
  KV: { kind: 'kv', id: 'k' },
  BUCKET: { kind: 'objects', id: 'b' },
  QUEUE: { kind: 'queue', id: 'q' }
} as const
const spec = specOf(
  `export default { async fetch(request, env) {
    const { searchParams } = new URL(request.url)
    const text = 'x'.repeat(Number(searchParams.get('n')))
    const what = {
      key: () => env.KV.get(text),
      object: () => env.BUCKET.head(text),
      objects: () => env.BUCKET.delete(['a', text]),
      metadata: () => env.KV.put('a', 'b', { metadata: text }),
      message: () => env.QUEUE.send(text),
      batch: () => env.QUEUE.sendBatch([1, 2, 3].map(() => ({ body: text }))),
      sent: () => fetch('http://elsewhere.test/', { headers: { a: text } })
    }
    const name = searchParams.get('what')
    if (name === 'answered') return new Response('', { headers: { a: text } })
    return new Response(await what[name]().then(() => 'done', (error) => error.message))
  } }`,
  {
    env,
    limits: { ...specOf('').limits, cpuMs: { fetch: 9_000, scheduled: 1, queue: 1, alarm: 1 } }
  }
)

const cases = [
  { what: 'key', most: bounds.key.kv! },
  { what: 'object', most: bounds.key.objects! },
  { what: 'objects', most: bounds.key.objects! },
  { what: 'metadata', most: bounds.metadata },
  { what: 'message', most: bounds.message },
  { what: 'batch', most: bounds.batch },
  { what: 'sent', most: bounds.head }
]

test.each(cases)(
  '$what: more than $most bytes get no further than the host',
  async ({ what, most }) => {
    let calls = 0
    await using isolates = openTestIsolates({
      services: {
        async call() {
          calls++
          return { value: null }
        }
      }
    })
    const say = (n: number) => isolates.ask(spec, { path: `/?what=${what}&n=${n}` })
    expect((await say(what === 'batch' ? 100_000 : 10_000_000)).text).toMatch(
      `has at most ${most} bytes`
    )
    expect(calls).toBe(0)
    if (what === 'sent') return
    expect((await say(most / 4 - 100 > 0 ? Math.floor(most / 4) : 9)).text).toBe('done')
    expect(calls).toBe(1)
  }
)

test.each([
  ['a status', '99999', '[]'],
  ['a status that is text', '"200"', '[]'],
  ['a name', '200', '[["a b", "c"]]'],
  ['a value', '200', '[["a", "b\\r\\nc: d"]]'],
  ['a pair', '200', '[["a"]]'],
  ['no pair', '200', '[7]']
])('%s that could not be sent is an exception of the function', async (_what, status, headers) => {
  await using isolates = openTestIsolates()
  const lying = specOf(`export default {
    fetch() {
      Object.defineProperty(Response, Symbol.hasInstance, { value: () => true })
      return { status: ${status}, headers: ${headers}, body: null }
    }
  }`)
  const { failed, record } = await isolates.ask(lying)
  expect([failed?.outcome, record.outcome]).toEqual(['exception', 'exception'])
})

test.each([
  ['objects', 'delete', [Array(1_001).fill('a')]],
  ['storage', 'get', [{}, Array(129).fill('a')]],
  ['storage', 'put', [{}, Array(129).fill(['a', 1])]]
])('a call to %s.%s names no more keys than one may', (service, method, args) => {
  const check = (given: unknown[]) =>
    checkCall({
      t: 'call',
      call: 1,
      invocation: 1,
      service,
      method,
      id: '',
      args: given,
      hasBody: false
    })
  expect(() => check(args)).toThrow('names at most')
  const fewer = args.map((arg) => (Array.isArray(arg) ? arg.slice(1) : arg))
  expect(() => check(fewer)).not.toThrow()
})

test('a head that no client would take is an exception, and the next is served', async () => {
  await using isolates = openTestIsolates()
  const say = (n: number) => isolates.ask(spec, { path: `/?what=answered&n=${n}` })
  const { failed, record } = await say(60_000_000)
  expect([failed?.outcome, record.outcome]).toEqual(['exception', 'exception'])
  expect(failed?.message).toMatch(`has at most ${bounds.head} bytes`)
  expect((await say(100_000)).status).toBe(200)
})
