import { expect, test } from 'vitest'
import { timeChart } from '../../../src/report/html/time-chart.ts'
import type { WindowRecord } from '../../../src/report/record.ts'

function stretch(place: number, given: Partial<WindowRecord> = {}): WindowRecord {
  return {
    ...{ t: 'window', scenario: 'a', fromMs: 1_000 * place, toMs: 1_000 * (place + 1) },
    ...{ finished: 100, measured: 100, failed: 0, dropped: 0, inFlight: 4 },
    ...{ p50Us: 1_000, p99Us: 9_000, ...given }
  }
}

const quiet = Array.from({ length: 10 }, (_, place) => stretch(place))

test('a load is rate, response times and what was in flight, over the same time', () => {
  const { markup } = timeChart(quiet)!
  expect(markup.match(/<svg class="framed" role="img"/g)).toHaveLength(3)
  expect(markup.match(/<polyline class="service"/g)).toHaveLength(1)
  expect(markup).not.toContain('class="failed"')
  expect(markup).not.toContain('class="band"')
  expect(markup).toContain('10 stretches of 1.0 s')
})

test('failures and what was not sent are drawn, and a beginning that was not measured', () => {
  const warming = [0, 1].map((at) => stretch(at, { measured: 0, p50Us: null, p99Us: null }))
  const bad = stretch(5, { failed: 50, dropped: 9 })
  const { markup } = timeChart([...warming, ...quiet.slice(2, 5), bad, ...quiet.slice(6)])!
  expect(markup).toMatch(/<polyline class="failed"/)
  expect(markup).toMatch(/<polyline class="unsent"/)
  expect(markup).toMatch(/class="band" x="0" y="0" width="20%"/)
  expect(markup).toContain('the shaded beginning was not measured')
})

test('where nothing came back a line is interrupted, and does not fall to nothing', () => {
  const silent = stretch(5, { p50Us: null, p99Us: null })
  const { markup } = timeChart([...quiet.slice(0, 5), silent, ...quiet.slice(6)])!
  expect(markup.match(/<polyline class="service"/g)).toHaveLength(2)
})

test.each([[[]], [quiet.slice(0, 2)], [quiet.map((one) => ({ ...one, fromMs: 5, toMs: 5 }))]])(
  'what is too short to be drawn is not',
  (windows) => {
    expect(timeChart(windows)).toBeUndefined()
  }
)

test('what happened on the way is a strip as long as it took, a key and a sentence', () => {
  const ramp = { t: 'event', scenario: 's', kind: 'ramp', text: 'from 1 to <9>' } as const
  const windows = Array.from({ length: 4 }, (_, at) => stretch(at))
  const { fromMs, toMs } = { fromMs: windows[1]!.fromMs, toMs: windows[2]!.toMs }
  const gone = { ...ramp, fromMs: 1e9, toMs: 2e9 }
  const { markup } = timeChart(windows, [{ ...ramp, fromMs, toMs }, gone])!
  const strips = [
    ...markup.matchAll(/class="happened ramp" x="([\d.]+)%"[^>]*?width="([\d.]+)%"/gs)
  ]
  expect(strips.map(([, x, width]) => [x, width])).toEqual(Array(3).fill(['25', '50']))
  expect(markup).toContain('the level changes')
  expect(markup).toContain('from 1 to &lt;9&gt;</li>')
  expect(timeChart(windows)!.markup).not.toContain('What happened')
})
