import { expect, test } from 'vitest'
import { bytes } from '../../../../src/platform/expression/expression.ts'
import { call } from './call.ts'

const document = JSON.stringify({
  company: 'cloud ☁',
  network: { name: 'one', id: 356, ids: [123, 456] },
  list: ['first', { name: 'second' }, -234],
  __proto__: null,
  '': 'empty',
  0: 'zero'
}).replace('"network"', '"__proto__":{"polluted":"own"},"network"')

test.each<[keys: string, value: string | undefined]>([
  ['"company"', bytes('cloud ☁')],
  ['"network", "name"', 'one'],
  ['"list", 0', 'first'],
  ['"list", 1, "name"', 'second'],
  ['"list", 2', undefined],
  ['"list", 9', undefined],
  ['"list", -1', undefined],
  ['"list", "0"', undefined],
  ['"list", "length"', undefined],
  ['"network"', undefined],
  ['"none"', undefined],
  ['"company", "length"', undefined],
  ['"company", 0', undefined],
  ['0', undefined],
  ['"0"', 'zero'],
  ['""', 'empty'],
  ['"constructor", "name"', undefined],
  ['"__proto__", "polluted"', 'own'],
  ['"network", "__proto__", "polluted"', undefined]
])('the string at %s', (keys, value) => {
  expect(call(`lookup_json_string(text, ${keys})`, { text: bytes(document) })).toBe(value)
})

test.each<[text: string, keys: string, value: number | bigint | undefined]>([
  [document, '"network", "id"', 356],
  [document, '"network", "ids", 1', 456],
  [document, '"list", 2', -234],
  [document, '"network", "name"', undefined],
  ['42', '0', undefined],
  ['["other", -234]', '1', -234],
  ['[42.0]', '0', undefined],
  ['[4e1]', '0', undefined],
  ['[9007199254740993]', '0', 9_007_199_254_740_993n],
  ['[9223372036854775807]', '0', 9_223_372_036_854_775_807n],
  ['[9223372036854775808]', '0', undefined],
  ['[-0]', '0', 0],
  ['["5"]', '0', undefined],
  ['[true]', '0', undefined]
])('in %s the whole number at %s', (text, keys, value) => {
  expect(call(`lookup_json_integer(text, ${keys})`, { text })).toBe(value)
})

test.each(['', 'nonsense', '{', '{"a":"b"', '\xff', '"a"', 'null', 'undefined'])(
  'there is nothing in %j',
  (text) => {
    expect(call('lookup_json_string(text, "a")', { text })).toBeUndefined()
    expect(call('lookup_json_integer(text, "a")', { text })).toBeUndefined()
  }
)

test('bytes that are no UTF-8 come back as they are', () => {
  expect(call('lookup_json_string(text, "\\xff")', { text: '{"\xff":"\xfe\xc3\xa9"}' })).toBe(
    '\xfe\xc3\xa9'
  )
})

test('a document nested a million levels deep breaks nothing', () => {
  const text = `{"a":"b","c":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`
  expect(call('lookup_json_string(text, "a")', { text })).toBe('b')
  expect(call('lookup_json_integer(text, "a")', { text })).toBeUndefined()
})
