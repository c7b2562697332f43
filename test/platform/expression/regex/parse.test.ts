import fc from 'fast-check'
import { expect, test } from 'vitest'
import { regexFault } from '../../../../src/platform/expression/regex/regex.ts'
import { anyText } from '../arbitrary-value.ts'
import { seeded } from '../seeded.ts'

test.each<[pattern: string, reason: string, character: number]>([
  ['a)', 'unopened group', 2],
  ['a(b', 'unclosed group', 2],
  ['(?:a', 'unclosed group', 1],
  ['[a', 'unclosed character class', 1],
  ['x[]', 'unclosed character class', 2],
  ['[^]', 'unclosed character class', 1],
  ['[[:alpha:]', 'unclosed character class', 1],
  ['*a', 'nothing to repeat', 1],
  ['a|*', 'nothing to repeat', 3],
  ['(+)', 'nothing to repeat', 2],
  ['(?i)*', 'nothing to repeat', 5],
  ['{1}', 'nothing to repeat', 1],
  ['a{', 'invalid repetition count', 2],
  ['a{x}', 'invalid repetition count', 2],
  ['a{,3}', 'invalid repetition count', 2],
  ['a{1', 'invalid repetition count', 2],
  ['a{2,1}', 'a repetition has to end after it begins', 2],
  ['[b-a]', 'a range has to end after it begins', 2],
  ['[a-\\d]', 'a range has to be from one character to another', 2],
  ['[\\w-.]', 'a range has to be from one character to another', 2],
  ['[\\b]', 'not possible in a character class', 2],
  ['[é]', 'characters beyond ASCII in a class need the flag u', 2],
  ['\\', 'incomplete escape sequence', 1],
  ['a\\q', 'unrecognised escape sequence', 2],
  ['\\é', 'unrecognised escape sequence', 1],
  ['\\0', 'unrecognised escape sequence', 1],
  ['(a)\\1', 'backreferences are not supported', 4],
  ['\\x4', 'invalid hexadecimal escape', 1],
  ['\\x{}', 'invalid hexadecimal escape', 1],
  ['\\u{110000}', 'not a Unicode character', 1],
  ['\\u{d800}', 'not a Unicode character', 1],
  ['\\b{middle}', 'unknown word edge', 1],
  ['\\pL', 'Unicode properties need the flag u', 1],
  ['(?u)\\p{Nonsense}', 'unknown Unicode property', 5],
  ['(?u)\\p{}', 'unknown Unicode property', 5],
  ['(?u)\\p{L}\\p', 'unknown Unicode property', 10],
  ['(?=a)', 'look-around is not supported', 1],
  ['(?!a)', 'look-around is not supported', 1],
  ['(?<=a)', 'look-around is not supported', 1],
  ['(?<!a)', 'look-around is not supported', 1],
  ['(?)', 'missing flags', 1],
  ['(?i', 'unrecognised flags', 1],
  ['(?i-)', 'unrecognised flags', 1],
  ['(?1)', 'unrecognised flags', 1],
  ['(?P=a)', 'unrecognised flags', 1],
  ['(?R)', 'unrecognised flag R', 1],
  ['(?ii)', 'repeated flag', 1],
  ['(?i-i)', 'repeated flag', 1],
  ['a(?u)b', 'the flag u can only be set at the beginning', 2],
  ['(?u:a)', 'the flag u can only be set at the beginning', 1],
  ['(?u)a(?-u)b', 'the flag u can only be set at the beginning', 6],
  ['(?<a>.)(?<a>.)', 'duplicate group name', 8],
  ['é(', 'unclosed group', 2]
])('%j is refused: %s', (pattern, reason, character) => {
  expect(regexFault(pattern)).toBe(`${reason}, at its character ${character}`)
})

test.each([
  'a{2998}',
  'a{999999999}',
  '(?:a{100}){100}',
  '((a{99}){99}){99}',
  '(?:){999999999}',
  '(?:(?:){50000}){50000}',
  'a{0,999999999}',
  '(?:^{9999}){9999}',
  `(?u)${'\\p{L}{1000}'.repeat(5)}`
])('%s is too large', (pattern) => {
  expect(regexFault(pattern)).toMatch(/^too large once its repeats are written out/)
})

test.each(['a{2997}', '.{0,1000}', '\\w{1,255}(?:\\.\\w{1,255})*', '(a|b){400}'])(
  '%s is not',
  (pattern) => {
    expect(regexFault(pattern)).toBeUndefined()
  }
)

test.each([
  ['groups', '('.repeat(251), '('.repeat(250) + ')'.repeat(250)],
  ['classes', '['.repeat(251), `${'['.repeat(250)}a${']'.repeat(250)}`],
  ['repeats', `a${'*'.repeat(252)}`, `a${'*'.repeat(251)}`]
])('%s may be nested 250 levels deep', (_, tooDeep, deepest) => {
  expect(regexFault(tooDeep)).toMatch(/^nested deeper than 250 levels/)
  expect(regexFault(deepest)).toBeUndefined()
})

test('any text is a regular expression or not', () => {
  const tokens = fc.constantFrom(
    ...[
      'a',
      'b',
      '-',
      '(',
      ')',
      '(?',
      '(?:',
      '(?i)',
      '(?u)',
      '(?x)',
      '(?P<n>',
      '[',
      ']',
      '[^',
      '[:'
    ],
    ...[
      ':]',
      '&&',
      '--',
      '~~',
      '{',
      '}',
      '{2,3}',
      '*',
      '+',
      '?',
      '|',
      '^',
      '$',
      '.',
      '\\',
      '\\b',
      '\\d'
    ],
    ...['\\pL', '\\p{', '\\x', '\\u{', '#', ' ', '\n', 'é', '😢', '1', ',']
  )
  const rows = fc.array(tokens, { maxLength: 14 }).map((parts) => parts.join(''))
  seeded(
    fc.property(fc.oneof(anyText, rows), (pattern) => {
      expect(['undefined', 'string']).toContain(typeof regexFault(pattern))
    }),
    3_000
  )
})
