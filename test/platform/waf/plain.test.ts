import { expect, test } from 'vitest'
import { plain } from '../../../src/platform/waf/plain.ts'

test.each([
  ['A plain Value', 'a plain value'],
  ['%253Cb%253E', '<b>'],
  ['%u003cb', '<b'],
  ['&lt;b&#62;&#x3c;', '<b><'],
  ['\xef\xbc\x9cb', '<b'],
  ['..\xc0\xaf', '../'],
  ['..\xe0\x80\xaf', '../'],
  ['\xc3\xa9t\xc3\xa9', 'ete'],
  ['\xe6\x9d\x8e', '.'],
  ['\xe2\x80\x99', "'"],
  ['a \t\r\n\0b', 'a b'],
  ['a/**/b', 'a b\nab'],
  ['/*!50000a*/ b', 'a b\nb'],
  ['/*!a/**/b*/', 'a b*/\nb*/'],
  ['/*a/*b', '/*a/*b'],
  ['a/*b*/c/*d', 'a c/*d\nac/*d'],
  ['cat${IFS}a', 'cat a\ncat${ifs}a'],
  ['c\'a"t', 'c\'a"t\ncat'],
  ['&#x110000;%zz%', '%zz%'],
  ["O'Brien", "o'brien\nobrien"]
])('%j is %j', (value, expected) => {
  expect(plain(value)).toBe(expected)
})

// Eight times as much as is ever looked at: what looks through the whole of it from every place
// where something begins would take a quarter of an hour, and not a second.
test('a long value is read through once', () => {
  const bytes = 1_048_576
  for (const piece of [
    '/*',
    '/*a',
    '/*!1',
    '\xef\xb7\xba',
    '%25',
    '&#',
    "a'",
    '\xc0',
    '<',
    '/*!',
    '${ifs'
  ])
    expect(plain(piece.repeat(bytes / piece.length)).length).toBeGreaterThan(0)
}, 120_000)
