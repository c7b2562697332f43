import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startPaced } from '../paced.ts'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

// Wide enough for it to be decided on a machine where others are at work.
const coarse = ['--time', '40', '--budget', '100', '-c', '8']

// A machine that is busy enough lets a comparison refuse its time; it is then asked again.
test('a B that takes ten times as long has regressed', { retry: 2 }, async () => {
  const a = await startPaced({ atOnce: 4, ms: 2 })
  const b = await startPaced({ atOnce: 4, ms: 20 })
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-compare-'))
  const history = join(out, 'history.ndjson')
  const kept = ['--history', history, '--a-name', 'old', '--b-name', 'new']
  const { code, json } = await plimsollJson(
    ...['compare', '--a', a.url, '--b', b.url, '--out', out, ...kept, ...coarse]
  )
  expect(json).toMatchObject({ verdict: 'regressed', metric: 'p50', ended: 'decided' })
  expect(code).toBe(1)
  expect(json.ratio).toBeGreaterThan(2)
  const [low, high] = json.interval
  expect(low).toBeLessThanOrEqual(json.ratio)
  expect(high).toBeGreaterThanOrEqual(json.ratio)
  expect(json.metrics.throughput.ratio).toBeLessThan(1)
  expect(json.metrics.p99.interval).toHaveLength(2)
  expect(json).toHaveProperty('calibration')
  expect(JSON.parse(readFileSync(join(out, 'comparison.json'), 'utf8'))).toEqual(json)
  const page = readFileSync(join(out, 'report.html'), 'utf8')
  expect(page).toMatch(/<h1 class="fail">B is worse than A: p50 \+/)
  expect(page.match(/class="pair/g)!.length).toBeGreaterThanOrEqual(json.blocks)
  expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('<failure type="fail"')
  const lines = readFileSync(join(out, 'pairs.ndjson'), 'utf8').trim().split('\n')
  expect(lines).toHaveLength(json.blocks)
  expect(JSON.parse(lines[0]!).pairs[0].a.p50Us).toBeGreaterThan(0)
  const seen = await plimsollJson('history', history)
  expect(seen.json.points).toMatchObject([{ build: 'new', against: 'old', ratio: json.ratio }])
  expect(seen.json.shifts).toMatchObject([{ kind: 'step', way: 'worse', to: 'new' }])
  expect(seen.code).toBe(0)
})

test('arrivals come at a rate that was found', async () => {
  const pace = { atOnce: 2, ms: 4 }
  const [a, b] = [await startPaced(pace), await startPaced(pace)]
  const { json } = await plimsollJson('compare', '--a', a.url, '--b', b.url, '--open', ...coarse)
  // What can be told apart at that rate, and whether it can be sent, is the machine's to say.
  expect(['decided', 'refused', 'invalid']).toContain(json.ended)
  expect(json.verdict).not.toBe('regressed')
  expect(json.rate).toBeGreaterThan(1)
  // Half of what two make at once, in four milliseconds each.
  expect(json.rate).toBeLessThanOrEqual(250)
})

test.each([
  [['--open', '--rate', '5'], /--open finds a rate/],
  [['--open', '--metric', 'throughput'], /takes a closed load/],
  [['--rate', '5', '--metric', 'throughput'], /takes a closed load/]
])('%j is refused', async (flags, message) => {
  const urls = ['--a', 'http://127.0.0.1:1', '--b', 'http://127.0.0.1:2']
  const { code, stderr } = await refused('compare', ...urls, ...flags)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
})

test.each([
  ['a', 'A redirects 100 % of its requests and B 0 %'],
  ['b', 'B redirects 100 % of its requests and A 0 %']
] as const)('who only says where to go is no faster: %s', async (elsewhere, told) => {
  const paced = await startPaced({ atOnce: 4, ms: 2 })
  const leading = createServer((_, answer) => answer.writeHead(301, { location: '/' }).end())
  await new Promise<void>((done) => leading.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(leading.address() as AddressInfo).port}/`
  const urls = elsewhere === 'a' ? ['--a', url, '--b', paced.url] : ['--a', paced.url, '--b', url]
  const { code, stdout } = await plimsoll('compare', ...urls, ...coarse)
  leading.closeAllConnections()
  leading.close()
  expect(stdout).toContain(`blocked: ${told}: that is other work`)
  expect(code).toBe(2)
})

test('targets that are not there are blocked, with the reason', async () => {
  const nobody = 'http://127.0.0.1:1'
  const { code, stdout, stderr } = await plimsoll('compare', '--a', nobody, '--b', nobody)
  expect(stdout).toMatch(
    /blocked: A does not answer as it should: .* failed, nothing connected: .*REFUSED/
  )
  expect(stderr).toBe('')
  expect(code).toBe(2)
})
