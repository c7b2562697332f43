import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logGamma, regularizedBeta } from '../../src/statistics/beta.ts'

fc.configureGlobal({ seed: 1 })

test.each([1, 2, 5, 10, 20, 100, 170])('Γ(%i) is the factorial before it', (n) => {
  let log = 0
  for (let factor = 2; factor < n; factor++) log += Math.log(factor)
  expect(logGamma(n)).toBeCloseTo(log, 10)
})

test('Γ(½) is the root of π', () => {
  expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13)
})

// Closed forms: I_x(1, b), I_x(a, 1), I_½(a, a), I_x(½, ½).
test.each([
  [{ x: 0.3, a: 1, b: 7 }, 1 - 0.7 ** 7],
  [{ x: 0.3, a: 7, b: 1 }, 0.3 ** 7],
  [{ x: 0.5, a: 1234, b: 1234 }, 0.5],
  [{ x: 0.2, a: 0.5, b: 0.5 }, (2 / Math.PI) * Math.asin(Math.sqrt(0.2))],
  [{ x: 0, a: 2, b: 3 }, 0],
  [{ x: 1, a: 2, b: 3 }, 1]
])('I of %o', (at, expected) => {
  expect(regularizedBeta(at)).toBeCloseTo(expected, 12)
})

const parameter = fc.double({ min: 0.5, max: 3000, noNaN: true })
const share = fc.double({ min: 0.001, max: 0.999, noNaN: true })

test('what is not below is above', () => {
  fc.assert(
    fc.property(share, parameter, parameter, (x, a, b) => {
      const below = regularizedBeta({ x, a, b })
      expect(below + regularizedBeta({ x: 1 - x, a: b, b: a })).toBeCloseTo(1, 10)
    })
  )
})

test('it follows its recurrence in a (DLMF 8.17.20)', () => {
  fc.assert(
    fc.property(share, parameter, parameter, (x, a, b) => {
      const scale = logGamma(a + b) - logGamma(a + 1) - logGamma(b)
      const between = Math.exp(scale + a * Math.log(x) + b * Math.log1p(-x))
      const next = regularizedBeta({ x, a: a + 1, b })
      expect(regularizedBeta({ x, a, b })).toBeCloseTo(next + between, 9)
    })
  )
})
