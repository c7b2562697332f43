import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { plimsoll, start } from './plimsoll.ts'
import { refused } from './refused.ts'

/** A load went on to its end; that this machine was too busy is a result, too. */
const measured = [0, 3]

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Point = {
  attributes: Attribute[]
  asDouble?: number
  count?: number
  bucketCounts?: number[]
  explicitBounds?: number[]
}
type Metric = {
  name: string
  unit: string
  sum?: { dataPoints: Point[]; isMonotonic: boolean }
  histogram?: { dataPoints: Point[] }
}

/** Serves on loopback until the test is over. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a collector was told last, by the name of the metric. */
async function startCollector() {
  const last = new Map<string, Metric>()
  const paths = new Set<string>()
  const resources: Attribute[] = []
  const url = await serve(async (request, response) => {
    paths.add(`${request.method} ${request.url} ${request.headers['content-type']}`)
    const told = JSON.parse(await text(request))
    for (const { resource, scopeMetrics } of told.resourceMetrics) {
      resources.push(...resource.attributes)
      for (const { metrics } of scopeMetrics) {
        for (const metric of metrics) last.set(metric.name, metric)
      }
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return { url, last, paths, resources }
}

const shown = ({ attributes }: Point) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

test('a collector is told of every request, by the names of OpenTelemetry', async () => {
  let asked = 0
  const target = await serve((_, response) => {
    response.statusCode = ++asked % 4 === 0 ? 503 : 200
    response.end('ok')
  })
  const { url, last, paths, resources } = await startCollector()
  const ended = await plimsoll('load', target, '-n', '200', '-c', '2', '--otlp', `${url}/`)
  expect(measured).toContain(ended.code)
  expect(ended.stderr).not.toContain('did not take')
  expect([...paths]).toEqual(['POST /v1/metrics application/json'])
  expect(resources).toContainEqual({ key: 'service.name', value: { stringValue: 'plimsoll' } })
  const durations = last.get('http.client.request.duration')!
  expect(durations.unit).toBe('s')
  const [point] = durations.histogram!.dataPoints
  expect(point!.count).toBe(200)
  expect(point!.bucketCounts).toHaveLength(point!.explicitBounds!.length + 1)
  const { port } = new URL(target)
  expect(shown(point!)).toEqual({
    ...{ 'http.request.method': 'GET', 'url.scheme': 'http' },
    ...{ 'server.address': '127.0.0.1', 'server.port': Number(port) }
  })
  const results = last.get('plimsoll.results')!.sum!.dataPoints
  const byStatus = results.map((one) => [shown(one)['http.response.status_code'], one.asDouble])
  expect(Object.fromEntries(byStatus)).toEqual({ 200: 150, 503: 50 })
  expect(last.get('plimsoll.requests.failed')!.sum!.dataPoints[0]!.asDouble).toBe(50)
  expect(last.get('http.client.active_requests')!.sum).toMatchObject({ isMonotonic: false })
})

test('a collector that is not there, or refuses, decides nothing and is told of', async () => {
  const target = await serve((_, response) => void response.end('ok'))
  const refusing = await serve((_, response) => void response.writeHead(400).end())
  for (const url of ['http://127.0.0.1:9', refusing]) {
    const ended = await plimsoll('load', target, '-n', '20', '-c', '1', '--otlp', url)
    expect(ended.stderr).toContain(`${url} did not take the metrics: `)
    expect(measured).toContain(ended.code)
  }
})

test.each([
  ['load', 'http://127.0.0.1:9/', '-n', '1'],
  ['compare', '--a', 'http://127.0.0.1:9/', '--b', 'http://127.0.0.1:8/'],
  ['capacity', 'http://127.0.0.1:9/'],
  ['soak', 'http://127.0.0.1:9/', '-d', '1s'],
  ['run', 'policies', '--target', 'http://127.0.0.1:9']
])('%s tells nobody for whom there is no leave', async (...words) => {
  const { code, stderr } = await refused(...words, '--otlp', 'http://192.0.2.1:4318')
  expect(stderr).toMatch(/--otlp .*192\.0\.2\.1/)
  expect(code).toBe(77)
})

test.each([
  ['--otlp', 'collector:4318', /--otlp "collector:4318" is of collector:/],
  ['--otlp', 'http://me:secret@127.0.0.1:9', /holds a password/],
  ['--prometheus', '70000', /--prometheus must be a port/]
])('%s %s is refused', async (flag, value, message) => {
  const { code, stderr } = await refused('load', 'http://127.0.0.1:9/', '-n', '1', flag, value)
  expect(stderr).toMatch(message)
  expect(stderr).not.toContain('secret')
  expect(code).toBe(64)
})

/** The page that a Prometheus is offered while a load goes on, after some of it is over. */
async function scraped(): Promise<string> {
  let answer: (() => void) | undefined
  const held = Promise.withResolvers<void>()
  let asked = 0
  const target = await serve((_, response) => {
    if (++asked < 50) return void response.end('ok')
    answer = () => void response.end('ok')
    held.resolve()
  })
  const { ended, child, stderr } = start([
    ...['load', target, '-n', '50', '-c', '1', '--timeout', '60', '--prometheus', '0']
  ])
  await held.promise
  const page = () => /Metrics: (\S+)/.exec(stderr())?.[1]
  while (page() === undefined) await once(child.stderr, 'data')
  let told = ''
  // What was done last is told at the next look.
  while (!/^http_client_request_duration_seconds_count\{.*\} 49$/m.test(told)) {
    await sleep(20)
    told = await (await fetch(page()!)).text()
  }
  const elsewhere = await fetch(new URL('/', page()))
  expect(elsewhere.status).toBe(404)
  answer!()
  expect(measured).toContain((await ended).code)
  return told
}

let page: string
beforeAll(async () => {
  page = await scraped()
})

const hasPromtool = () => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('what a Prometheus scrapes goes on', () => {
  expect(page).toMatch(/^http_client_active_requests\{.*server_address="127\.0\.0\.1".*\} 1$/m)
})

test.runIf(hasPromtool())('Prometheus’ own parser takes the page', () => {
  const told = execFileSync('promtool', ['check', 'metrics'], { input: page, encoding: 'utf8' })
  expect(told).toBe('')
})

type Panel = { title: string; targets?: { expr: string }[] }
const dashboard = () => {
  const file = join(import.meta.dirname, '../../ci/grafana-dashboard.json')
  return JSON.parse(readFileSync(file, 'utf8')) as { panels: Panel[] }
}
const expressions = () =>
  dashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

test('every metric and label that the dashboard asks for is there', () => {
  const named = expressions().flatMap((expr) => expr.match(/\b(?:http_client|plimsoll)_\w+/g) ?? [])
  const metrics = named.filter((name) => name !== 'plimsoll_valid')
  const offered = new Set(
    [...page.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!]
    )
  )
  expect(expressions().length).toBeGreaterThan(5)
  expect(metrics.filter((name) => !offered.has(name))).toEqual([])
  const labels = new Set([...page.matchAll(/(\w+)="/g)].map(([, label]) => label!))
  const grouped = expressions().flatMap((expr) =>
    [...expr.matchAll(/by \(([^)]+)\)/g)].flatMap(([, names]) => names!.split(/, */))
  )
  // These are known when a load is over.
  const late = ['http_response_status_code', 'error_type']
  expect(grouped.filter((label) => !labels.has(label) && !late.includes(label))).toEqual([])
})

test.runIf(hasPromtool())('Prometheus can compute what the dashboard asks for', async () => {
  const rules = expressions().map((expr, index) => ({ record: `panel:n${index}`, expr }))
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-')), 'rules.json')
  const whole = JSON.stringify({ groups: [{ name: 'panels', rules }] })
  writeFileSync(file, whole.replaceAll('$__rate_interval', '10s').replaceAll('$server', '.*'))
  const { stdout } = await promisify(execFile)('promtool', ['check', 'rules', file])
  expect(stdout).toContain(`${rules.length} rules found`)
})
