import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFilter } from '../../../src/platform/logpush/filter.ts'

const limits = { filterBytes: 1_000, filterOperators: 30 }
const parse = (filter: unknown) =>
  parseFilter(typeof filter === 'string' ? filter : JSON.stringify(filter), 'http_requests', limits)
const where = (filter: object) => ({ where: filter })
const eq = { key: 'ClientIP', operator: 'eq', value: 'a' }
const leaf = { key: 'ClientIP', operator: 'eq', values: ['a'] }

test.each([
  ['one condition', eq, leaf],
  ['and', { and: [eq, eq] }, { word: 'and', below: [leaf, leaf] }],
  ['or', { or: [eq] }, { word: 'or', below: [leaf] }],
  [
    'nested',
    { or: [{ and: [eq, eq] }, eq] },
    { word: 'or', below: [{ word: 'and', below: [leaf, leaf] }, leaf] }
  ],
  [
    'several values',
    { key: 'EdgeResponseStatus', operator: '!in', value: [200, '404'] },
    { key: 'EdgeResponseStatus', operator: '!in', values: ['200', '404'] }
  ]
])('%s is read', (_name, filter, expected) => {
  expect(parse(where(filter))).toEqual(expected)
})

const status = { key: 'EdgeResponseStatus', operator: 'lt', value: '300' }
test.each([
  ['no JSON', 'ClientIP eq a', 'filter: it is not JSON'],
  ['nothing', '', 'filter: it is not JSON'],
  ['no object', '[]', 'filter: it must be an object with the key where'],
  ['no where', { and: [eq] }, 'filter: it must be an object with the key where'],
  ['more than where', { where: eq, sort: 1 }, 'filter: the filter has no place for sort'],
  ['an empty where', where({}), 'filter: where.key must be a string'],
  ['an empty and', where({ and: [] }), 'where.and must be an array with something in it'],
  ['an and that is no array', where({ and: eq }), 'where.and must be an array'],
  ['and beside or', where({ and: [eq], or: [eq] }), 'filter: where has no place for or'],
  ['text as a part', where({ and: [eq, 'x'] }), 'filter: where.and.1 must be an object'],
  ['no value', where({ key: 'ClientIP', operator: 'eq' }), 'where.value must be a string'],
  ['no operator', where({ key: 'ClientIP', value: 'a' }), 'where.operator must be a string'],
  ['four members', where({ ...eq, not: true }), 'filter: where has no place for not'],
  ['an unknown field', where({ ...eq, key: 'ClientIp' }), 'the nearest are ClientIP,'],
  ['a name every object has', where({ ...eq, key: 'constructor' }), 'has no field constructor'],
  ['a moment', where({ ...eq, key: 'EdgeStartTimestamp' }), 'no filter can ask about'],
  ['an unknown operator', where({ ...eq, operator: 'like' }), 'where.operator must be one of eq'],
  ['an order of text', where({ ...eq, operator: 'lt' }), 'must be one of eq, contains'],
  ['a turned order', where({ ...status, operator: '!lt' }), 'where.operator must be one of'],
  ['a number as it is', where({ ...status, value: 300 }), 'must be an integer, as a string'],
  ['text for a number', where({ ...status, value: 'OK' }), 'must be an integer, as a string'],
  ['one value for in', where({ ...eq, operator: 'in' }), 'where.value must be an array of'],
  ['no values for in', where({ ...eq, operator: 'in', value: [] }), 'must be an array of a string']
])('%s is refused', (_name, filter, because) => {
  expect(() => parse(filter)).toThrow(because)
})

/** A filter of so many bytes; letters of more than one byte are counted as such. */
const ofBytes = (bytes: number, letter: string) => {
  const filter = (value: string) => JSON.stringify(where({ ...eq, value }))
  const left = bytes - Buffer.byteLength(filter(''))
  const letters = letter.repeat(Math.floor(left / Buffer.byteLength(letter)))
  return filter(letters + 'a'.repeat(left % Buffer.byteLength(letter)))
}

test.each(['a', 'é', '€', '😀'])('a filter of %s has up to 1,000 bytes', (letter) => {
  expect(Buffer.byteLength(ofBytes(1_000, letter))).toBe(1_000)
  expect(parse(ofBytes(1_000, letter))).toMatchObject({ key: 'ClientIP' })
  expect(() => parse(ofBytes(1_001, letter))).toThrow('it has 1001 bytes, and may have 1000')
})

test('comparisons and words both count as operators, up to 30', () => {
  const nested = fc.integer({ min: 1, max: 60 }).chain((operators) =>
    fc.integer({ min: 0, max: 3 }).map((wide) => {
      const beside = Math.min(wide, Math.max(0, operators - 2))
      let filter: object = eq
      for (let count = 1 + beside; count < operators; count++)
        filter = { and: count === 1 + beside ? [filter, ...Array(beside).fill(eq)] : [filter] }
      return { operators, filter }
    })
  )
  fc.assert(
    fc.property(nested, ({ operators, filter }) => {
      const read = () => parse(where(filter))
      if (operators <= 30) read()
      else expect(read).toThrow(`it has ${operators} operators, and may have 30`)
    })
  )
})
