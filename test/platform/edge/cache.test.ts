import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { cacheFront, cacheHeader, cacheKey } from '../../../src/platform/edge/cache.ts'
import { openCache } from '../../../src/platform/edge/cache-store.ts'
import type { EdgeRequest } from '../../../src/platform/edge/request.ts'
import { type Header, type Served, valuesOf } from '../../../src/platform/edge/served.ts'
import { type Files, openFiles } from '../../../src/platform/kernel/data/files.ts'
import type { Plan } from '../../../src/platform/kernel/plan.ts'
import { bodyOf, textOf } from '../functions/stage.ts'
import { request } from './asked.ts'

const opened: Files[] = []
afterEach(() => {
  for (const files of opened.splice(0)) files.close()
})

const keep: Header = ['Cache-Control', 'max-age=60']
const cachedFileBytes = { free: 10, pro: 10, business: 10, enterprise: 20 }

/** A cache in front of an origin that counts how often it is asked. */
function shop(mostBytes = 1_000) {
  const files = openFiles()
  opened.push(files)
  let now = Date.UTC(2024, 1, 29, 12)
  const clock = () => now
  const cache = openCache({ files, mostBytes, now: clock })
  const through = cacheFront({ cache, limits: { cachedFileBytes }, now: clock })
  let asked = 0
  const served = async (
    given: Partial<Served> = {},
    { plan = 'pro', ...rest }: Partial<EdgeRequest> & { plan?: Plan } = {}
  ) => {
    const zone = { id: `zone-${plan}`, account: 'a', plan, host: 'a.test' }
    const { status, headers, body } = await through(zone, request(rest), async () => {
      asked++
      return { status: 200, headers: [keep], body: 'hello', ...given }
    })
    const text = typeof body === 'string' ? body : await textOf(body)
    const [age] = valuesOf(headers, 'age')
    return { did: valuesOf(headers, cacheHeader.toLowerCase())[0], status, text, age }
  }
  const later = (ms: number) => {
    now += ms
  }
  return { served, cache, later, asked: () => asked }
}

const stream = (...texts: string[]) => Readable.from(bodyOf(...texts), { objectMode: false })

test('the first asks the origin, the next the cache, while it is fresh', async () => {
  const { served, later, asked } = shop()
  expect(await served()).toMatchObject({ did: 'MISS', text: 'hello' })
  later(59_999)
  expect(await served()).toEqual({ did: 'HIT', status: 200, text: 'hello', age: '59' })
  expect(asked()).toBe(1)
  later(1)
  expect(await served()).toMatchObject({ did: 'MISS' })
})

test('files are kept apart by zone, host, path and query', async () => {
  const { served } = shop()
  await served({}, { uri: '/a?1' })
  const others = [{ uri: '/a?2' }, { host: 'b.test', uri: '/a?1' }, { plan: 'free', uri: '/a?1' }]
  for (const other of others)
    expect(await served({}, other as never)).toMatchObject({ did: 'MISS' })
  expect(await served({}, { uri: '/a?1' })).toMatchObject({ did: 'HIT' })
})

test.each([
  ['free', 10, 'HIT'],
  ['free', 11, 'MISS'],
  ['pro', 11, 'MISS'],
  ['business', 11, 'MISS'],
  ['enterprise', 20, 'HIT'],
  ['enterprise', 21, 'MISS']
] as const)(
  'on %s, %i bytes without a length: delivered, and then a %s',
  async (plan, bytes, did) => {
    const { served } = shop()
    const text = 'x'.repeat(bytes)
    const ask = () => served({ body: stream(text.slice(0, 5), text.slice(5)) }, { plan })
    expect(await ask()).toMatchObject({ did: 'MISS', text })
    expect(await ask()).toMatchObject({ did, text })
  }
)

test('what says that it is too large is not begun to be kept', async () => {
  const { served } = shop()
  const length = (bytes: number): Header[] => [keep, ['Content-Length', String(bytes)]]
  const large = { headers: length(11), body: 'x'.repeat(11) }
  expect(await served(large)).toMatchObject({ did: 'BYPASS', text: large.body })
  expect(await served({ headers: length(10), body: 'x'.repeat(10) })).toMatchObject({ did: 'MISS' })
  expect(await served()).toMatchObject({ did: 'HIT' })
})

