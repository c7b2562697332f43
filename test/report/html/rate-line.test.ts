import { expect, test } from 'vitest'
import { rateLine } from '../../../src/report/html/rate-line.ts'
import type { Capacity } from '../../../src/verdict/capacity.ts'
import type { RateTrial } from '../../../src/verdict/rate-trial.ts'

const demand = { perSecond: 100, p99Ms: 50, errorRatio: 0.001 }

function trial(rate: number, outcome: RateTrial['outcome'], because = ''): RateTrial {
  return {
    ...{ purpose: 'search', rate, seconds: 1, outcome, because, lossRatio: 0, goodput: rate },
    ...{ p50Us: 1, p99Us: 2, errorShare: 0 }
  }
}

const found: Capacity = {
  ...{ ended: 'found', degradation: [], interval: [118, 123], confirmed: 118 },
  trials: [trial(60, 'held'), trial(240, 'missed', 'p99 <was> high'), trial(120, 'unoffered')]
}

test('every trial is drawn, with the interval and the rate that is demanded', () => {
  const { markup } = rateLine(found, demand)!
  expect(markup.match(/class="asked accepted"/g)).toHaveLength(1)
  expect(markup.match(/class="asked rejected"/g)).toHaveLength(1)
  expect(markup.match(/class="asked unclear"/g)).toHaveLength(1)
  expect(markup).toMatch(/118\/s confirmed; the limit is surely within 118\/s … 123\/s/)
  expect(markup).toMatch(/demanded:\s100\/s/)
  expect(markup).toContain('p99 &lt;was&gt; high')
})

test('places are within the drawing, lower rates to the left, first trials on top', () => {
  const { markup } = rateLine(found, demand)!
  const places = [...markup.matchAll(/class="asked [^"]*" x="([\d.]+)%" y="([\d.]+)"/g)]
  const xs = places.map(([, x]) => Number(x))
  const ys = places.map(([, , y]) => Number(y))
  expect(xs[0]).toBeLessThan(xs[2]!)
  expect(xs[2]).toBeLessThan(xs[1]!)
  expect(Math.min(...xs)).toBeGreaterThan(0)
  expect(Math.max(...xs)).toBeLessThan(100)
  expect(ys).toEqual(ys.toSorted((one, other) => one - other))
})

test('a search without an interval has no strip, one without trials no drawing', () => {
  const { interval: _, confirmed: __, ...open } = found
  expect(rateLine(open, demand)!.markup).not.toContain('class="band"')
  expect(rateLine(open, demand)!.markup).toContain('no rate confirmed')
  expect(rateLine({ ...open, trials: [] }, demand)).toBeUndefined()
})

test('an interval that reaches beyond every trial ends where the drawing does', () => {
  const { markup } = rateLine({ ...found, interval: [1, 9_000] }, demand)!
  expect(markup).toContain('<rect class="band" x="0%" width="100%"')
})

test('the marks that there are have a legend, and the axes are named', () => {
  const { markup } = rateLine(found)!
  const keys = (of: string) => [...of.matchAll(/key-mark asked (\w+)"/g)].map(([, key]) => key)
  expect(keys(markup)).toEqual(['accepted', 'rejected', 'unclear'])
  expect(markup).toContain('</svg> not offered: the generator could not make the rate</span>')
  expect(markup).toContain('>requests a second</text>')
  expect(markup).toContain('>first trial</text>')
  expect(keys(rateLine({ ...found, trials: [found.trials[0]!] })!.markup)).toEqual(['accepted'])
})

test('what was held before the generator gave out is not called confirmed', () => {
  const { markup } = rateLine({ ...found, ended: 'generator' })!
  expect(markup).not.toContain('confirmed')
  expect(markup).toMatch(/>held:\s118\/s</)
})
