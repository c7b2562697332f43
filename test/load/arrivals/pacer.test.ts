import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createPacer,
  isMeasured,
  levelAt,
  plannedIterations
} from '../../../src/load/arrivals/pacer.ts'
import {
  closed,
  hold,
  open,
  type Phase,
  poisson,
  ramp,
  stairs,
  warmUp
} from '../../../src/load/load.ts'

const dueTimes = (phases: Phase[], seed = 1): number[] => {
  const pacer = createPacer({ phases, seed })
  const times: number[] = []
  for (let n = 0; pacer(n) < Infinity; n++) times.push(pacer(n))
  return times
}

describe('even arrivals', () => {
  test('a held rate spaces them exactly', () => {
    const times = dueTimes([hold({ rate: 1_000, seconds: 2 })])
    expect(times).toHaveLength(2_000)
    expect(times[0]).toBe(0)
    expect(times[1_999]).toBeCloseTo(1_999, 9)
  })

  test('a ramp gives as many as its mean rate, where the area under it is whole', () => {
    const times = dueTimes([ramp({ from: 100, to: 2_000, seconds: 5 })])
    expect(times).toHaveLength(5_250)
    for (const n of [1, 17, 2_000, 5_249]) {
      const seconds = times[n]! / 1_000
      expect(100 * seconds + (1_900 * seconds ** 2) / 10).toBeCloseTo(n, 6)
    }
  })

  test.each([
    ['from nothing', ramp({ from: 0, to: 10, seconds: 2 }), 10],
    ['down to nothing', ramp({ from: 10, to: 0, seconds: 2 }), 10],
    ['nothing at all', hold({ rate: 0, seconds: 2 }), 0]
  ])('%s', (_, phase, count) => {
    const times = dueTimes([phase])
    expect(times).toHaveLength(count)
    expect(times.every((time) => time >= 0 && time < 2_000)).toBe(true)
  })

  test('parts of an arrival carry over from phase to phase', () => {
    const phases = [hold({ rate: 1.5, seconds: 1 }), hold({ rate: 1.5, seconds: 1 })]
    expect(dueTimes(phases)).toHaveLength(3)
  })

  test('a pause is a phase at rate nothing', () => {
    const phases = [
      hold({ rate: 2, seconds: 1 }),
      hold({ rate: 0, seconds: 10 }),
      hold({ rate: 2, seconds: 1 })
    ]
    expect(dueTimes(phases)).toEqual([0, 500, 11_000, 11_500])
  })

  test('a load can go on for ever', () => {
    const pacer = createPacer({ phases: [hold({ rate: 10, seconds: Infinity })], seed: 1 })
    expect(pacer(1_000_000)).toBeCloseTo(100_000_000, 3)
  })

  test('any phases: due times never go back, and are as many as the levels add up to', () => {
    const level = fc.integer({ min: 0, max: 50 })
    const anyPhase = fc
      .record({ from: level, to: level, seconds: fc.integer({ min: 1, max: 4 }) })
      .map(ramp)
    fc.assert(
      fc.property(fc.array(anyPhase, { minLength: 1, maxLength: 5 }), (phases) => {
        const times = dueTimes(phases)
        const expected =
          phases.reduce((sum, { from, to, seconds }) => sum + (from + to) * seconds, 0) / 2
        expect(times).toHaveLength(Math.ceil(expected - 1e-6))
        expect(times.every((time, n) => n === 0 || time >= times[n - 1]!)).toBe(true)
      }),
      { seed: 1 }
    )
  })
})

describe('arrivals by chance', () => {
  const phases = poisson(hold({ rate: 100, seconds: 1_000 }))

  test('are as many as asked, give or take, with gaps as varied as they are long', () => {
    const times = dueTimes(phases)
    const gaps = times.slice(1).map((time, n) => time - times[n]!)
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
    expect(times.length / 100_000).toBeCloseTo(1, 1)
    expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1)
  })

  test('depend on the seed, and not on the order of asking', () => {
    const forward = createPacer({ phases, seed: 7 })
    const backward = createPacer({ phases, seed: 7 })
    const numbers = [0, 5, 100, 999]
    const asked = numbers.map(forward)
    expect(numbers.toReversed().map(backward).toReversed()).toEqual(asked)
    expect(numbers.map(createPacer({ phases, seed: 8 }))).not.toEqual(asked)
  })

  test('can follow even ones', () => {
    const times = dueTimes([
      hold({ rate: 10, seconds: 1 }),
      ...poisson(hold({ rate: 10, seconds: 9 }))
    ])
    expect(times.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, n) => n * 100))
    expect(times[11]! % 100).not.toBeCloseTo(0, 3)
  })
})

test('the level of phases at a moment', () => {
  const phases = [
    ...stairs({ from: 10, to: 30, count: 3, seconds: 3 }),
    ramp({ from: 30, to: 0, seconds: 2 })
  ]
  const levels = [0, 999, 1_000, 2_999, 3_000, 4_000, 5_000].map((ms) => levelAt(phases, ms))
  expect(levels).toEqual([10, 10, 20, 30, 30, 15, 0])
})

test('warm-up is not measured', () => {
  const phases = [...warmUp(hold({ rate: 1, seconds: 1 })), hold({ rate: 1, seconds: 1 })]
  expect([0, 999, 1_000, 1_999, 5_000].map((ms) => isMeasured(phases, ms))).toEqual([
    false,
    false,
    true,
    true,
    true
  ])
})

test.each([
  ['even arrivals', open(ramp({ from: 100, to: 2_000, seconds: 5 })), 5_250],
  ['arrivals that are limited', { ...open(hold({ rate: 10, seconds: 5 })), iterations: 7 }, 7],
  ['a day of arrivals', open(hold({ rate: 100_000, seconds: 86_400 })), 8_640_000_000],
  ['next to nothing', open(hold({ rate: 0, seconds: 5 })), 0],
  ['as many as of a rate with a fraction', open(hold({ rate: 0.3, seconds: 10 })), 3],
  [
    'a day of arrivals by chance',
    open(poisson(hold({ rate: 100_000, seconds: 86_400 }))),
    Math.ceil(8.64e9 + 8 * Math.sqrt(8.64e9))
  ],
  ['arrivals for ever', open(hold({ rate: 10, seconds: Infinity })), Infinity],
  ['shared iterations', closed({ users: 3, iterations: 100 }), 100],
  ['iterations of each user', closed({ users: 3, iterationsEach: 100 }), 300],
  ['users and time', closed({ users: 3, seconds: 1 }), Infinity]
])('how much is planned: %s', (_, load, count) => {
  expect(plannedIterations(load, 1)).toBe(count)
})
