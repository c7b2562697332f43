import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePorts } from '../free-ports.ts'
import { startBusy } from './busy.ts'
import { plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

// A budget so wide, and so few requests, that a machine with work beside it can decide on it.
const wide = ['--budget', '400', '--metric', 'p50', '--rate', '300']

test('a calibration is kept, and not shown beside verdicts on another target', async () => {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-calibrate-'))
  const flags = ['--runs', '2', '--time', '60s', '--out', out]
  const { code, json } = await plimsollJson('calibrate', ...flags, ...wide)
  expect(code).toBe(0)
  expect(json).toMatchObject({ runs: 2, comparisons: { metric: 'p50=400', arrivals: '300/s' } })
  expect(json.ceiling.perSecond).toBeGreaterThan(100)
  expect(json.host.node).toBe(process.version)
  const file = join(out, 'calibration.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(json)

  const { url } = await startBusy({ us: 200 })
  const same = ['--a', url, '--b', url, '--time', '20s']
  const { json: compared } = await plimsollJson('compare', ...same, '--calibration', file, ...wide)
  // What a server that does nothing shows is no bound on the errors of somebody's verdict.
  expect(compared).toMatchObject({ calibration: null, compared: 'processes' })
}, 180_000)

test("a target of one's own is measured by its starts, and shown beside its verdicts", async () => {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-calibrate-'))
  const port = await freePorts(2)
  const serve = (port: number) =>
    `"${process.execPath}" -e "require('http').createServer((q, s) => s.end('ok'))` +
    `.listen(${port}, '127.0.0.1')"`
  const url = (port: number) => `http://127.0.0.1:${port}`
  const own = ['--a', url(port), '--a-cmd', serve(port)]
  const flags = ['--runs', '1', '--time', '60s', '--out', out]
  const { code, json } = await plimsollJson('calibrate', ...own, ...flags, ...wide)
  expect(code).toBe(0)
  expect(json).toMatchObject({ runs: 1, target: serve(port) })
  const [file] = readdirSync(out)
  const b = ['--b', url(port + 1), '--b-cmd', serve(port + 1)]
  const asked = [...own, ...b, '--calibration', join(out, file!), ...wide]
  const { json: compared } = await plimsollJson('compare', ...asked, '--time', '40s')
  expect(compared).toMatchObject({ calibration: json, compared: 'builds' })
  // By other conditions it is a bound on the errors of something else.
  const other = ['--connections', '2', '--time', '10s']
  const { json: elsewise } = await plimsollJson('compare', ...asked, ...other)
  expect(elsewise).toMatchObject({ calibration: null, compared: 'builds' })
}, 180_000)

test.each([
  [['--a', 'http://127.0.0.1:3000'], /takes --a URL and --a-cmd/],
  [['--a', 'http://127.0.0.1:3000', '--a-cmd', 'node server.js'], /give --b and --b-cmd/],
  [['--a', 'nowhere', '--a-cmd', 'node server.js'], /"nowhere" is not a URL/]
])("%j is no target of one's own", async (flags, told) => {
  const { code, stderr } = await refused('calibrate', ...flags)
  expect(stderr).toMatch(told)
  expect(code).toBe(64)
})
