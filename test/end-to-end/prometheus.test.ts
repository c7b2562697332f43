import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePorts } from '../free-ports.ts'
import { plimsoll, start } from './plimsoll.ts'
import { refused } from './refused.ts'

/** A load went on to its end; that this machine was too busy is a result, too. */
const measured = [0, 3]

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const end = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, end }
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-prometheus-'))
const ending: (() => unknown)[] = []
let prometheus: string
let scraped: number
let service: string
let command: Awaited<ReturnType<typeof plimsoll>>

type Found = { metric: Record<string, string>; values: [at: number, value: string][] }

/** What Prometheus computes over the last minute, a value a second. */
async function asked(expr: string): Promise<Found[]> {
  const end = Date.now() / 1_000
  const query = new URLSearchParams({ query: expr, start: `${end - 60}`, end: `${end}`, step: '1' })
  const answer = await fetch(`${prometheus}/api/v1/query_range?${query}`)
  const { status, data, error } = (await answer.json()) as {
    status: string
    data: { result: Found[] }
    error?: string
  }
  if (status !== 'success') throw new Error(`${expr}: ${error}`)
  return data.result
}

async function startPrometheus() {
  const port = await freePorts(2)
  scraped = port + 1
  const config = join(folder, 'prometheus.json')
  const targets = [{ targets: [`127.0.0.1:${scraped}`] }]
  const scrape = { job_name: 'scraped', scrape_interval: '500ms', static_configs: targets }
  writeFileSync(config, JSON.stringify({ scrape_configs: [scrape] }))
  const child = spawn(
    'prometheus',
    [
      ...[`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`],
      ...[`--storage.tsdb.path=${join(folder, 'data')}`, '--web.enable-remote-write-receiver']
    ],
    { stdio: 'ignore' }
  )
  ending.push(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null) await once(child, 'exit')
  })
  prometheus = `http://127.0.0.1:${port}`
  // It is ready some seconds before it scrapes anybody.
  const isReady = () =>
    fetch(`${prometheus}/api/v1/targets`).then(
      async (answer) => answer.ok && ((await answer.json()) as any).data.activeTargets.length === 1,
      () => false
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}`)
    await sleep(50)
  }
}

function hasPrometheus(): boolean {
  try {
    execFileSync('prometheus', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

type Panel = { title: string; targets: { expr: string }[] }
const dashboard: { panels: Panel[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../ci/grafana-dashboard.json'), 'utf8')
)

const isThere = hasPrometheus()
const title = isThere
  ? 'a real Prometheus'
  : 'skipped, since there is no prometheus on this machine'

describe.skipIf(!isThere)(title, () => {
  beforeAll(async () => {
    await startPrometheus()
    let count = 0
    const { url, end } = await serve((_, response) => {
      count++
      response.writeHead(count % 5 === 0 ? 503 : 200).end('ok')
    })
    ending.push(end)
    service = url
    command = await plimsoll(
      ...['load', `${service}/`, '-r', '100', '-d', '5s', '-c', '4'],
      ...['--remote-write', `${prometheus}/api/v1/write`, '--prometheus', `${scraped}`]
    )
  })

  afterAll(async () => {
    for (const end of ending) await end()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a real Prometheus takes what is written to it, to the last request', async () => {
    expect(measured).toContain(command.code)
    expect(command.stderr).not.toContain('did not take')
    const [duration, ...more] = await asked(
      'last_over_time(http_client_request_duration_seconds_count{job="plimsoll"}[1m])'
    )
    expect(more).toEqual([])
    const { port } = new URL(service)
    expect(duration!.metric).toMatchObject({
      ...{ http_request_method: 'GET', server_address: '127.0.0.1', server_port: port },
      ...{ url_scheme: 'http', job: 'plimsoll' }
    })
    expect(duration!.values.at(-1)![1]).toBe('500')
    const results = await asked('last_over_time(plimsoll_results_total{job="plimsoll"}[1m])')
    const byStatus = results.map(({ metric, values }) => [
      metric.http_response_status_code,
      values.at(-1)![1]
    ])
    expect(Object.fromEntries(byStatus)).toEqual({ 200: '400', 503: '100' })
  })

  test('what is scraped goes by the same names and labels as what is written', async () => {
    const shape = (found: Found[]) =>
      found
        .map(({ metric: { job: _, instance: __, ...labels } }) => JSON.stringify(labels))
        .filter((labels) => !/plimsoll_(results|loads)_total/.test(labels))
        .toSorted()
    const [written, fetched] = await Promise.all(
      ['plimsoll', 'scraped'].map((job) =>
        asked(`{job="${job}",__name__=~"http_client_.*|plimsoll_.*"}`)
      )
    )
    expect(shape(fetched!).length).toBeGreaterThan(10)
    expect(shape(fetched!)).toEqual(shape(written!))
  })

  test.each(dashboard.panels.map(({ title, targets }) => [title, targets] as const))(
    'the panel “%s” has data in each of its queries',
    async (_, targets) => {
      for (const { expr } of targets) {
        const found = await asked(
          expr.replaceAll('$__rate_interval', '6s').replaceAll('$server', '.*')
        )
        const values = found.flatMap((one) => one.values.map(([, value]) => Number(value)))
        expect(values.length, expr).toBeGreaterThan(0)
        expect(values.some(Number.isFinite), expr).toBe(true)
      }
    }
  )

  test('what refuses, or is not there, decides nothing and is told of', async () => {
    const { url, end } = await serve(
      (_, response) => void response.writeHead(400).end('out of order')
    )
    onTestFinished(end)
    for (const [to, why] of [
      ['http://127.0.0.1:9/api/v1/write', 'ECONNREFUSED'],
      [`${url}/api/v1/write`, 'HTTP 400 out of order'],
      [`${prometheus}/api/v1/nothing`, 'HTTP 404']
    ]) {
      const words = ['-n', '20', '-c', '1', '--remote-write', to!]
      const { code, stderr } = await plimsoll('load', `${service}/`, ...words)
      expect(stderr).toContain(`${to} did not take the metrics: `)
      expect(stderr).toContain(why)
      expect(measured).toContain(code)
    }
  })

  test.each([
    ['http://192.0.2.1/api/v1/write', 77, /--remote-write .*192\.0\.2\.1/],
    ['prometheus:9090', 64, /--remote-write "prometheus:9090"/],
    ['http://me:secret@127.0.0.1:9/', 64, /PLIMSOLL_REMOTE_WRITE_HEADERS/]
  ])('%s is refused', async (url, expected, message) => {
    const { code, stderr } = await refused('load', service, '-n', '1', '--remote-write', url)
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('secret')
    expect(code).toBe(expected)
  })

  test('what it wants to be shown is in the environment, and must be headers', async () => {
    const shown: unknown[] = []
    const { url, end } = await serve((request, response) => {
      shown.push(request.headers.authorization, request.headers['x-scope-orgid'])
      response.writeHead(204).end()
    })
    onTestFinished(end)
    const words = ['load', `${service}/`, '-n', '20', '-c', '1', '--remote-write', url]
    const told = { PLIMSOLL_REMOTE_WRITE_HEADERS: 'authorization=Basic%20eA==, X-Scope-OrgID=7' }
    expect(measured).toContain((await start(words, { env: told }).ended).code)
    expect(new Set(shown)).toEqual(new Set(['Basic eA==', '7']))
    for (const wrong of ['sesame', 'a=1,b=%zz', 'a=1%0d%0ab']) {
      const env = { PLIMSOLL_REMOTE_WRITE_HEADERS: wrong }
      const { code, stderr } = await start(words, { env }).ended
      expect(stderr).toMatch(/PLIMSOLL_REMOTE_WRITE_HEADERS: its header \d is none: name=value/)
      expect(stderr).not.toContain(wrong)
      expect(code).toBe(64)
    }
  })
})
