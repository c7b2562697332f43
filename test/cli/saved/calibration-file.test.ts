import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conditionsOf } from '../../../src/cli/commands/conditions.ts'
import {
  type CalibrationRecord,
  calibrationFile,
  keepCalibration,
  knownCalibration,
  thisHost
} from '../../../src/cli/saved/calibration-file.ts'
import { calibrationLine, calibrationText } from '../../../src/cli/terminal/calibration-text.ts'

const host = { cpu: 'One', cores: 2, kernel: '6.1', node: 'v24.0.0' }
const at = '2026-03-01T00:00:00.000Z'
const conditions = {
  ...{ metric: 'p50=5', connections: 1, pipelining: 1, arrivals: 'closed' },
  ...{ transport: 'http1', senders: '1 threads', processors: 'one', request: 'abc' }
}
const record: CalibrationRecord = {
  ...{ schema: 'plimsoll-calibration/2', at, host },
  ...{ runs: 59, alarms: 0, alarmBound: 0.0495, spread: 1.01 },
  resolution: { median: 1.012, p90: 1.024 },
  comparisons: { ...conditions, seconds: 30 },
  ceiling: { perSecond: 40_000, cpuUsPerRequest: 12.5 }
}
const dayMs = 86_400_000
const madeMs = Date.parse(at)

function kept(changes: object = {}): string {
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-calibration-')), 'deep', 'c.json')
  keepCalibration(file, { ...record, ...changes })
  return file
}

test('what was kept is known, on this host and for thirty days', () => {
  const file = kept()
  expect(knownCalibration(file, { host, nowMs: madeMs + 30 * dayMs })).toEqual({ record })
  expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true)
})

test.each([
  ['another processor', { cpu: 'Two' }, /change of cpu/],
  ['another kernel and Node', { kernel: '7.0', node: 'v26.0.0' }, /change of kernel and node/],
  ['fewer cores', { cores: 1 }, /change of cores/]
])('%s makes it void', (_, changes, because) => {
  const known = knownCalibration(kept(), { host: { ...host, ...changes }, nowMs: madeMs })
  expect(known).toEqual({ because: expect.stringMatching(because) })
})

test('of a target it is known only to comparisons of that target', () => {
  const target = 'PORT=3000 node server.js'
  const ask = (file: string) => knownCalibration(file, { host, nowMs: madeMs, target })
  const none = { because: expect.stringMatching(/^none of this target; .* --a-cmd/) }
  expect(ask(kept())).toEqual(none)
  expect(ask(kept({ target: 'PORT=3000 node another.js' }))).toEqual(none)
  expect(ask(join(tmpdir(), 'nowhere', 'c.json'))).toEqual(none)
  expect(ask(kept({ target }))).toMatchObject({ record: { target } })
  expect(calibrationFile('out', target)).toMatch(/calibration-[0-9a-f]{12}\.json$/)
})

test.each([
  [{ connections: 8 }, /^made with connections 1 \(here 8\), so it says nothing of this;/],
  [{ processors: 'all' }, /^made with processors one \(here all\), so/],
  [{ metric: 'p99=5', arrivals: '300/s' }, /metric p50=5 \(here p99=5\), arrivals closed \(/],
  [{ warmUp: '5 s' }, /^made with warmUp none \(here 5 s\), so/],
  [{ request: 'def' }, /^made with another request, so .* `plimsoll calibrate --a URL/]
])('a bound from other conditions, %j, is not that of a verdict here', (changes, because) => {
  const target = 'PORT=3000 node server.js'
  const ask = (given: typeof conditions) =>
    knownCalibration(kept({ target }), { host, nowMs: madeMs, target, conditions: given })
  expect(ask(conditions)).toMatchObject({ record: { target } })
  expect(ask({ ...conditions, ...changes })).toEqual({ because: expect.stringMatching(because) })
})

test('conditions are told by flags, by the request and by where servers ran', () => {
  const flags = { metric: [{ metric: 'p50' }], budget: 5, connections: 1, header: [] }
  const url = 'http://127.0.0.1:3000/x'
  const told = (changes = {}, at = url, placed: ('one' | 'all')[] = ['one']) => {
    const ranOn = placed.map((placed) => ({ placed }))
    return conditionsOf(at, { ...flags, ...changes } as never, { ranOn })
  }
  const usual = told()
  expect(told({ header: ['a: b'] }).request).not.toBe(usual.request)
  expect(told({ method: 'POST', body: 'x' }).request).not.toBe(told({ method: 'POST' }).request)
  expect(told({}, 'http://127.0.0.1:4000/x')).toEqual(usual)
  expect(told({}, `${url}?y`).request).not.toBe(usual.request)
  expect(told({ metric: [{ metric: 'p50' }, { metric: 'p99', budget: 9 }] })).toMatchObject({
    metric: 'p50=5,p99=9'
  })
  expect(told({ rate: 20 })).toMatchObject({ arrivals: '20/s' })
  expect(told({ warmUp: 5 })).toEqual({ ...usual, warmUp: '5 s' })
  expect(told({ open: true })).toMatchObject({ arrivals: 'open' })
  expect(told({}, url, ['one', 'all', 'one'])).toMatchObject({ processors: 'all or one' })
})

test('it expires', () => {
  const known = knownCalibration(kept(), { host, nowMs: madeMs + 31 * dayMs })
  expect(known).toEqual({ because: '31 days old, expired' })
})

test('no file, and a file that is none, say so', () => {
  const ask = (file: string) => knownCalibration(file, { host, nowMs: madeMs })
  expect(ask(join(tmpdir(), 'nowhere', 'c.json'))).toEqual({
    because: expect.stringMatching(/^none for this host; `plimsoll calibrate`/)
  })
  expect(ask(kept({ schema: 'else' }))).toEqual({
    because: expect.stringMatching(/no calibration/)
  })
  const broken = kept()
  for (const text of ['{', 'null', '7', '[]']) {
    writeFileSync(broken, text)
    expect(ask(broken)).toHaveProperty('because')
  }
})

test('it is kept in the folder named, else in the cache folder', () => {
  expect(calibrationFile('out')).toBe(join('out', 'calibration.json'))
  expect(calibrationFile()).toMatch(/plimsoll.calibration\.json$/)
})

test('this host is told by what changes measurements', () => {
  expect(thisHost()).toMatchObject({ node: process.version, cpu: expect.any(String) })
})

test('for people it is a page, and a line beside a verdict', () => {
  const text = calibrationText(record, 'there.json')
  expect(text).toMatch(/^\n0 of 59 comparisons .* at most 4\.95 % do/)
  expect(text).toMatch(/40,000 requests a second with one thread, 12\.5 µs/)
  expect(text).toMatch(/nine in ten within \+2\.4 %/)
  expect(calibrationLine({ record })).toBe(
    '0 of 59 false alarms (at most 4.95 %), resolves +2.4 % in 30 s, 2026-03-01'
  )
  expect(calibrationLine({ because: 'expired' })).toBe('expired')
})
