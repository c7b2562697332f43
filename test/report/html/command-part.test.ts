import { expect, test } from 'vitest'
import { commandPart } from '../../../src/report/html/command-part.ts'
import { runHeadline } from '../../../src/report/legend.ts'
import type { VerdictRecord } from '../../../src/report/record.ts'
import type { CommandFound } from '../../../src/verdict/command-found.ts'
import { historyOf } from '../../../src/verdict/history.ts'
import { chain, entry } from '../../verdict/histories.ts'
import { sample } from '../sample.ts'
import { bucket, capacity, comparison, sizes } from './found.ts'

const drawn = (found: CommandFound) => commandPart(found)!.markup
const places = (markup: string, name: string) =>
  [...markup.matchAll(new RegExp(` ${name}="(-?[\\d.]+)%?"`, 'g'))].map(([, value]) =>
    Number(value)
  )

test('a comparison is its pairs in the order taken, slower ones higher, with its interval', () => {
  const markup = drawn(comparison)
  expect(markup.match(/class="pair"/g)).toHaveLength(2)
  expect(markup.match(/class="pair again"/g)).toHaveLength(2)
  const [across, up] = [places(markup, 'cx'), places(markup, 'cy')]
  expect(across).toEqual(across.toSorted((one, other) => one - other))
  expect(up[2]).toBeLessThan(up[3]!)
  expect(up[1]).toBeLessThan(up[0]!)
  expect(markup).toMatch(/p50 of B is \+20\.0 % against A, surely within \+10\.0 % … \+30\.0 %/)
  expect(markup).toContain('seen again')
  expect(markup).not.toContain('NaN')
})

test('of a throughput less is worse, and its budget lies below no change', () => {
  const metrics = { throughput: { ...comparison.metrics.p50!, unit: '1/s' as const } }
  const markup = drawn({ ...comparison, metric: 'throughput', metrics, budget: 25 })
  expect(markup).toContain('up to −20.0 % is let through')
  expect(markup).toContain('budget −20.0 %')
})

test('one that measured nothing is a page without a drawing', () => {
  const { ratio: _, interval: __, ...nothing } = comparison
  expect(drawn({ ...nothing, metrics: {}, pairs: [], facts: [] }).trim()).toBe('')
})

test('a bucket is a staircase of single steps, a window one of whole bursts', () => {
  const steps = (markup: string) => /points="([^"]+)"/.exec(markup)![1]!.split(' ').length
  expect(steps(drawn(bucket))).toBe(2 * 61 + 1)
  const fixed = drawn({ of: 'limit', rate: { ...bucket.rate, algorithm: 'fixed-window' } })
  expect(steps(fixed)).toBe(2 * 3 + 1)
  expect(fixed).toContain('20 at once')
})

test.each([
  { ...bucket.rate, burst: null },
  { ...bucket.rate, burst: 0 },
  { ...bucket.rate, perSecond: null, windowMs: null },
  { ...bucket.rate, perSecond: 1e-308, windowMs: 1e308 }
])('a limiter of which too little is known is not drawn: %j', (rate) => {
  expect(drawn({ of: 'limit', rate })).not.toContain('<svg')
})

test('a limit on sizes is a line for each variant, of which nothing was documented', () => {
  const markup = drawn(sizes)
  expect(markup.match(/8 bytes accepted, 9 refused/g)).toHaveLength(2)
  expect(markup).toContain('&lt;two&gt; writes')
  expect(markup).not.toContain('documented')
})

test('a search for a capacity tells its objective, and every trial', () => {
  const markup = drawn(capacity)
  expect(markup).toMatch(/p99 within 20 ms/)
  expect(markup).toMatch(/confirmed:\s10\/s/)
  expect(markup.match(/class="asked (accepted|rejected)"/g)).toHaveLength(2)
  expect(drawn({ ...capacity, capacity: undefined })).not.toContain('<svg')
})

test('a history is the level of its builds, with the build marked that shifted it', () => {
  const builds = chain(50, (n) => (n === 30 ? 0.1 : 0))
  const markup = drawn({ of: 'history', ...historyOf(builds, 'p50') })
  expect(markup.match(/<circle/g)).toHaveLength(50)
  const [, left, width] = /class="shift worse" x="([\d.]+)%" width="([\d.]+)%"/.exec(markup)!
  const of = (place: number) => 1 + (98 * place) / 50
  expect(Number(left)).toBeCloseTo(of(29), 1)
  expect(Number(width)).toBeCloseTo(of(30) - of(29), 1)
  expect(markup).toMatch(/aria-label="p50 of each build against the first: worse by \d/)
  expect(markup).toContain('>worse by')
  expect(markup).not.toContain('NaN')
})

test('a history of very many builds, and of none', () => {
  const many = drawn({
    of: 'history',
    ...historyOf(
      chain(3_000, () => 0),
      'p50'
    )
  })
  expect(many).toContain('The last 2,000 builds of 3,000.')
  expect(many).not.toContain('<circle')
  expect(commandPart({ of: 'history', metric: 'p50', points: [], shifts: [] })).toBeUndefined()
  const named = drawn({ of: 'history', ...historyOf([entry('<b>', 'c', 1.1)], 'p50') })
  expect(named).toContain('&lt;b&gt;')
  expect(named).not.toContain('<b>')
})

test('what there is to say besides stands below the drawing, as text', () => {
  const markup = drawn(comparison)
  expect(markup).toContain('<dt>errors</dt><dd>A 0 %, B 1 %</dd>')
  expect(markup).toContain('<dt>unseen</dt><dd>a &lt;leak&gt;</dd>')
  const facts = [['machine', 'it was short of processors']] as const
  expect(drawn({ ...capacity, facts })).toContain('<dd>it was short of processors</dd>')
  expect(drawn({ ...comparison, facts: undefined })).not.toContain('<dl>')
})

test('a capacity that was not confirmed to the end is not told as one', () => {
  const conclusion = {
    ...{ outcome: 'inconclusive' as const, observed: '1,212/s confirmed' },
    because: 'the time was up first'
  }
  const report = sample()
  const verdict: VerdictRecord = {
    ...{ t: 'verdict', scenario: 'url', clause: 'url', documented: 'p99 within 20 ms', ms: 1 },
    ...conclusion,
    evidence: { kind: 'command', conclusion, found: capacity }
  }
  const header = { ...report.header, command: ['capacity', 'http://127.0.0.1:1/'] }
  const { text } = runHeadline({ ...report, header, verdicts: [verdict] })
  expect(text).toBe('1,212/s confirmed: the time was up first')
})
