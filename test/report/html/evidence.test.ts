import { expect, test } from 'vitest'
import type { LoadSummary } from '../../../src/load/figures/summary.ts'
import { evidenceOf } from '../../../src/report/html/evidence.ts'
import { boundary } from '../../verdict/boundaries.ts'
import { exchanged, seen } from '../../verdict/observations.ts'

test('a boundary shows a line for each variant and every question with its answer', () => {
  const limit = { clause: 'a', max: 50, unit: 'things', readings: [50] }
  const { markup } = evidenceOf({
    kind: 'boundary',
    limit,
    boundaries: [
      { variant: 'fetch', boundary: boundary('found', '50+ 51!') },
      { variant: '', boundary: boundary('unlimited', '1+') }
    ]
  })!
  expect(markup.match(/<svg class="line"/g)).toHaveLength(2)
  expect(markup.match(/<figcaption>/g)).toHaveLength(1)
  expect(markup).toContain('2 questions asked')
  expect(markup).toContain('1 question asked')
  expect(markup).toContain('<td>rejected, improperly</td><td>HTTP 500</td>')
})

test('observations show what was made of each exchange', () => {
  const sent = exchanged({
    phase: 'body',
    sent: 1_024,
    request: { method: 'PUT', url: '/x?a=1&b=2', bodyBytes: 4_096 },
    excerpt: '<h1>no</h1>'
  })
  const { markup } = evidenceOf({
    kind: 'observations',
    attempts: [
      [seen('a', { holds: false, observed: 'no', exchanges: [sent] }), seen('a', { holds: true })],
      [seen('a'), seen('a', { answered: false, exchanges: [exchanged({ excerpt: '' })] })]
    ]
  })!
  expect(markup).toContain('2 attempts, 4 exchanges')
  expect(markup).toContain('<code>PUT /x?a=1&amp;b=2</code>')
  expect(markup).toContain('HTTP 200 within the body (1,024 of 4,096 bytes sent)')
  expect(markup).toContain('&lt;h1&gt;no&lt;/h1&gt;</pre>')
  expect(markup).toContain('<p>No body.</p>')
  for (const text of ['does not hold', 'holds', 'seen', 'not answered']) {
    expect(markup).toContain(`<b>${text}</b>`)
  }
})

test('without evidence there is nothing to show', () => {
  expect(evidenceOf({ kind: 'none', outcome: 'blocked', because: 'x' })).toBeUndefined()
})

test('a load says how often each status came, what failed, and what is the generator’s', () => {
  const percentiles = { p50: 1, p90: 2, p95: 2, p99: 3, p999: 4, max: 5, mean: 1 }
  const generator = {
    ...{ valid: true, offered: 0, achieved: 0, reasons: [], eventLoopUtilization: 0.5 },
    ...{ lagP99Us: 10, cpuUsPerRequest: 20, waitShare: 0.31 }
  }
  const summary = {
    ...{ requests: 1_000, rps: 100, durationMs: 10_000, timeouts: 3, dropped: 0 },
    ...{ errors: { '5xx': 38 }, statuses: { 200: 959, 503: 38 }, generator },
    ...{ response: percentiles, connections: { opened: 4, protocol: 'HTTP/2' } }
  } as unknown as LoadSummary
  const { markup } = evidenceOf({ kind: 'load', objectives: {}, broken: [], summary })!
  for (const said of [
    '<dt>statuses</dt><dd>959 × 200, 38 × 503</dd>',
    '<dt>failures</dt><dd>38 5xx, 3 timeouts</dd>',
    '<dd>4 opened, HTTP/2</dd>',
    'waited 31 % of the time for a processor'
  ])
    expect(markup).toContain(said)
})

test('a load that was kept long ago tells less', () => {
  const generator = { valid: true, reasons: [] }
  const summary = {
    ...{ errors: {}, timeouts: 0, dropped: 0, statuses: {}, generator },
    ...{ response: { p99: null }, connections: { opened: 1 } }
  } as unknown as LoadSummary
  const { markup } = evidenceOf({ kind: 'load', objectives: {}, broken: [], summary })!
  expect(markup).toContain('<dd>1 opened, none answered</dd>')
  expect(markup).not.toMatch(/NaN|undefined/)
})
