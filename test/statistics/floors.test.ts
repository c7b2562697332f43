import { expect, test } from 'vitest'
import { floors } from '../../src/statistics/floors.ts'
import { series } from './noise.ts'

test('the lowest point of each window, gaps left out', () => {
  const points = [
    { time: 0, value: 5 },
    { time: 9, value: 3 },
    { time: 10, value: 8 },
    { time: 19.9, value: 9 },
    { time: 45, value: 1 }
  ]
  expect(floors(points, 10)).toEqual([points[1], points[2], points[4]])
  expect(floors([], 10)).toEqual([])
})

test('a saw-tooth has a level floor, a leak under it shows', () => {
  const teeth = (leak: number) =>
    series(600, (time) => ({ time, value: 100 + (time % 17) + leak * time }))
  const level = floors(teeth(0), 60).map(({ value }) => value)
  expect(new Set(level)).toEqual(new Set([100]))
  const rising = floors(teeth(0.5), 60).map(({ value }) => value)
  expect(rising.every((value, place) => place === 0 || value > rising[place - 1]!)).toBe(true)
})
