import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addToHistory, entryOf, remembered } from '../../../src/cli/saved/history-file.ts'
import type { Comparison } from '../../../src/engine/comparison.ts'
import { random } from '../../../src/random.ts'
import { historyLine, readHistory } from '../../../src/report/history-record.ts'
import { judgePair } from '../../../src/verdict/judge-pair.ts'
import { planPairs } from '../../../src/verdict/pair-plan.ts'
import { blocksAbout } from '../../verdict/pairs.ts'

const names = { a: 'one', b: 'two', metric: 'p50' as const, at: '2026-11-21T10:00:00.000Z' }
const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }

function compared(): Comparison {
  const found = planPairs([0.01, -0.01, 0.02, 0], { most: 48, margins })
  const plan = { ...found, secondsPerBlock: 0.2, neededSeconds: 90, gates: [] }
  const terms = { metric: 'p50' as const, looks: plan.looks, margins }
  const conclusion = judgePair(blocksAbout(0, 48, random(1)), terms)
  return { ended: 'decided', because: conclusion.because, conclusion, plan, repeated: 0 }
}

test('a comparison is kept with the ratio of every metric', () => {
  const comparison = compared()
  const entry = entryOf(comparison, names)!
  expect(entry).toMatchObject({ ...names, verdict: 'no-regression' })
  expect(entry.metrics.p50!.ratio).toBe(comparison.conclusion!.ratio)
  expect(Object.keys(entry.metrics)).toEqual(Object.keys(comparison.conclusion!.metrics))
  expect(1 - entry.confidence).toBeCloseTo(comparison.plan!.looks.level, 10)
  expect(entry.host).toMatch(/ × \d+$/)
})

test('one that came to no conclusion is not', () => {
  expect(entryOf({ ended: 'blocked', because: 'B is gone', repeated: 0 }, names)).toBeUndefined()
  const { conclusion, ...rest } = compared()
  const open = { ...rest, conclusion: { ...conclusion!, verdict: 'continue' as const } }
  expect(entryOf(open, names)).toBeUndefined()
})

test('one with too few blocks for an interval is not, and can be read when it is', () => {
  const { plan, conclusion } = compared()
  const few = judgePair(blocksAbout(0, 3, random(1)), {
    ...{ metric: 'p50', looks: { ...plan!.looks, at: [3] }, margins }
  })
  const comparison = { ended: 'decided', because: '', plan, conclusion: few, repeated: 0 } as const
  expect(few.interval).toEqual([0, Infinity])
  expect(entryOf(comparison, names)).toBeUndefined()
  const metrics = { ...conclusion!.metrics, p99: few.metrics.p50! }
  const entry = entryOf({ ...comparison, conclusion: { ...conclusion!, metrics } }, names)!
  expect(readHistory(historyLine(entry), 'file')).toEqual([entry])
  expect(entry.metrics).not.toHaveProperty('p99')
})

test('a history grows by a line each time', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-history-')), 'deep', 'history.ndjson')
  const entry = entryOf(compared(), names)!
  addToHistory(file, entry)
  addToHistory(file, { ...entry, a: 'two', b: 'three' })
  expect(readHistory(readFileSync(file, 'utf8'), file).map(({ b }) => b)).toEqual(['two', 'three'])
})

test('one that was decided is added, and of another it is said why it is not', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-history-')), 'history.ndjson')
  const undecided = { ...compared(), ended: 'refused', because: 'too\u001b[31m noisy' } as const
  expect(remembered(file, undecided, names)).toBe('the comparison was not decided: too␛[31m noisy')
  expect(existsSync(file)).toBe(false)
  expect(remembered(file, compared(), names)).toBeUndefined()
  expect(readHistory(readFileSync(file, 'utf8'), file)).toHaveLength(1)
})
