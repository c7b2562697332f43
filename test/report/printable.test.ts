import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oneLine, printable } from '../../src/report/printable.ts'
import { anyText } from './hostile.ts'

test.each([
  ['plain text, ümlaut, 👩‍👩‍👧', 'plain text, ümlaut, 👩‍👩‍👧'],
  ['tab\tand\nline', 'tab\tand\nline'],
  ['\0\x1b[31m\x7f', '␀␛[31m␡'],
  ['a\r\nb\rc', 'a\nb␍c'],
  ['half \ud83d pair', 'half \ufffd pair'],
  ['a\u200Fb\u200Ec\u061Cd', 'a\ufffdb\ufffdc\ufffdd'],
  ['\u202Eevil\uFFFE\x9b', '\ufffdevil\ufffd\ufffd']
])('%j is printed as %j', (text, expected) => {
  expect(printable(text)).toBe(expected)
})

test('whatever comes in, what goes out is legal XML text and obeys no terminal', () => {
  const legal = /^[\t\n\x20-\x7E\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u
  fc.assert(
    fc.property(anyText, (text) => {
      expect(printable(text)).toMatch(legal)
      expect(printable(printable(text))).toBe(printable(text))
    }),
    { seed: 3, numRuns: 300 }
  )
})

test.each([
  [' a\n\n b\tc ', 99, 'a b c'],
  ['abcdef', 6, 'abcdef'],
  ['abcdefg', 6, 'abcde…'],
  ['abcd👩g', 6, 'abcd�…']
])('%j in at most %i characters on one line is %j', (text, length, expected) => {
  expect(oneLine(text, length)).toBe(expected)
})
