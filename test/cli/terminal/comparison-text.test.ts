import { expect, test } from 'vitest'
import type { RanOn } from '../../../src/cli/targets/placement.ts'
import {
  type Compared,
  comparisonText,
  planText
} from '../../../src/cli/terminal/comparison-text.ts'
import type { Comparison } from '../../../src/engine/comparison.ts'
import { random } from '../../../src/random.ts'
import { judgePair } from '../../../src/verdict/judge-pair.ts'
import { looksUpTo, planPairs } from '../../../src/verdict/pair-plan.ts'
import { blocksAbout } from '../../verdict/pairs.ts'

const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }
const plan = {
  ...planPairs([0.01, -0.01, 0.02, 0], { most: 48, margins }),
  ...{ secondsPerBlock: 0.2, neededSeconds: 90 },
  gates: [{ metric: 'p50' as const, budget: 1.05, resolvable: 1.02, neededSeconds: 90 }]
}

function compared(difference: number, noise: number): Comparison {
  const terms = { metric: 'p50' as const, looks: looksUpTo(48), margins }
  const conclusion = judgePair(blocksAbout(difference, 48, random(1), noise), terms)
  return { ended: 'decided', because: conclusion.because, conclusion, plan, repeated: 2 }
}

const compare48 = compared(0.1, 0.02)

const byUrl = { compared: 'processes' as const, ranOn: { placed: 'all' as const }, calibration: '' }

test('a verdict comes with every metric, and with what it rests on', () => {
  const text = comparisonText(compared(0.1, 0.02), {
    ...{ compared: 'builds', ranOn: { placed: 'all' }, calibration: 'none for this host' }
  })
  expect(text).toMatch(/^\nregressed: B's p50 is surely worse, .* its budget of 5 %/)
  expect(text).toMatch(/p50 +1 ms +1\.1\d? ms +\+10\.\d % +\+\d/)
  expect(text).toMatch(/throughput +1,000 1\/s/)
  expect(text).toMatch(
    /B against A: from trials of both .*;\n +A and B: over all trials, set as far/
  )
  expect(text).toMatch(/blocks +48, each fresh processes and pairs of trials; 2 pairs repeated/)
  expect(text).toMatch(/calibration none for this host/)
})

test('columns stay apart where B is many times slower', () => {
  const text = comparisonText(compared(4, 0.02), byUrl)
  expect(text).toMatch(/^ {2}p50 .* \+\d+\.\d % \+\d+\.\d % … \+\d+\.\d %$/m)
})

test('what can be told apart is said of each gate', () => {
  const size = { blocks: 48, seconds: 60, trialMs: 60 }
  expect(planText(plan, size)).toMatch(/a difference of \+0\.9 % is found nine times in ten/)
  const p99 = { metric: 'p99' as const, budget: 1.15, resolvable: 1.3, neededSeconds: 400 }
  expect(planText({ ...plan, gates: [...plan.gates, p99] }, size)).toMatch(
    /a difference of \+2\.0 % by p50, \+30\.0 % by p99 is/
  )
})

test.each([Infinity, Number.NaN, 1])('where %d is what can be told apart, nothing is', (value) => {
  const [gate] = plan.gates
  const none = { ...plan, resolvable: value, gates: [{ ...gate!, resolvable: value }] }
  const told = planText(none, { blocks: 1, seconds: 15, trialMs: 60 })
  expect(told).toBe(
    'At most 1 block with trials of 60 ms in 15 s: too few for any difference to be found.'
  )
})

test('it says what was compared, and what the interval does not hold for', () => {
  const told = (compared: Compared) =>
    comparisonText(compare48, { ...byUrl, compared }).match(/compared +(.*)/)![1]
  expect(told('processes')).toMatch(/^these two processes; another start .* may differ/)
  expect(told('builds')).toBe('two builds, 48 starts of each')
  expect(told('build and process')).toMatch(/^A in 48 starts, B in this one process;/)
})

test('what was measured again is told by gate, whichever of them decides then', () => {
  const gate = { verdict: 'inconclusive' as const, furtherBlocks: 0 }
  const gates = [
    { ...gate, metric: 'p50' as const, ratio: 1.03, interval: [0.99, 1.07] as [number, number] },
    { ...gate, metric: 'p99' as const, ratio: 2.3, interval: [1.5, 3.4] as [number, number] }
  ]
  const confirmation = { ...compare48.conclusion!, gates, ratio: 2.3, blocks: 8 }
  const text = comparisonText({ ...compare48, confirmation }, byUrl)
  expect(text).toMatch(/again +p50 \+3\.0 % \(.*\), p99 \+130\.0 % \(\+50\.0 % …/)
  expect(text).toMatch(/blocks +48, each a pair of trials; 8 of them to see it again/)
})

test('it says where both ran, and who was ready for more than one processor', () => {
  const told = (waited?: { a: number; b: number }, ranOn: RanOn = { placed: 'one' }) => {
    const conclusion = { ...compare48.conclusion!, waited }
    const comparison = { ...compare48, conclusion }
    const text = comparisonText(comparison, { ...byUrl, compared: 'builds', ranOn })
    return /processor +(.*)/.exec(text)![1]
  }
  expect(told()).toMatch(/^one for both of a start, which take turns/)
  expect(told({ a: 0.3, b: 0.2 }, { placed: 'own', because: 'elsewhere' })).toBe('elsewhere')
  expect(told({ a: 0.03, b: 0.02 })).toBe(told())
  expect(told({ a: 0.03, b: 0.41 })).toMatch(
    /waited for other programs, .*: A 3 % as long as it ran, B 41 %/
  )
  expect(comparisonText(compare48, byUrl)).not.toMatch(/^ {2}processor/m)
})

test('one that cannot be told says how much is missing', () => {
  expect(comparisonText(compared(0.03, 0.4), byUrl)).toMatch(
    /missing +about [\d,]+ blocks, \d+ s, if more of them say the same/
  )
})

test('one that was not made says why', () => {
  const text = comparisonText({ ended: 'blocked', because: 'B is gone', repeated: 0 }, byUrl)
  expect(text).toMatch(/^\nblocked: B is gone/)
  expect(text).not.toMatch(/blocks/)
})
