import { expect, test } from 'vitest'
import { createSample, type Ending } from '../../../src/load/figures/sample.ts'
import { createWaits, sumOfWaits } from '../../../src/load/figures/waits.ts'

const sample = (ending: Ending, due: number, end: number, sent = due) =>
  Object.assign(createSample(), { ending, due, sent, end })

test('who is answered waits for nothing, whoever is not does so until it is given up', () => {
  const waits = createWaits()
  for (const due of [0, 0, 250]) waits.begin(due)
  waits.end(sample('answered', 0, 900))
  waits.end(sample('timeout', 0, 625))
  waits.end(sample('reset', 250, 375))
  expect(waits.unanswered(1_100, 4)).toEqual([1, 1.5, 0.5, 0])
})

test('who is under way when all ends waits from then on when it was due', () => {
  const waits = createWaits()
  waits.begin(100)
  waits.begin(600)
  expect(waits.unanswered(1_000, 4)).toEqual([0, 1, 1, 2])
})

test('who waits for a place is not kept waiting by the one that is asked', () => {
  const waits = createWaits()
  waits.begin(0)
  waits.end(sample('timeout', 0, 1_000, Number.NaN))
  expect(waits.unanswered(1_000, 1)).toEqual([0, 0, 0, 0])
  waits.begin(0)
  waits.begin(0)
  expect(waits.unanswered(1_000, 1)).toEqual([0, 0, 0, 0])
})

test('what several parts counted is added up', () => {
  expect(sumOfWaits([[1, 2], [], [1, 1, 1]])).toEqual([2, 3, 1])
})
