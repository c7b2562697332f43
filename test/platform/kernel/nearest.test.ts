import { expect, test } from 'vitest'
import { nearest } from '../../../src/platform/kernel/nearest.ts'

const names = ['url-length-unlimited', 'policy-id-missing', 'legacy-pair-refused']

test.each([
  ['url-lenght-unlimited', 'url-length-unlimited'],
  ['policy-id', 'policy-id-missing'],
  ['legacy', 'legacy-pair-refused'],
  ['legacy-pair-refused', 'legacy-pair-refused']
])('%s is nearest to %s', (name, expected) => {
  expect(nearest(name, names)[0]).toBe(expected)
})

test('as many as are wanted, and there are', () => {
  expect(nearest('x', names, 2)).toHaveLength(2)
  expect(nearest('x', names, 9)).toHaveLength(3)
})
