import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js'
import { expect, test } from 'vitest'
import { percentileCurve } from '../../../src/report/html/percentile-curve.ts'
import type { HistogramRecord } from '../../../src/report/record.ts'

function recorded(name: HistogramRecord['name'], values: number[]): HistogramRecord {
  const histogram = build({
    highestTrackableValue: 3_600_000_000,
    numberOfSignificantValueDigits: 3
  })
  for (const value of values) histogram.recordValue(value)
  return { t: 'histogram', scenario: 's', name, encoded: encodeIntoCompressedBase64(histogram) }
}

const ramp = Array.from({ length: 1_000 }, (_, index) => 1_000 + 10 * index)

/** Heights of a curve from left to right, in percent from the top. */
function heights(markup: string, name: string): number[] {
  const [, points] = new RegExp(`<polyline class="${name}" points="([^"]*)"`).exec(markup)!
  return points!.split(' ').map((point) => Number(point.split(',')[1]))
}

test('a curve never falls, and the slower of two lies above the other', () => {
  const { markup } = percentileCurve([
    recorded(
      'response',
      ramp.map((us) => us + 500)
    ),
    recorded('service', ramp)
  ])
  const response = heights(markup, 'response')
  const service = heights(markup, 'service')
  expect(response).toHaveLength(121)
  for (const curve of [response, service]) {
    expect(curve).toEqual(curve.toSorted((one, other) => other - one))
    expect(curve.every((y) => y >= 0 && y <= 100)).toBe(true)
  }
  expect(response.every((y, index) => y <= service[index]!)).toBe(true)
})

test('the table has the percentiles of both, in units a person would choose', () => {
  const { markup } = percentileCurve([recorded('service', ramp)])
  const cells = [...markup.matchAll(/<td>([^<]*)<\/td>/g)].map(([, cell]) => cell)
  expect(cells).toEqual(['1,000', '5.99 ms', '9.99 ms', '10.9 ms', '11 ms', '11 ms'])
})

test('as many nines are shown as the requests bear out', () => {
  const ticks = (values: number[]) => {
    const { markup } = percentileCurve([recorded('service', values)])
    return [...markup.matchAll(/text-anchor="\w+">([\d.]+) %</g)].map(([, tick]) => tick)
  }
  expect(ticks([5_000])).toEqual(['90'])
  expect(ticks(ramp)).toEqual(['90', '99', '99.9'])
})

test.each([
  ['one value', [5_000]],
  ['nothing but zeros', [0, 0]],
  ['microseconds to hours', [1, 3_600_000_000]]
])('%s makes a drawing without holes', (_, values) => {
  expect(percentileCurve([recorded('service', values)]).markup).not.toMatch(/NaN|Infinity/)
})

test('an empty distribution is said to be one', () => {
  const { markup } = percentileCurve([recorded('response', []), recorded('service', [])])
  expect(markup).toBe('<p>No request was answered.</p>')
})
