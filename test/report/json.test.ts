import { expect, test } from 'vitest'
import { json } from '../../src/report/json.ts'
import { sample } from './sample.ts'

const report = sample()

test('the header and the totals are on top, then every verdict with its evidence', () => {
  const { t: _, ...header } = report.header
  const { counts, coverage, exit, complete, ms } = report.footer!
  const { verdicts, metrics, histograms, probes } = report
  expect(JSON.parse(json(report))).toEqual({
    ...header,
    ...{ exit, complete, ms, counts, coverage },
    ...{ verdicts, metrics, histograms, probes }
  })
})

test('a run that was cut short says so and still has its totals', () => {
  const { counts, coverage } = report.footer!
  expect(JSON.parse(json({ ...report, footer: undefined }))).toMatchObject({
    exit: null,
    complete: false,
    ms: null,
    counts,
    coverage
  })
})
