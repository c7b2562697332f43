import { expect, test } from 'vitest'
import { override } from '../../../src/platform/kernel/override.ts'

const honest = () => 'honest'
const broken = () => 'broken'
const whole = { number: 1, list: [1, 2], deep: { one: honest, other: honest } }

test.each([
  ['nothing', {}, whole],
  ['a number', { number: Infinity }, { ...whole, number: Infinity }],
  [
    'a function, deep down',
    { deep: { one: broken } },
    { ...whole, deep: { one: broken, other: honest } }
  ],
  ['a new name', { deep: { third: broken } }, { ...whole, deep: { ...whole.deep, third: broken } }]
])('a difference of %s', (_, difference, expected) => {
  const before = structuredClone({ ...whole, deep: {} })
  expect(override<object>(whole, difference)).toEqual(expected)
  expect({ ...whole, deep: {} }).toEqual(before)
  expect(whole.deep).toEqual({ one: honest, other: honest })
})