test('a file is there as soon as all of its bytes are, before its end is told', async () => {
  const { cache } = shop()
  const keeping = { status: 200, headers: [], request: [], lifetimeMs: 1_000, limitBytes: 10 }
  const passing = cache.keeping(bodyOf('ab', 'cd'), { ...keeping, key: 'k', declaredBytes: 4 })
  await passing.next()
  expect(await cache.match('k', [])).toBeUndefined()
  await passing.next()
  expect(await textOf((await cache.match('k', []))!.body)).toBe('abcd')
})

test.each([
  ['POST', {}, {}, undefined],
  ['GET', { headers: [['Authorization', 'Bearer x']] }, {}, 'BYPASS'],
  ['HEAD', {}, {}, 'BYPASS'],
  ['GET', {}, { headers: [] }, 'BYPASS'],
  ['GET', {}, { status: 500 }, 'BYPASS'],
  ['GET', {}, { status: 206 }, 'BYPASS'],
  ['GET', {}, { status: 404 }, 'MISS']
] as [string, Partial<EdgeRequest>, Partial<Served>, string | undefined][])(
  '%s %j answered %j: %s, and so again',
  async (method, given, answer, did) => {
    const { served, asked } = shop()
    expect(await served(answer, { method, ...given })).toMatchObject({ did })
    expect(await served(answer, { method, ...given })).toMatchObject({
      did: did === 'MISS' ? 'HIT' : did
    })
    expect(asked()).toBe(did === 'MISS' ? 1 : 2)
  }
)

test('HEAD is answered from what GET has brought', async () => {
  const { served } = shop()
  await served()
  expect(await served({}, { method: 'HEAD' })).toMatchObject({ did: 'HIT', text: '' })
})

test('the body that a HEAD leaves unread is closed', async () => {
  const body = stream('hello')
  const hit = { status: 200, headers: [keep], body, bytes: 5, ageSeconds: 0 }
  const cache = { ...shop().cache, match: async () => hit }
  const through = cacheFront({ cache, limits: { cachedFileBytes }, now: () => 0 })
  const zone = { id: 'z', account: 'a', plan: 'pro', host: 'a.test' } as const
  const served = await through(zone, request({ method: 'HEAD' }), () => Promise.reject())
  expect([served.body, body.destroyed]).toEqual(['', true])
})

test('a response is for those who ask as the first did', async () => {
  const { served } = shop()
  const vary: Partial<Served> = { headers: [keep, ['Vary', 'Accept-Encoding']] }
  const as = (coding: string) => ({ headers: [['Accept-Encoding', coding]] as Header[] })
  await served(vary, as('gzip'))
  expect(await served(vary, as('gzip'))).toMatchObject({ did: 'HIT' })
  expect(await served(vary, as('br'))).toMatchObject({ did: 'MISS' })
})

test('what was cut off, by either side, is not kept', async () => {
  const { served, cache, asked } = shop()
  async function* broken() {
    yield Buffer.from('hel')
    throw new Error('reset')
  }
  await expect(served({ body: Readable.from(broken()) })).rejects.toThrow('reset')
  expect(await served()).toMatchObject({ did: 'MISS' })
  expect(asked()).toBe(2)
  const keeping = { status: 200, headers: [], request: [], lifetimeMs: 1_000, limitBytes: 10 }
  const passing = cache.keeping(bodyOf('ab', 'cd'), { ...keeping, key: 'left' })
  await passing.next()
  await passing.return(undefined)
  expect(await cache.match('left', [])).toBeUndefined()
})

test('what is forgotten is fetched anew', async () => {
  const { served, cache } = shop()
  for (const uri of ['/1', '/2']) await served({}, { uri })
  await served({}, { plan: 'free' })
  expect(await cache.forget(cacheKey('zone-pro', { host: 'a.test', uri: '/1' }))).toBe(true)
  expect(await cache.forget('nothing')).toBe(false)
  expect(await served({}, { uri: '/1' })).toMatchObject({ did: 'MISS' })
  expect(await cache.purge('zone zone-pro ')).toBe(2)
  expect(await served({}, { uri: '/2' })).toMatchObject({ did: 'MISS' })
  expect(await served({}, { plan: 'free' })).toMatchObject({ did: 'HIT' })
})

test('when there is too much, what was not asked for the longest goes first', async () => {
  const { served } = shop(12)
  await served({}, { uri: '/1' })
  await served({}, { uri: '/2' })
  await served({}, { uri: '/1' })
  await served({}, { uri: '/3' })
  const kept: unknown[] = []
  for (const uri of ['/1', '/3', '/2']) kept.push((await served({}, { uri })).did)
  expect(kept).toEqual(['HIT', 'HIT', 'MISS'])
})
