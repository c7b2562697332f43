import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { hasRedis, startRedis } from '../redis.ts'
import { startAgent } from './agents.ts'
import { plimsoll } from './plimsoll.ts'
import { refused } from './refused.ts'

/** A load went on to its end; that this machine was too busy is a result, too. */
const measured = [0, 3]

type Value = { stringValue?: string; intValue?: number; doubleValue?: number }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: Value }[]
  events: { name: string }[]
  status: { code?: number }
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A collector of what is posted to its paths for traces and for metrics. */
async function startCollector(takesTraces = true) {
  const spans: Span[] = []
  const resources: unknown[] = []
  const paths = new Set<string>()
  const url = await serve(async (request, response) => {
    paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`)
    const { resourceSpans = [] } = JSON.parse(await text(request))
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(...resource.attributes)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    if (!takesTraces && request.url === '/v1/traces') response.statusCode = 404
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return { url, spans, resources, paths }
}

/** A service of which every tenth answer is slow, and fails; it says whom it saw. */
async function startService() {
  const seen = new Map<string, boolean>()
  let asked = 0
  const url = await serve(async (request, response) => {
    const isSlow = ++asked % 10 === 0
    const [, traceId] = /^00-(\w{32})-\w{16}-01$/.exec(`${request.headers.traceparent}`) ?? []
    if (traceId !== undefined) seen.set(traceId, isSlow)
    if (isSlow) await sleep(60)
    response.writeHead(isSlow ? 503 : 200).end('ok')
  })
  return { url, seen, asked: () => asked }
}

const said = ({ attributes }: Span) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
const tookMs = ({ startTimeUnixNano, endTimeUnixNano }: Span) =>
  Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6

test('a collector gets the slowest of the requests that carried a context', async () => {
  const { url, spans, resources, paths } = await startCollector()
  const { url: service, seen, asked } = await startService()
  const began = Date.now()
  const to = `${service}/orders?token=secret`
  const words = ['-n', '400', '-c', '4', '--otlp', `${url}/`, '--traces', '50']
  const ended = await plimsoll('load', to, ...words)
  expect(measured).toContain(ended.code)
  expect(ended.stderr).not.toContain('did not take')
  expect(asked()).toBe(400)
  expect([...paths].toSorted()).toEqual([
    'POST /v1/metrics application/json',
    'POST /v1/traces application/json'
  ])
  expect(resources).toContainEqual({ key: 'service.name', value: { stringValue: 'plimsoll' } })
  expect(seen.size).toBeGreaterThan(100)
  // Of about 200 that were traced 100 are told, all of the slow ones among them.
  expect(spans).toHaveLength(100)
  const told = new Set(spans.map(({ traceId }) => traceId))
  const slow = [...seen].flatMap(([traceId, isSlow]) => (isSlow ? [traceId] : []))
  expect(slow.length).toBeGreaterThan(0)
  expect(slow.filter((traceId) => !told.has(traceId))).toEqual([])
  expect([...told].filter((traceId) => !seen.has(traceId))).toEqual([])

  const one = spans.find(({ traceId }) => seen.get(traceId))!
  const { port } = new URL(service)
  expect(one).toMatchObject({ name: 'GET', kind: 3, status: { code: 2 } })
  expect(one.parentSpanId ?? '').toBe('')
  expect(said(one)).toMatchObject({
    ...{ 'http.request.method': 'GET', 'url.full': `${service}/orders`, 'error.type': '503' },
    ...{ 'http.response.status_code': 503, 'server.address': '127.0.0.1' },
    'server.port': Number(port)
  })
  expect(tookMs(one)).toBeGreaterThan(50)
  expect(one.events.map(({ name }) => name)).toEqual(['plimsoll.first_byte'])
  const startedMs = Number(BigInt(one.startTimeUnixNano) / 1_000_000n)
  expect(startedMs).toBeGreaterThanOrEqual(began)
  expect(startedMs).toBeLessThanOrEqual(Date.now())
  expect(JSON.stringify(spans)).not.toContain('secret')
  const slowest = spans.toSorted((one, other) => tookMs(other) - tookMs(one))[0]!
  expect(ended.stderr).toMatch(
    new RegExp(`Slowest that was traced: GET ${service}/orders took .*s, trace ${slowest.traceId}`)
  )
})

test('without --traces nothing is added to what is sent, and no spans are told', async () => {
  const { url, spans, paths } = await startCollector()
  const { url: service, seen } = await startService()
  const ended = await plimsoll('load', service, '-n', '40', '-c', '2', '--otlp', url)
  expect(measured).toContain(ended.code)
  expect({ seen: seen.size, spans, paths: paths.size }).toEqual({ seen: 0, spans: [], paths: 1 })
})

test('one that takes metrics and no traces is a note, and decides nothing', async () => {
  const { url } = await startCollector(false)
  const { url: service } = await startService()
  const words = ['-n', '40', '-c', '2', '--otlp', `${url}/v1/metrics`, '--traces', '100%']
  const ended = await plimsoll('load', service, ...words)
  expect(measured).toContain(ended.code)
  expect(ended.stderr).toContain('did not take the traces')
  expect(ended.stderr).not.toContain('did not take the metrics')
})

test.each([
  [['--traces', '1'], /--traces needs a collector to tell: name it with --otlp/],
  [['--otlp', 'http://127.0.0.1:9', '--traces', '0'], /--traces must be a percentage above 0/],
  [['--otlp', 'http://127.0.0.1:9', '--traces', '101'], /--traces must be .* not "101"/],
  [['--otlp', 'http://127.0.0.1:9', '--traces', 'all'], /--traces must be .* not "all"/]
])('%j is refused', async (words, message) => {
  const { code, stderr } = await refused('load', 'http://127.0.0.1:9/', '-n', '1', ...words)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
})

test('where nothing could be traced, that is said', async () => {
  const { url } = await startCollector()
  const { url: service, seen } = await startService()
  const own = ['-H', `traceparent: 00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`]
  const words = ['-n', '20', '-c', '1', '--otlp', url, '--traces', '100', ...own]
  const { stderr } = await plimsoll('load', service, ...words)
  expect(stderr).toContain('--traces: no request was traced')
  expect([...seen.keys()]).toEqual(['a'.repeat(32)])
})

test('autocannon cannot send a context, and is not asked to', async () => {
  const words = ['--transport', 'autocannon', '--otlp', 'http://127.0.0.1:9', '--traces', '1']
  const { code, stderr } = await refused('load', 'http://127.0.0.1:9/', '-n', '50', ...words)
  expect(stderr).toContain('--traces')
  expect(stderr).toContain('autocannon')
  expect(code).toBe(64)
})

test('a load of a scenario is told by its name, and its requests by their routes', async () => {
  const { url, spans } = await startCollector()
  const { url: service, seen } = await startService()
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-traces-'))
  writeFileSync(join(folder, 'clauses.json'), '[]')
  writeFileSync(
    join(folder, 'orders.ts'),
    `import { closed, load } from 'plimsoll'
export default load({
  title: 'Orders are answered',
  needs: ['service'],
  load: closed({ users: 2, iterations: 20 }),
  objectives: { errorRatio: 1 },
  request: ({ service }) => ({ ...service.get('/orders/7'), route: '/orders/{id}' })
})
`
  )
  const words = ['--scenarios', folder, '--target', service, '--otlp', url, '--traces', '100']
  const { stderr } = await plimsoll('run', ...words)
  expect(stderr).not.toContain('did not take')
  expect(spans).toHaveLength(20)
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(seen.keys()))
  expect(spans[0]!.name).toBe('GET /orders/{id}')
  expect(said(spans[0]!)).toMatchObject({
    ...{ 'plimsoll.scenario': 'orders', 'url.template': '/orders/{id}' },
    'url.full': `${service}/orders/7`
  })
})

test.runIf(hasRedis())(
  'agents of a fleet send contexts too, and are told of',
  async () => {
    const { url, spans } = await startCollector()
    const { url: service, seen } = await startService()
    const redis = await startRedis()
    await startAgent(redis.url)
    await startAgent(redis.url)
    const fleet = ['--fleet', redis.url, '--agents', '2', '--otlp', url, '--traces', '100']
    const ended = await plimsoll('load', service, '-n', '60', '-c', '4', ...fleet)
    expect(measured).toContain(ended.code)
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set(seen.keys()))
    expect(spans).toHaveLength(60)
  },
  60_000
)
