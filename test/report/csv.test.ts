import { expect, test } from 'vitest'
import { csvParts } from '../../src/report/csv.ts'
import type { WindowRecord } from '../../src/report/record.ts'
import { sample } from './sample.ts'

const window: WindowRecord = {
  ...{ t: 'window', scenario: 'load/a', fromMs: 0, toMs: 250, finished: 9, measured: 9 },
  ...{ failed: 1, dropped: 0, inFlight: 3, p50Us: 820, p99Us: null }
}
const linesOf = (report: Parameters<typeof csvParts>[0]) =>
  [...csvParts(report)].join('').split('\r\n')

test('every number is a line, with its time where it is of a stretch', () => {
  expect(linesOf({ ...sample(), windows: [window] })).toEqual([
    'scenario,metric,unit,value,from_ms,to_ms',
    'load/list-scripts,throughput,requests/s,1998.4,,',
    'load/list-scripts,dropped,requests,0,,',
    'load/a,requests,requests,9,0,250',
    'load/a,failures,requests,1,0,250',
    'load/a,dropped,requests,0,0,250',
    'load/a,in_flight,requests,3,0,250',
    'load/a,response_p50,us,820,0,250',
    ''
  ])
})

test.each([
  ['\r=1', '␍=1'],
  [' =1', "' =1"],
  ['\n=1', `"'\n=1"`],
  ['＝1', "'＝1"],
  ['a;=1', '"a;=1"']
])('%j is no formula to any spreadsheet', (scenario, text) => {
  const metrics = [{ t: 'metric' as const, name: 'a', value: 1, unit: 'b', scenario }]
  expect([...csvParts({ ...sample(), metrics })].at(1)).toBe(`${text},a,b,1,,\r\n`)
})

test('what would break a line is quoted, and no text is a formula', () => {
  const metric = { t: 'metric' as const, name: 'a"b\nc', value: -1, unit: '1,000' }
  const metrics = [{ ...metric, scenario: '=HYPERLINK("http://127.0.0.1")' }]
  const text = [...csvParts({ ...sample(), metrics })].join('')
  expect(text).toContain(`"'=HYPERLINK(""http://127.0.0.1"")","a""b\nc","1,000",-1,,\r\n`)
})
