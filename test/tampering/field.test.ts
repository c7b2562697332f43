import { expect, test } from 'vitest'
import { altered, changedAt, fieldsOf, gone, retyped, valuesAt } from '../../src/tampering/field.ts'

const value = { id: 'b7', pages: 3, tags: ['a', 'b'], of: [{ name: 'x' }, { name: 'y', age: 1 }] }

test('the ways to all fields, those of a list’s items once', () => {
  const paths = fieldsOf(value).map((path) => path.join('.'))
  expect(paths).toEqual(['id', 'pages', 'tags', 'of', 'of.*.name', 'of.*.age'])
  expect(fieldsOf(7)).toEqual([])
})

test('what stands at a way', () => {
  expect(valuesAt(value, ['of', '*', 'name'])).toEqual(['x', 'y'])
  expect(valuesAt(value, ['none', 'at', 'all'])).toEqual([])
})

test('a field is changed in each item, or left out, and nothing else is', () => {
  expect(changedAt(value, ['of', '*', 'age'], () => 9)).toEqual({
    ...value,
    of: [{ name: 'x' }, { name: 'y', age: 9 }]
  })
  expect(changedAt(value, ['id'], () => gone)).not.toHaveProperty('id')
  expect(changedAt(value, ['none'], () => 1)).toEqual(value)
})

test.each([
  ['2026-03-01', '2025-03-01'],
  ['2026-03-01T09:30:00.125Z', '2025-03-01T09:30:00.125Z'],
  ['Mon, 30 Jan 2023 00:00:00 GMT', 'Mon, 30 Jan 2022 00:00:00 GMT'],
  ['@1675036800', '@1643500800'],
  ['order 2026-03-01', 'order 2026-03-02'],
  ['12:30:00 GMT', '12:30:00 GMTx']
])('the moment %s becomes %s', (one, other) => {
  expect(altered(one)).toBe(other)
})

test.each(['text', '2026-01-02', '', 7, 0, true, ['a', 'b'], []])(
  '%j has another value of its type, and one of another type',
  (one) => {
    expect(altered(one)).not.toEqual(one)
    expect(typeof altered(one)).toBe(typeof one)
    const kind = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value)
    expect(kind(retyped(one))).not.toBe(kind(one))
  }
)
