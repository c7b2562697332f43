import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { judgePair, runningRatio } from '../../src/verdict/judge-pair.ts'
import { judgeAgain } from '../../src/verdict/pair-again.ts'
import type { PairMetric } from '../../src/verdict/pair-metric.ts'
import { looksUpTo } from '../../src/verdict/pair-plan.ts'
import type { Block, Trial } from '../../src/verdict/trial.ts'
import { blocksAbout, pairWith, trialOfUs } from './pairs.ts'

const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }
const looks = looksUpTo(48)
const terms = { metric: 'p50' as PairMetric, looks, margins }

test.each([
  [0.1, 'regressed'],
  [0.03, 'slower-within-budget'],
  [0, 'no-regression'],
  [-0.02, 'no-regression'],
  [-0.1, 'improved']
])('a difference of %f is %s', (difference, verdict) => {
  const found = judgePair(blocksAbout(difference, 48, random(1)), terms)
  expect(found.verdict).toBe(verdict)
  expect(found.ratio).toBeCloseTo(Math.exp(difference), 2)
  const [low, high] = found.interval
  expect(low).toBeLessThan(found.ratio)
  expect(high).toBeGreaterThan(found.ratio)
  expect(found.blocks).toBe(48)
})

test('too much noise is inconclusive at the last look, and says how much more would do', () => {
  const found = judgePair(blocksAbout(0.03, 48, random(1), 0.4), terms)
  expect(found.verdict).toBe('inconclusive')
  expect(found.furtherBlocks).toBeGreaterThan(48)
})

