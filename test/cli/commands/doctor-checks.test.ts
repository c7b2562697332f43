import { expect, test } from 'vitest'
import { checksOf } from '../../../src/cli/commands/doctor-checks.ts'
import type { Facts } from '../../../src/cli/commands/doctor-facts.ts'

const well: Facts = {
  node: 'v24.0.0',
  cores: { there: 8, ours: 8 },
  quota: {},
  noise: { watchedMs: 1_000, lostMs: 10, longestMs: 2 },
  workNoise: { own: 0.01, shared: 0.02 },
  calibration: { because: 'none for this host; `plimsoll calibrate` makes one' },
  openFiles: 65_536,
  ports: 28_232,
  ioUring: 0,
  programs: { chromium: '/bin/chromium', redis: '/bin/redis-server', nginx: '/sbin/nginx' },
  missing: { platform: [], fleet: [], telemetry: [], mcp: [] }
}

const statusOf = (facts: Partial<Facts>, name: string) =>
  checksOf({ ...well, ...facts }).find((check) => check.name === name)

test('a machine that has everything lacks a calibration only', () => {
  const lacking = checksOf(well).filter(({ status }) => status !== 'ok')
  expect(lacking).toMatchObject([{ name: 'calibration', status: 'absent', found: /none/ }])
})

test.each<[string, Partial<Facts>, string, RegExp]>([
  ['cores', { cores: { there: 8, ours: 1 } }, 'limited', /^1 of 8$/],
  ['processor quota', { quota: { processors: 1.5 } }, 'limited', /^1\.5 processors$/],
  ['processor quota', { quota: { throttled: 1_200 } }, 'limited', /none, held back 1,200 times/],
  ['processor quota', { quota: undefined }, 'unknown', /does not tell/],
  ['noise', { noise: { watchedMs: 1_000, lostMs: 200, longestMs: 4 } }, 'limited', /^20\.0 % of/],
  ['noise', { noise: { watchedMs: 1_000, lostMs: 40, longestMs: 40 } }, 'limited', /40\.0 ms at/],
  ['steadiness', { workNoise: { own: 0.01, shared: 0.3 } }, 'limited', /by 30\.? ?% where/],
  ['steadiness', { workNoise: { own: 0.2, shared: 0.09 } }, 'limited', /by 20.* to the next/],
  ['open files', { openFiles: 256 }, 'limited', /^256$/],
  ['open files', { openFiles: Infinity }, 'ok', /unlimited/],
  ['ports', { ports: 1_000 }, 'limited', /^1,000 for/],
  ['io_uring', { ioUring: 2 }, 'absent', /switched off/],
  ['io_uring', { ioUring: undefined }, 'unknown', /does not tell/],
  ['redis', { programs: {} }, 'absent', /not found/],
  [
    'packages of fleet',
    { missing: { ...well.missing, fleet: ['bullmq@6.7.0'] } },
    'absent',
    /^1 not/
  ]
])('%s: %j', (name, facts, status, found) => {
  const check = statusOf(facts, name)!
  expect(check).toMatchObject({ status, found: expect.stringMatching(found) })
  expect(check.purpose).not.toBe('')
  expect(check.advice !== undefined).toBe(status === 'limited' || status === 'absent')
})
