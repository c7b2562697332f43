import { describe, expect, test } from 'vitest'
import {
  arrivedMs,
  closed,
  durationMs,
  hold,
  open,
  peak,
  poisson,
  ramp,
  stairs,
  warmUp
} from '../../src/load/load.ts'

test('phases are what they are written as', () => {
  const [first, last] = stairs({ from: 10, to: 30, count: 2, seconds: 4 })
  expect(first).toEqual(hold({ rate: 10, seconds: 2 }))
  expect(last).toEqual(hold({ users: 30, seconds: 2 }))
  expect(poisson([first!, last!]).map(({ arrivals }) => arrivals)).toEqual(['poisson', 'poisson'])
  expect(warmUp(first!)).toEqual([{ ...first, measured: false }])
  expect(durationMs([first!, last!])).toBe(4_000)
  expect(peak([ramp({ from: 5, to: 50, seconds: 1 }), first!])).toBe(50)
})

test('an open load has room for what a silent target leaves unanswered', () => {
  const load = open(ramp({ from: 0, to: 2_000, seconds: 5 }), hold({ rate: 2_000, seconds: 20 }))
  expect(load.maxInFlight).toBe(2_000 * 10)
  expect(open(hold({ rate: 1, seconds: 1 })).maxInFlight).toBe(1_000)
  expect(open(hold({ rate: 1e9, seconds: 1 })).maxInFlight).toBe(1_000_000)
})

describe('a closed load', () => {
  test.each([
    ['a user for each place', closed({ connections: 4, pipelining: 8, seconds: 1 }), 32, 4],
    ['a place for each user', closed({ users: 30, pipelining: 8, seconds: 1 }), 30, 4],
    ['users who share connections', closed({ users: 100, connections: 10, seconds: 1 }), 100, 10],
    [
      'as many as the most users need',
      closed({ users: [ramp({ from: 1, to: 9, seconds: 1 })] }),
      9,
      9
    ]
  ])('%s', (_, load, users, connections) => {
    expect(peak(load.phases)).toBe(users)
    expect(load.connections).toBe(connections)
  })
})

test.each<[string, () => unknown]>([
  ['negative levels', () => hold({ rate: -1, seconds: 1 })],
  ['levels without end', () => hold({ rate: Infinity, seconds: 1 })],
  ['no time', () => hold({ rate: 1, seconds: 0 })],
  ['ramps without end', () => ramp({ from: 1, to: 2, seconds: Infinity })],
  ['one stair', () => stairs({ from: 1, to: 2, count: 1, seconds: 1 })],
  ['no phases', () => open()],
  [
    'phases after one without end',
    () => open(hold({ rate: 1, seconds: Infinity }), hold({ rate: 1, seconds: 1 }))
  ],
  ['closed loads without end', () => closed({ users: 1 })],
  ['no connections', () => closed({ connections: 0, seconds: 1 })],
  ['half a connection', () => closed({ connections: 0.5, seconds: 1 })],
  ['no iterations', () => closed({ users: 1, iterations: 0 })],
  ['timeouts without end', () => closed({ users: 1, seconds: 1, timeoutMs: Infinity })],
  ['pauses into the past', () => closed({ users: 1, seconds: 1, thinkMs: { from: 5, to: 1 } })]
])('%s are refused', (_, make) => {
  expect(make).toThrow(RangeError)
})

test.each([
  ['all at one rate', [hold({ rate: 100, seconds: 10 })], 400, 4_000],
  ['the phases first', [hold({ rate: 100, seconds: 10 })], 4_000, 10_000],
  [
    'within the second phase',
    [hold({ rate: 10, seconds: 10 }), hold({ rate: 50, seconds: 10 })],
    150,
    11_000
  ],
  ['on a ramp up', [ramp({ from: 0, to: 100, seconds: 10 })], 125, 5_000],
  ['on a ramp down', [ramp({ from: 100, to: 0, seconds: 10 })], 375, 5_000],
  ['without an end', [hold({ rate: 100, seconds: Infinity })], Infinity, Infinity],
  [
    'nothing arrives at first',
    [hold({ rate: 0, seconds: 1 }), hold({ rate: 1, seconds: 9 })],
    2,
    3_000
  ]
])('when the iterations of an open load have arrived: %s', (_, phases, iterations, ms) => {
  expect(arrivedMs({ ...open(...phases), iterations })).toBeCloseTo(ms, 6)
})
