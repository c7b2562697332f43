import { expect, test } from 'vitest'
import {
  capacityFacts,
  capacityText,
  capacityVerdict
} from '../../../src/cli/terminal/capacity-text.ts'
import type { Capacity } from '../../../src/verdict/capacity.ts'

const objective = { p99Us: 100_000, errorRatio: 0.001 }

/** The line about bounds of a search that came to this. */
function bounds(found: Partial<Capacity>): string | undefined {
  const capacity: Capacity = { ended: 'time', degradation: [], trials: [], ...found }
  const baseline = { p50Us: 100, p99Us: 200 }
  const text = capacityText({ ended: 'searched', capacity, baseline }, objective)
  return /^ {2}bounds {6}(.*)$/m.exec(text)?.[1]
}

test.each<[Partial<Capacity>, string]>([
  [{ lower: 60, upper: 61 }, 'held at 60/s, missed at 61/s'],
  [{ lower: 60, ended: 'highest' }, 'held at 60/s, nothing above was missed'],
  [{ upper: 61 }, 'nothing was held: even 61/s, the lowest that was tried, was missed'],
  [{ upper: 1, ended: 'lowest' }, 'nothing was held: even 1/s, the lowest there is, was missed'],
  [{ ended: 'generator' }, 'no rate was held, and none missed']
])('bounds of %o are said in words', (found, text) => {
  expect(bounds(found)).toBe(text)
})

test('a machine that was short of processors is named beside a rate that was confirmed', () => {
  const trial = { purpose: 'search', rate: 60, seconds: 2, outcome: 'held', because: '' } as const
  const figures = { lossRatio: 0, goodput: 60, p50Us: 1, p99Us: 2, errorShare: 0 }
  const trials = [0.3, 0.02, 0.5].map((waitShare) => ({ ...trial, ...figures, waitShare }))
  const capacity: Capacity = { ended: 'found', confirmed: 60, degradation: [], trials }
  const baseline = { p50Us: 100, p99Us: 200 }
  const text = capacityText({ ended: 'searched', capacity, baseline }, objective)
  expect(text).toMatch(/^ {2}machine {5}this machine was short of processors.* up to 50 %/m)
  const quiet = { ...capacity, trials: trials.map(({ waitShare: _, ...rest }) => rest) }
  expect(capacityText({ ended: 'searched', capacity: quiet, baseline }, objective)).not.toMatch(
    /machine/
  )
})

test('a miss that was not confirmed is not said to be none', () => {
  const trial = { purpose: 'search', rate: 70, seconds: 2, because: '', lossRatio: 1 } as const
  const figures = { goodput: 0, p50Us: 1, p99Us: 2, errorShare: 1, outcome: 'missed' } as const
  const text = bounds({ lower: 60, trials: [{ ...trial, ...figures }] })
  expect(text).toBe('held at 60/s, no rate above was missed for good')
})

test('where the generator gave out no capacity is told, and what was held is a least', () => {
  const capacity: Capacity = { ended: 'generator', degradation: [], trials: [] }
  const none = 'limit not found: the generator gave out before the target did'
  expect(capacityVerdict(capacity)).toBe(none)
  const held = { ...capacity, confirmed: 60, binding: 'generator' } as const
  expect(capacityVerdict(held)).toMatch(/^at least 60\/s, limit not found: the generator gave out/)
  expect(capacityFacts(held)).toContainEqual([
    ...['bound by', 'the generator, which could not offer more']
  ])
})

test('what a rate that is demanded comes to stands at the end', () => {
  const capacity: Capacity = { ended: 'found', confirmed: 60, degradation: [], trials: [] }
  const baseline = { p50Us: 100, p99Us: 200 }
  const judged = { outcome: 'pass', observed: '60/s confirmed', because: '50/s is held' } as const
  const text = capacityText({ ended: 'searched', capacity, baseline }, objective, judged)
  expect(text).toMatch(/\n\n✔ pass: 50\/s is held\n$/)
})
