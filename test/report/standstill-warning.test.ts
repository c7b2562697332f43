import { expect, test } from 'vitest'
import { createHistogram } from '../../src/load/figures/histogram.ts'
import { standstillWarning } from '../../src/report/standstill-warning.ts'

/** So many answers that took so many milliseconds each. */
const answers = (...all: [count: number, ms: number][]) => {
  const histogram = createHistogram()
  for (const [count, ms] of all) for (let n = 0; n < count; n++) histogram.record(ms)
  return { tally: { response: histogram.distribution() } }
}

test('that users of a closed load spent their time on few answers is told', () => {
  const closed = { model: 'closed' as const, health: { valid: true, reasons: [] } }
  // One second of every four stands still for the only user there is.
  const still = answers([3_000, 2], [2, 1_000])
  expect(standstillWarning({ ...closed, ...still })).toMatch(
    /^users spent 25 % of their time on 2 of 3,002 answers, 500 ms or longer/
  )
  expect(standstillWarning({ ...closed, ...still, model: 'open' })).toBeUndefined()
  const starved = { valid: false, reasons: ['it waited'] }
  expect(standstillWarning({ ...closed, ...still, health: starved })).toBeUndefined()
  expect(standstillWarning({ ...closed, ...answers([3_000, 2], [1, 1_000]) })).toBeUndefined()
  // Who takes that long as a rule is slow, and stands still for nobody.
  expect(standstillWarning({ ...closed, ...answers([10, 900], [2, 2_000]) })).toBeUndefined()
  expect(standstillWarning({ ...closed, ...answers() })).toBeUndefined()
})
