import { describe, expect, test } from 'vitest'
import { closed, hold, type Load, open, ramp } from '../../src/load/load.ts'
import { numberOf, partOf, portion, usefulWorkers, usersBelow } from '../../src/load/share.ts'

const shares = (count: number) => Array.from({ length: count }, (_, index) => ({ index, count }))
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

describe.each([1, 2, 3, 4, 7])('among %i workers', (count) => {
  test.each([0, 1, 10, 50, 1_000_003])('%i things are all given out, evenly', (total) => {
    const portions = shares(count).map((share) => portion(total, share))
    expect(sum(portions)).toBe(total)
    expect(Math.max(...portions) - Math.min(...portions)).toBeLessThanOrEqual(1)
  })

  test('the numbers of all workers are 0, 1, 2 …, each once', () => {
    const numbers = shares(count).flatMap((share) =>
      Array.from({ length: portion(100, share) }, (_, n) => numberOf(n, share))
    )
    expect(numbers.sort((one, other) => one - other)).toEqual(
      Array.from({ length: 100 }, (_, n) => n)
    )
  })

  test.each([0, 0.5, 1, 3, 9.2, 50])('at level %f, all users there are exist once', (level) => {
    expect(sum(shares(count).map((share) => usersBelow(level, share)))).toBe(Math.ceil(level))
  })

  test('the parts of a load add up to it', () => {
    const whole = { ...open(hold({ rate: 10, seconds: 1 })), connections: 11, iterations: 23 }
    const parts = shares(count).map((share) => partOf(whole, share))
    expect(sum(parts.map(({ connections }) => connections))).toBe(11)
    expect(sum(parts.map(({ iterations }) => iterations))).toBe(23)
    expect(sum(parts.map(({ maxInFlight }) => maxInFlight))).toBe(whole.maxInFlight)
  })
})

test.each<[Load, number]>([
  [{ ...open(hold({ rate: 10, seconds: 1 })), connections: 3 }, 3],
  [closed({ users: 2, connections: 8, iterations: 10 }), 2],
  [closed({ users: [ramp({ from: 1, to: 6, seconds: 1 })] }), 6],
  [closed({ connections: 50, seconds: 1 }), 8]
])('no worker goes without a connection or a user', (load, useful) => {
  expect(usefulWorkers(load, 8)).toBe(useful)
})
