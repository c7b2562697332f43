import { expect, test } from 'vitest'
import { checkType, members } from '../../../../src/platform/kernel/api/body.ts'

const read = (text: string) => members(Buffer.from(text))

test.each([
  ['{}', {}],
  [' {"a": 1, "b": {"a": [1, {"a": 2}, {"a": 3}]}} ', { a: 1, b: { a: [1, { a: 2 }, { a: 3 }] } }],
  ['{"a":"b","b":"{\\"a\\":1}","c":"a\\\\"}', { a: 'b', b: '{"a":1}', c: 'a\\' }],
  ['{"a":["x","x"],"x":"a:"}', { a: ['x', 'x'], x: 'a:' }],
  ['\u{feff}{"é":"\u{1f600}"}', { é: '\u{1f600}' }]
])('%s is read', (text, expected) => {
  expect(read(text)).toEqual(expected)
})

test.each([
  ['', 'it does not parse'],
  ['{', 'it does not parse'],
  ['{"a":1,}', 'it does not parse'],
  ["{'a':1}", 'it does not parse'],
  ['{"a":NaN}', 'it does not parse'],
  ['null', 'the body must be an object'],
  ['[]', 'the body must be an object'],
  ['"text"', 'the body must be an object'],
  ['7', 'the body must be an object'],
  ['{"a":1,"a":2}', 'a is there twice'],
  ['{"a":1,"\\u0061":2}', 'a is there twice'],
  ['{"b":[{"a":1},{"c":{"a":1,"a":1}}]}', 'a is there twice'],
  ['{"b":{"x":1}, "b" :2}', 'b is there twice'],
  ['{"__proto__":{"admin":true}}', '__proto__ is not a name'],
  ['{"a":[{"\\u005f_proto__":1}]}', '__proto__ is not a name']
])('%s is refused', (text, because) => {
  expect(() => read(text)).toThrow(`Malformed JSON in request body: ${because}`)
})

test('bytes that are not UTF-8 are refused', () => {
  expect(() => members(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toThrow('it is not UTF-8')
})

test('a long string and deep nesting are no trouble', () => {
  const long = `{"a":${JSON.stringify('\\"{'.repeat(200_000))}}`
  expect(read(long)).toHaveProperty('a')
  expect(read(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).toHaveProperty('a')
})

test.each([
  undefined,
  'application/json',
  'Application/JSON; charset=utf-8',
  'application/json ;x'
])('content type %s is JSON', (type) => {
  expect(() => checkType(type)).not.toThrow()
})

test.each(['text/plain', 'application/jsonp', 'application/x-www-form-urlencoded', ''])(
  'content type %j is not',
  (type) => {
    expect(() => checkType(type)).toThrow('Content-Type must be application/json')
  }
)
