import { expect, test } from 'vitest'
import { changed, orMachine, orWandering, shortageIn } from '../../src/verdict/capacity-unsteady.ts'
import type { RateTrial } from '../../src/verdict/rate-trial.ts'

/** Trials at 94 to 106 a second, by turns, where what is held and how long was waited is given. */
function trials(
  held: (place: number) => number,
  waitShare: (place: number) => number = () => 0
): RateTrial[] {
  return Array.from({ length: 50 }, (_, place): RateTrial => {
    const rate = 94 + ((place * 5) % 13)
    const outcome = rate <= held(place) ? 'held' : 'missed'
    return {
      ...{ purpose: 'sharpen', rate, seconds: 2, outcome, because: '', lossRatio: 0 },
      ...{ goodput: rate, p50Us: 1, p99Us: 1, errorShare: 0, waitShare: waitShare(place) }
    }
  })
}

const interval: [number, number] = [99, 101]
const wave = (place: number) => 100 + 5 * Math.sin(place / 6)

test('what goes up and down changed, within what is said, and a warm-up does not', () => {
  const { unsteady, interval: wider } = orWandering({ interval }, trials(wave))
  expect(unsteady).toMatchObject({ kind: 'changed', because: expect.stringMatching(/up and down/) })
  expect(wider![0]).toBeLessThanOrEqual(99)
  expect(wider![1]).toBeGreaterThanOrEqual(101)
  expect(
    orWandering(
      { interval },
      trials(() => 100)
    )
  ).toEqual({ interval })
  const warmed = trials((place) => (place < 10 ? 94 : 100))
  expect(orWandering({ interval }, warmed)).toEqual({ interval })
  expect(orWandering({}, trials(wave))).toEqual({})
})

test('a generator that waited for a processor is named, and the target not accused', () => {
  const evidence = { interval, unsteady: changed('90/s at first') }
  const waited = trials(wave, (place) => (place % 3 === 0 ? 0.38 : 0.02))
  const { unsteady } = orMachine(evidence, waited)
  expect(unsteady!.kind).toBe('machine')
  expect(unsteady!.because).toMatch(/^what was held changed .* short of processors.* up to 38 %/)
  expect(unsteady!.because).toMatch(/may be that and not the target/)
  // A single trial that had to wait, or waits that are next to nothing, leave it with the target.
  const once = trials(wave, (place) => (place === 3 ? 0.5 : 0.02))
  expect(orMachine(evidence, once)).toEqual(evidence)
  expect(orMachine(evidence, trials(wave))).toEqual(evidence)
  expect(shortageIn(waited)).toEqual({ usual: 0.02, most: 0.38 })
})

test('where nothing changed a shortage is no verdict', () => {
  expect(
    orMachine(
      { interval },
      trials(wave, () => 0.5)
    )
  ).toEqual({ interval })
})
