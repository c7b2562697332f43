import { expect, test } from 'vitest'
import type { LoadSummary } from '../../src/load/figures/summary.ts'
import type { Window } from '../../src/load/health/live-counters.ts'
import { answerWarnings } from '../../src/report/answer-warnings.ts'
import { latency, loadLine, loadTable } from '../../src/report/load-table.ts'

test.each([
  [null, '–'],
  [0, '0 µs'],
  [999, '999 µs'],
  [1_000, '1 ms'],
  [1_234, '1.23 ms'],
  [20_000, '20 ms'],
  [100_400, '100 ms'],
  [999_499, '999 ms'],
  [999_500, '1 s'],
  [1_500_000, '1.5 s'],
  [120_000_000, '120 s']
])('%s µs is written %s', (us, text) => {
  expect(latency(us)).toBe(text)
})

test('a window of a load fits one line', () => {
  const counts = {
    begun: 510,
    finished: 500,
    measured: 490,
    failed: 2,
    dropped: 1,
    arrived: 9,
    inFlight: 10
  }
  const window: Window = {
    ...counts,
    fromMs: 750,
    toMs: 1_000,
    percentileUs: (at) => at * 100,
    countAboveUs: () => 0
  }
  expect(loadLine(window).trim().split(/ {3}/)).toEqual([
    ...['1 s', '2,000/s', '10 in flight', 'p50 5 ms', 'p99 9.9 ms', '2 failed', '1 dropped']
  ])
  const line = loadLine(window, { failed: 1_200, dropped: 0 }, '1 min 30 s')
  expect(line).toMatch(/^ +1 s of 1 min 30 s {3}2,000.* {3}1,200 failed {3}0 dropped$/)
  expect(loadLine({ ...window, measured: 0 })).toContain('10 in flight   warm-up, not measured')
})

const row = { p50: 1_000, p90: 2_000, p95: 2_500, p99: 3_000, p999: 4_000, max: 5_000, mean: 1_500 }
const none = { p50: null, p90: null, p99: null, p999: null, max: null, mean: null }
const summary = {
  requests: 6_000,
  rps: 2_000,
  durationMs: 3_000,
  errors: { '5xx': 3 },
  statuses: { 200: 5_997, 503: 3 },
  timeouts: 0,
  dropped: 2,
  response: row,
  service: row,
  firstByte: none,
  connect: row,
  generator: {
    valid: true,
    cpuUsPerRequest: 12.5,
    lagP99Us: 40,
    eventLoopUtilization: 0.2,
    reasons: []
  },
  connections: { opened: 10, protocol: 'HTTP/1.1' }
} as unknown as LoadSummary

test('a load is shown with response and service apart, and every kind of failure', () => {
  const text = loadTable(summary)
  expect(text).toMatch(/^6,000 requests in 3\.0 s, 2,000 a second/)
  expect(text).toMatch(/response +1 ms +2 ms +2\.5 ms +3 ms +4 ms +5 ms +1\.5 ms/)
  expect(text).toMatch(/service +1 ms/)
  expect(text).not.toMatch(/firstByte/)
  expect(text).toMatch(/failures +3 5xx, 2 dropped/)
})

test('what sent is named, and why it is not what was asked for', () => {
  const by = (transport: string) =>
    loadTable({ ...summary, connections: { ...summary.connections, transport } })
  expect(by('wire, not uring: it speaks no TLS')).toMatch(/HTTP\/1\.1, by wire, not uring: it spe/)
  expect(by('uring')).toMatch(/connections +\d+ opened, HTTP\/1\.1, by uring\n/)
  expect(by('http2')).not.toMatch(/by http2/)
  expect(by('')).not.toMatch(/, by/)
})

test('what came that no request waited for is told beside the failures', () => {
  const beside = (protocol: string, unsolicited: number) =>
    loadTable({ ...summary, connections: { ...summary.connections, protocol, unsolicited } })
  expect(beside('WebSocket', 73_782)).toMatch(
    /failures +3 5xx, 2 dropped\n {2}unsolicited 73,782 messages no request waited for\n/
  )
  expect(beside('HTTP/1.1', 2)).toMatch(/unsolicited 2 responses no request waited for\n/)
  expect(beside('HTTP/1.1', 0)).not.toMatch(/unsolicited/)
})

test('what streams came to stands with the latencies, or below them', () => {
  const ms = (value: number) => ({ value, unit: 'ms' })
  const own = {
    'firstEvent p50': ms(12.5),
    'firstEvent p99': ms(1_250),
    'firstEvent max': ms(2_000),
    tokens: { value: 1_234, unit: 'tokens' },
    'tokens per second': { value: 61.7, unit: 'tokens/s' },
    'tokenRate p50': { value: 20, unit: 'tokens/s' }
  }
  const text = loadTable({ ...summary, own })
  expect(text).toMatch(/^ {2}service {19}1 ms/m)
  expect(text).toMatch(/^ {2}firstEvent +12\.5 ms +– +– +1\.25 s +– +2 s +–$/m)
  expect(text).toMatch(/^ {2}tokens +1,234 tokens, 61\.7 tokens\/s$/m)
  expect(text).toMatch(/^ {2}tokenRate +p50 20 tokens\/s$/m)
})

test('an invalid run shows reasons and not one latency', () => {
  const generator = { ...summary.generator, valid: false, reasons: ['worker 0 was late'] }
  const text = loadTable({ ...summary, generator })
  expect(text).toMatch(/invalid/)
  expect(text).toMatch(/- worker 0 was late/)
  expect(text).not.toMatch(/response/)
})

test('answers that are no success of the service are told in words', () => {
  const remarks = (statuses: Record<string, number>, errors = {}) =>
    answerWarnings({ ...summary, statuses, errors })
  const unfollowed = 'they are not followed, and where they lead was not loaded'
  expect(remarks({ 302: 20 })).toEqual([`20 of 20 answers were redirects, 302: ${unfollowed}`])
  expect(remarks({ 200: 70, 301: 10, 307: 10, 503: 10 }, { '5xx': 10 })).toEqual([
    `20 of 100 answers were redirects, 301, 307 (20.0 %): ${unfollowed}`,
    '10 of 100 answers were 5xx (10.0 %)'
  ])
  expect(remarks({ 200: 10, 304: 10 })).toEqual([])
})
