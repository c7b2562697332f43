import { expect, test } from 'vitest'
import { nearest, orNearest } from '../../src/scenario/nearest.ts'

const names = ['edge/url-length', 'edge/header-single', 'policies/fields', 'scripts/fields']

test.each([
  ['url-lenght', 'edge/url-length'],
  ['header-singel', 'edge/header-single'],
  ['polices/fields', 'policies/fields']
])('%s is most like %s', (asked, best) => {
  expect(nearest(asked, names)[0]).toBe(best)
})

test.each(['x', 'hostnames', 'something/else/entirely'])('nothing is near to %s', (asked) => {
  expect(nearest(asked, names)).toEqual([])
  expect(orNearest(asked, names)).toBe('')
})
