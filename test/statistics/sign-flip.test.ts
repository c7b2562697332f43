import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { signFlip } from '../../src/statistics/sign-flip.ts'
import { normals, series } from './noise.ts'

test('of few units all ways are counted', () => {
  // 1 of 2⁵ ways reaches what is seen; zeros are no units.
  expect(signFlip([[1, 1, 0, 1, 1, 1]], random(1))).toEqual([1 / 32])
  expect(signFlip([[-1, -1, -1]], random(1))).toEqual([1])
})

test('of many units so many ways are drawn, and what was seen is one of them', () => {
  const [p] = signFlip([series(40, () => 1)], random(1))
  expect(p).toBeCloseTo(1 / 4_001, 6)
})

test('rows that say the same cost nothing, and rows of noise a little', () => {
  const row = [1, 1, 1, 1, 1, 1, 1]
  expect(signFlip([row, row, row], random(1))).toEqual([1 / 128, 1 / 128, 1 / 128])
  const normal = normals(random(2))
  const [p] = signFlip([row, ...series(4, () => series(7, normal))], random(1))
  expect(p).toBeGreaterThanOrEqual(1 / 128)
  expect(p).toBeLessThan(0.1)
})

test('where nothing differs it errs as often as it says, whatever the law', () => {
  const next = random(11)
  const heavy = () => Math.tan(Math.PI * (next() - 0.5))
  const rare = () => (next() < 0.1 ? 1 : 0) - (next() < 0.1 ? 1 : 0)
  const found = series(400, () => {
    return Math.min(...signFlip([series(10, heavy), series(10, rare)], next))
  })
  const alarms = found.filter((p) => p <= 0.05).length
  expect(alarms).toBeLessThanOrEqual(30)
})

test('without a difference nothing is told', () => {
  expect(
    signFlip(
      [
        [0, 0],
        [0, 0]
      ],
      random(1)
    )
  ).toEqual([1, 1])
  expect(signFlip([], random(1))).toEqual([])
})

test('as many units as hours of pairs make are joined', () => {
  const next = random(1, 'many')
  const noise = Array.from({ length: 200_000 }, () => next() - 0.5)
  const [none, some] = signFlip([noise, noise.map((one) => one + 0.01)], next)
  expect(none).toBeGreaterThan(0.05)
  expect(some).toBeLessThan(0.01)
})
