import { expect, test } from 'vitest'
import { measurements } from '../../../src/report/html/measurements.ts'
import type { MetricRecord, Report } from '../../../src/report/record.ts'
import { sample } from '../sample.ts'

const metric = (name: string, value: number, unit: string): MetricRecord => {
  return { t: 'metric', scenario: 'load', name, value, unit }
}
const drawn = (metrics: MetricRecord[]) => {
  const report: Report = { ...sample(), histograms: [], windows: [], metrics }
  return measurements(report)!.markup
}

test('numbers are told once, each with the unit that it needs', () => {
  const markup = drawn([
    metric('requests', 70, 'requests'),
    metric('rps', 188.8814, '1/s'),
    metric('tokens per second', 387.467, 'tokens/s')
  ])
  expect(markup).toContain('<dt>requests</dt><dd>70</dd>')
  expect(markup).toContain('<dt>rps</dt><dd>188.881 a second</dd>')
  expect(markup).toContain('<dt>tokens per second</dt><dd>387.467 tokens/s</dd>')
  expect(markup).not.toContain('<table>')
})

test('the statistics of one metric are a row, with no place for those that none has', () => {
  const markup = drawn([
    metric('firstEvent p50', 12.879, 'ms'),
    metric('firstEvent p99', 1_051.8, 'ms'),
    metric('tokenRate p50', 89.6, 'tokens/s'),
    metric('<i> max', 7, 'things')
  ])
  const heads = [...markup.matchAll(/<th scope="col">(\w+)<\/th>/g)].map(([, head]) => head)
  expect(heads).toEqual(['metric', 'p50', 'p99', 'max'])
  expect(markup).toContain(
    '<th scope="row">firstEvent</th><td>12.9 ms</td><td>1.05 s</td><td>–</td>'
  )
  expect(markup).toContain('<th scope="row">tokenRate</th><td>89.6 tokens/s</td><td>–</td>')
  expect(markup).toContain('<th scope="row">&lt;i&gt;</th>')
  expect(markup).not.toContain('<dl>')
})