test('of several gates that are open the one that needs most says how much more would do', () => {
  const blocks = blocksAbout(0, 48, random(1), 0.4)
  const wide = { metric: 'p99' as const, margins: { ...margins, budget: Math.log(1.06) } }
  const close = { metric: 'p50' as const, margins }
  const { furtherBlocks } = judgePair(blocks, { ...terms, ...close })
  for (const order of [[wide, close] as const, [close, wide] as const]) {
    const found = judgePair(blocks, { ...terms, ...order[0], also: [order[1]] })
    expect(found.gates.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive'])
    expect(found.furtherBlocks).toBe(furtherBlocks)
  }
})

test('between looks nothing is concluded, however clear it is', () => {
  const found = judgePair(blocksAbout(0.5, 23, random(1)), terms)
  expect(found.verdict).toBe('continue')
  expect(found.furtherBlocks).toBe(1)
  expect(judgePair(blocksAbout(0.5, 24, random(1)), terms).verdict).toBe('regressed')
})

test('an open look goes on to the next one', () => {
  const found = judgePair(blocksAbout(0.03, 12, random(1), 0.4), terms)
  expect(found).toMatchObject({ verdict: 'continue', furtherBlocks: 12 })
})

test('less throughput is worse, and its ratio is below 1', () => {
  const found = judgePair(blocksAbout(0.1, 48, random(2)), { ...terms, metric: 'throughput' })
  expect(found.verdict).toBe('regressed')
  expect(found.ratio).toBeCloseTo(Math.exp(-0.1), 2)
  expect(found.interval[0]).toBeLessThan(found.interval[1])
  expect(found.metrics.p50?.ratio).toBeCloseTo(Math.exp(0.1), 2)
})

test('the processes are compared where their figures are known', () => {
  const own = { cpuUsPerRequest: 200, rssBytes: 50e6 }
  const blocks = Array.from({ length: 48 }, () => [
    { a: trialOfUs(1_000, own), b: trialOfUs(1_000, { ...own, cpuUsPerRequest: 220 }) }
  ])
  const { metrics } = judgePair(blocks, terms)
  expect(metrics.cpu?.a).toBeCloseTo(200)
  expect(metrics.cpu?.b).toBeCloseTo(220)
  expect(metrics.cpu?.unit).toBe('µs/request')
  expect(metrics.cpu?.ratio).toBeCloseTo(1.1)
  expect(metrics.rss?.ratio).toBe(1)
  expect(judgePair(blocksAbout(0, 48, random(1)), terms).metrics.cpu).toBeUndefined()
})

test('both figures of a metric are as far apart as its ratio, whatever their medians say', () => {
  // B is a tenth faster in two of three moods of the machine, and its median is the higher one.
  const moods = [
    [trialOfUs(1_000), trialOfUs(900)],
    [trialOfUs(2_000), trialOfUs(2_100)],
    [trialOfUs(3_000), trialOfUs(2_700)]
  ] as const
  const blocks = Array.from({ length: 48 }, (_, nth) => {
    const [a, b] = moods[nth % 3]!
    return [{ a, b }]
  })
  // A median of an arm has no part where the other one has none.
  blocks.push(...Array.from({ length: 30 }, () => [{ a: trialOfUs(50), b: trialOfUs(null) }]))
  const { metrics } = judgePair(blocks, { ...terms, metric: 'p99' })
  expect(Object.keys(metrics)).toEqual(['p50', 'p90', 'p99', 'mean', 'throughput'])
  for (const { a, b, ratio } of Object.values(metrics)) expect(b / a).toBeCloseTo(ratio)
  const { a, b, ratio } = metrics.p50!
  expect(ratio).toBeLessThan(0.98)
  expect(a * b).toBeCloseTo(2_000 * 2_100)
})

test('a B that fails has regressed, however fast it is', () => {
  const blocks = Array.from({ length: 48 }, () => [pairWith(-0.5, { failures: 2 })])
  const found = judgePair(blocks, terms)
  expect(found.verdict).toBe('regressed')
  expect(found.because).toMatch(/2 % of B's requests failed, 0 % of A's/)
})

test('a B that fails has regressed on as few starts as have an interval', () => {
  for (const failures of [20, 19]) {
    const blocks = [20, 20, failures, 20, 20].map(
      (failures): Block => [pairWith(0, { failures }), pairWith(0.01, { failures })]
    )
    const looks = looksUpTo(5, 'processes')
    const found = judgePair(blocks, { ...terms, looks, unit: 'processes' })
    expect(found.verdict).toBe('regressed')
    expect(found.because).toMatch(/of B's requests failed, 0 % of A's/)
  }
  const once = [0, 0, 60, 0, 0].map((failures): Block => [pairWith(0, { failures })])
  const looks = looksUpTo(5, 'processes')
  expect(judgePair(once, { ...terms, looks, unit: 'processes' }).verdict).toBe('no-regression')
})

test('as many failures on both sides are no regression', () => {
  const blocks = blocksAbout(0, 48, random(1)).map((pairs) =>
    pairs.map(({ a, b }) => ({ a: { ...a, failures: 2 }, b: { ...b, failures: 2 } }))
  )
  expect(judgePair(blocks, terms)).toMatchObject({
    verdict: 'no-regression',
    errors: { a: 0.02, b: 0.02 }
  })
})

test('a B that never answers has regressed, without a latency to show for it', () => {
  const b = trialOfUs(null, { failures: 100 })
  const blocks = Array.from({ length: 48 }, () => [{ a: trialOfUs(1_000), b }])
  const found = judgePair(blocks, terms)
  expect(found.verdict).toBe('regressed')
  expect(found.metrics.p50).toBeUndefined()
})

test('pairs without a reading leave the looks where they were', () => {
  const blank = [{ a: trialOfUs(null), b: trialOfUs(1_000) }]
  const found = judgePair([...blocksAbout(0.1, 46, random(1)), blank, blank], terms)
  expect(found).toMatchObject({ verdict: 'regressed', blocks: 48 })
})

const regressed = judgePair(blocksAbout(0.1, 48, random(1)), terms)
const clean = judgePair(blocksAbout(0, 48, random(1)), terms)
const slower = judgePair(blocksAbout(0.055, 16, random(3), 0.06), {
  ...terms,
  looks: { ...looks, at: [16] }
})

test('a regression counts when fresh blocks agree', () => {
  expect(judgeAgain(regressed, regressed, regressed).verdict).toBe('regressed')
  expect(judgeAgain(regressed, clean, regressed).verdict).toBe('inconclusive')
  expect(judgeAgain(regressed, regressed, clean).verdict).toBe('inconclusive')
})

test('what was not seen again no gate concludes, and it is told of the blocks until then', () => {
  const short = judgePair(blocksAbout(0.2, 8, random(1)), { ...terms, looks: looksUpTo(8) })
  for (const isEnough of [true, false]) {
    const found = judgeAgain(short, clean, regressed, isEnough)
    expect(found).toMatchObject({ verdict: 'inconclusive', gates: [{ verdict: 'inconclusive' }] })
    expect(found).toMatchObject({ blocks: 48, ratio: regressed.ratio })
    expect(found.because).toMatch(/^after 8 blocks B looked worse by the budget, and/)
  }
})

test('fresh blocks that show B slower, though not yet by how much, agree as well', () => {
  expect(slower).toMatchObject({ verdict: expect.any(String), differs: 'worse' })
  expect(judgeAgain(regressed, { ...slower, verdict: 'inconclusive' }, regressed).verdict).toBe(
    'regressed'
  )
})

test('what is worse beside the gate counts when that, and nothing else, is worse again', () => {
  const own = { cpuUsPerRequest: 200, rssBytes: 50e6 }
  const costing = (more: Partial<Trial>) => {
    const b = trialOfUs(1_000, { ...own, ...more })
    return judgePair(
      Array.from({ length: 48 }, () => [{ a: trialOfUs(1_000, own), b }]),
      terms
    )
  }
  const [cpu, rss] = [costing({ cpuUsPerRequest: 300 }), costing({ rssBytes: 80e6 })]
  const both = costing({ cpuUsPerRequest: 300, rssBytes: 80e6 })
  expect([cpu, rss, both].map(({ verdict }) => verdict)).toEqual(Array(3).fill('regressed'))
  expect(judgeAgain(cpu, cpu, cpu).verdict).toBe('regressed')
  expect(judgeAgain(cpu, both, cpu).verdict).toBe('regressed')
  expect(judgeAgain(cpu, rss, cpu)).toMatchObject({
    verdict: 'inconclusive',
    because: expect.stringMatching(
      /^after 48 blocks B looked worse \(.*processor time.*\), and not again/
    )
  })
  expect(judgeAgain(cpu, { ...slower, verdict: 'inconclusive' }, cpu).verdict).toBe('inconclusive')
  expect(judgeAgain(regressed, rss, regressed).verdict).toBe('inconclusive')
})

test('a mean is worse by what points the same way', () => {
  // Many small stalls of A, of which each is a slow trial, and one of B that outweighs them.
  const blocks = Array.from({ length: 48 }, (_, at): Block => {
    const a = trialOfUs(1_000, { meanUs: at % 2 === 0 ? 1_400 : 1_000 })
    return [{ a, b: trialOfUs(1_000, { meanUs: at === 25 ? 400_000 : 1_000 }) }]
  })
  const { metrics, verdict } = judgePair(blocks, terms)
  expect(metrics.mean!.ratio).toBeGreaterThan(1)
  expect(metrics.mean!.p).toBeGreaterThan(0.05)
  expect(verdict).toBe('no-regression')
})

test('what is better, and worse besides by all blocks, is told as both', () => {
  const own = (rssBytes: number) => ({ rssBytes, cpuUsPerRequest: 200 })
  const blocks = blocksAbout(-0.1, 48, random(1)).map((pairs): Block => {
    return pairs.map(({ a, b }) => ({ a: { ...a, ...own(50e6) }, b: { ...b, ...own(80e6) } }))
  })
  const improved = judgePair(blocksAbout(-0.1, 48, random(1)), terms)
  const pooled = judgePair(blocks, terms)
  expect(judgeAgain(improved, improved, pooled)).toMatchObject({
    verdict: 'inconclusive',
    because: expect.stringMatching(/looked better by the budget, and all blocks show: .*memory/)
  })
})

test('an improvement counts when fresh blocks agree, and not when they show the opposite', () => {
  const improved = judgePair(blocksAbout(-0.1, 48, random(1)), terms)
  expect(judgeAgain(improved, improved, improved).verdict).toBe('improved')
  expect(judgeAgain(improved, clean, improved)).toMatchObject({
    verdict: 'inconclusive',
    because: expect.stringMatching(/^after 48 blocks B looked better/)
  })
  expect(judgeAgain(improved, regressed, improved).verdict).toBe('inconclusive')
})

test('of processes three starts have an interval, and likeness of neighbours widens it', () => {
  const processes = { ...terms, unit: 'processes' as const, looks: { at: [3], level: 0.02 } }
  const found = judgePair(blocksAbout(0.3, 3, random(1)), processes)
  expect(found.verdict).toBe('regressed')
  expect(
    judgePair(blocksAbout(0.3, 3, random(1)), { ...terms, looks: processes.looks })
  ).toMatchObject({ verdict: 'inconclusive', interval: [0, Infinity] })
  const width = (differences: number[]) => {
    const blocks = differences.map((difference) => [pairWith(difference)])
    const { interval } = judgePair(blocks, { ...processes, looks: { at: [8], level: 0.02 } })
    return Math.log(interval[1] / interval[0])
  }
  expect(width([1, 1, 1, 1, -1, -1, -1, -1])).toBeGreaterThan(
    1.5 * width([1, -1, -1, 1, -1, 1, 1, -1])
  )
})

test('how much starts differ is told by those of the first look as well', () => {
  const blocks = (differences: readonly number[]) => differences.map((one) => [pairWith(one)])
  const ways = (fresh: readonly number[], before: readonly number[]) => {
    const looks = { at: [fresh.length], level: 0.1 }
    const again = { ...terms, looks, unit: 'processes' as const }
    const all = { ...again, before: { blocks: blocks(before), level: 0.05 } }
    return [again, all].map((one) => judgePair(blocks(fresh), one).gates[0]!.differs)
  }
  const alike = [0.09, 0.11, 0.1, 0.08, 0.12, 0.1, 0.09, 0.11]
  expect(ways([0.03, 0.1, 0.17], alike)).toEqual([undefined, 'worse'])
  // By luck three may be more alike than starts are.
  const unlike = [-0.1, 0.3, 0.1, -0.05, 0.25, 0.1, 0, 0.2]
  expect(ways([0.09, 0.1, 0.11], unlike)).toEqual(['worse', undefined])
  // Two of their own are too few, whatever is known besides.
  expect(ways([0.1, 0.1], alike)).toEqual([undefined, undefined])
})

test('the running ratio is that of the conclusion', () => {
  const blocks = blocksAbout(0.1, 48, random(1))
  const { ratio, interval } = judgePair(blocks, terms)
  expect(runningRatio(blocks, terms)).toEqual({ ratio, interval })
})

test('of several gates the worst decides, and is named', () => {
  const also = [{ metric: 'rss' as const, margins }]
  const grown = (rss: number, difference = 0) =>
    blocksAbout(difference, 48, random(1)).map((pairs) =>
      pairs.map(({ a, b }) => ({ a: { ...a, rssBytes: 50e6 }, b: { ...b, rssBytes: 50e6 * rss } }))
    )
  const by = (rss: number, difference = 0) => judgePair(grown(rss, difference), { ...terms, also })
  expect(by(1)).toMatchObject({ verdict: 'no-regression', gates: [{}, { metric: 'rss' }] })
  expect(by(1.07)).toMatchObject({
    verdict: 'regressed',
    because: expect.stringMatching(
      /^B's rss is surely worse, .* by no less than its budget of 5 %/
    ),
    ratio: expect.closeTo(1.07)
  })
  expect(by(1, 0.1)).toMatchObject({
    verdict: 'regressed',
    because: expect.stringMatching(/^B's p50 is surely worse/)
  })
  expect(by(0.9)).toMatchObject({ verdict: 'improved' })
  // Seen again is the gate that it was.
  expect(judgeAgain(by(1.07), by(1.07), by(1.07)).verdict).toBe('regressed')
  expect(judgeAgain(by(1.07), by(1, 0.1), by(1.07)).verdict).toBe('inconclusive')
})

test('failures count when there are more failures again, and not when it is slower', () => {
  const failing = judgePair(
    Array.from({ length: 48 }, (): Block => [pairWith(0, { failures: 2 })]),
    terms
  )
  expect(failing).toMatchObject({ verdict: 'regressed', worse: { metric: 'errors' } })
  expect(judgeAgain(failing, failing, failing).verdict).toBe('regressed')
  expect(judgeAgain(failing, regressed, failing)).toMatchObject({
    verdict: 'inconclusive',
    because: expect.stringMatching(/^after 48 blocks B looked worse \(2 % of B's requests failed/)
  })
})

test('how much more of B may fail has a bound, which without failures is that of so few', () => {
  const { errors } = judgePair(blocksAbout(0, 48, random(1)), terms)
  expect(errors).toMatchObject({ a: 0, b: 0 })
  // 4,800 requests of each: about 5 in 4,800 at this confidence.
  expect(errors.more.high).toBeGreaterThan(3 / 4_800)
  expect(errors.more.high).toBeLessThan(8 / 4_800)
})

test('that nothing got worse is said at the last look; what cannot have been seen is told', () => {
  const early = judgePair(blocksAbout(0, 24, random(1)), terms)
  expect(early).toMatchObject({ verdict: 'continue', furtherBlocks: 24 })
  expect(judgePair(blocksAbout(0, 48, random(1)), terms).unseen).toEqual([
    'what befalls fewer than 0.063 % of requests',
    expect.stringMatching(/^a leak/),
    'other loads than this one'
  ])
})

test('a suspicion that all blocks do not bear out was nothing', () => {
  const suspected = {
    ...regressed,
    ...{ because: 'a tail' },
    worse: { metric: 'shape' as const, metrics: ['shape' as const], because: 'a tail' }
  }
  const doubtful = { ...suspected, worse: { ...suspected.worse, isSuspicion: true as const } }
  // It took blocks, so it is told.
  expect(judgeAgain(doubtful, clean, clean)).toEqual({
    ...clean,
    because: `${clean.because}; after 48 blocks B looked worse (a tail), and all do not show that`
  })
  expect(judgeAgain(suspected, clean, clean).verdict).toBe('inconclusive')
})

test('what was worse beside the gates is seen again where a gate has regressed', () => {
  const because = (metric: 'mean' | 'cpu' | 'p99') => ({
    metric,
    metrics: [metric],
    because: metric
  })
  const first = { ...regressed, worse: because('mean') }
  expect(judgeAgain(first, regressed, regressed)).toBe(regressed)
  expect(judgeAgain({ ...regressed, worse: because('cpu') }, regressed, regressed)).toBe(regressed)
  expect(judgeAgain(first, clean, regressed).verdict).toBe('inconclusive')
  expect(judgeAgain(first, regressed, clean).verdict).toBe('inconclusive')
  const memory = { ...regressed, gates: [{ ...regressed.gates[0]!, metric: 'rss' as const }] }
  expect(judgeAgain(first, memory, regressed).verdict).toBe('inconclusive')
  const tail = { ...regressed, worse: because('p99') }
  expect(judgeAgain(tail, regressed, regressed)).toBe(regressed)
})

test('no side has a higher percentile below a lower one', () => {
  // B's slowest tenth hangs in some trials: that sets p90 apart by far, and p50 hardly.
  const block = (at: number): Block => {
    const b = { p90Us: at % 3 === 0 ? 1_600 : 900_000, p99Us: 900_000 }
    return [{ a: trialOfUs(1_000), b: trialOfUs(1_010, b) }]
  }
  const blocks = Array.from({ length: 20 }, (_, at) => block(at))
  const { metrics } = judgePair(blocks, terms)
  for (const arm of ['a', 'b'] as const) {
    const [p50, p90, p99] = (['p50', 'p90', 'p99'] as const).map((name) => metrics[name]![arm])
    expect(p50).toBeLessThanOrEqual(p90!)
    expect(p90).toBeLessThanOrEqual(p99!)
  }
})
