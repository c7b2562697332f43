import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { capacitySteadiness } from '../../src/statistics/capacity-steadiness.ts'
import type { LoadTrial } from '../../src/statistics/load-class.ts'
import { series } from './noise.ts'

/** Trials at loads within 15 % of what is held at the time. */
function trials(held: (place: number) => number): LoadTrial[] {
  const next = random(1, 'loads')
  return series(40, (place) => {
    const load = held(place) * (0.85 + 0.3 * next())
    const outcome = load <= held(place) ? ('held' as const) : ('missed' as const)
    return { load, seconds: 2, outcome, lossRatio: 0 }
  })
}

test('one capacity is one, within its interval', () => {
  const { changed, interval } = capacitySteadiness(
    trials(() => 100),
    0.95
  )
  expect(changed).toBeUndefined()
  expect(interval.low).toBeLessThanOrEqual(100)
  expect(interval.high).toBeGreaterThanOrEqual(100)
})

test('of two the interval holds both, and each has its own', () => {
  const found = capacitySteadiness(
    trials((place) => (place < 20 ? 100 : 80)),
    0.95
  )
  expect(found.changed!.before.low).toBeGreaterThan(found.changed!.after.high)
  expect(found.interval.low).toBeLessThanOrEqual(80)
  expect(found.interval.high).toBeGreaterThanOrEqual(100)
})
