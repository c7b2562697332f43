import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { type Contrast, levelShifts } from '../../src/statistics/level-shifts.ts'
import { normals, series } from './noise.ts'

const question = { level: 0.05, mostLuck: 0.05 }
const sd = 0.01

/** Each place against the one before, or against the first, with noise of one per cent. */
function contrasts(count: number, level: (place: number) => number, design: 'chain' | 'star') {
  const normal = normals(random(7, design))
  return series(count, (before): Contrast => {
    const [from, to] = [design === 'chain' ? before : 0, before + 1]
    return { from, to, value: level(to) - level(from) + sd * normal(), variance: sd ** 2 }
  })
}

test.each(['chain', 'star'] as const)(
  'two steps of a %s are two shifts of their size',
  (design) => {
    const level = (place: number) => (place >= 30 ? 0.1 : 0) + (place >= 45 ? 0.1 : 0)
    const found = levelShifts(contrasts(60, level, design), 61, question)
    expect(found.map(({ first, last }) => [first, last])).toEqual([
      [30, 30],
      [45, 45]
    ])
    for (const { size } of found) expect(Math.abs(size - 0.1)).toBeLessThan(0.03)
  }
)

test('which way a contrast is told does not matter', () => {
  const told = contrasts(60, (place) => (place >= 30 ? 0.1 : 0), 'chain')
  const turned = told.map(({ from, to, value, variance }) => {
    return { from: to, to: from, value: -value, variance }
  })
  const found = levelShifts(told, 61, question)
  expect(found).toHaveLength(1)
  expect(levelShifts(turned, 61, question)).toEqual(found)
})

test('one contrast is a shift only where no luck would do it; none, or of itself, never', () => {
  const one = (value: number) =>
    levelShifts([{ from: 0, to: 1, value, variance: 1e-6 }], 2, question)
  expect(one(0.08)).toEqual([])
  expect(one(0.3)).toMatchObject([{ first: 1, last: 1, size: 0.3 }])
  expect(levelShifts([], 0, question)).toEqual([])
  expect(levelShifts([{ from: 1, to: 1, value: 9, variance: 1e-6 }], 2, question)).toEqual([])
  expect(levelShifts([{ from: 0, to: 1, value: 9, variance: Infinity }], 2, question)).toEqual([])
})
