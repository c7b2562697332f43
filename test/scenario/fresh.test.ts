import { expect, test } from 'vitest'
import { freshValue, othersOf } from '../../src/scenario/fresh.ts'
import { shapeFinding } from '../../src/scenario/shape.ts'

const uuid = '7f0c5c5a-8a55-4b1e-9a39-3f2f6d1f7a10'

test.each([
  ['R-44444', { pattern: '^R-[0-9]{4,6}$' }, 7],
  ['R-4444', { pattern: '^R-[0-9]{4}$' }, 7],
  ['jo@example.com', { format: 'email', maxLength: 40 }, 8],
  ['jo@example.com', { format: 'email', maxLength: 14 }, 7],
  ['xxxxx', { maxLength: 9 }, 8],
  ['xxxxx', { maxLength: 5, minLength: 5 }, 8],
  ['2026-03-04', { format: 'date' }, 7],
  [uuid, { format: 'uuid' }, 8],
  [uuid.toUpperCase(), { pattern: '^[0-9A-F-]{36}$' }, 8],
  [7, { type: 'integer', minimum: 5, maximum: 9_995, multipleOf: 5 }, 7],
  ['x', {}, 8]
])('values like %j of %j are other ones each time, and taken', (value, schema, different) => {
  const found = Array.from({ length: 8 }, () => freshValue(value, schema))
  for (const one of found)
    expect(shapeFinding(one, schema, {}, 'exactly'), String(one)).toMatchObject({ holds: true })
  expect(new Set(found).size).toBeGreaterThanOrEqual(different)
  expect(found).not.toContain(value)
})

test('an address keeps its host', () => {
  expect(freshValue('jo@example.com')).toMatch(/^jo[a-z]{6}@example\.com$/)
})

test('where a text can be made longer it is not as long as it can be', () => {
  for (let run = 0; run < 5; run++)
    expect(String(freshValue('R-44444', { pattern: '^R-[0-9]{4,6}$' }))).toHaveLength(7)
})

test.each([
  ['fixed', { pattern: '^fixed$' }],
  [3, { type: 'integer', minimum: 3, maximum: 3 }]
])('of %j there is no other', (value, schema) => {
  expect(freshValue(value, schema)).toBeUndefined()
})

test('what was asked stays on its side of what is taken, and as long', () => {
  const takes = { 'body.ref': { pattern: '^R-[0-9]{4,6}$' } }
  for (const ref of ['R-4444', 'R-444444', 'R-444', 'R-4444x', 'r-44444']) {
    const other = othersOf({ 'body.ref': ref }, ['body.ref'], takes)!['body.ref'] as string
    expect(other).not.toBe(ref)
    expect(other).toHaveLength(ref.length)
    expect(/^R-[0-9]{4,6}$/.test(other)).toBe(/^R-[0-9]{4,6}$/.test(ref))
  }
})
