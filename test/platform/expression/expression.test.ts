import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  compile,
  message,
  type ParseOptions,
  parseExpression
} from '../../../src/platform/expression/expression.ts'
import { anyExpression } from './arbitrary-expression.ts'
import { anyFacts, anyText, scheme } from './arbitrary-value.ts'
import { print } from './print.ts'
import { seeded } from './seeded.ts'

function refusal(source: string, options: ParseOptions = { scheme }) {
  const parsed = parseExpression(source, options)
  return parsed.ok ? undefined : parsed.failure
}

test('4,096 characters are accepted and one more is not', () => {
  const longest = `text eq "${'é'.repeat(4_096 - 10)}"`
  expect(refusal(longest)).toBeUndefined()
  expect(refusal(`${longest} `)).toMatchObject({
    line: 1,
    column: 4_097,
    length: 1,
    reason: 'longer than 4096 characters'
  })
})

test('the limit counts characters and can be set', () => {
  expect(refusal('text eq "😢"', { scheme, characterLimit: 11 })).toBeUndefined()
  expect(refusal('text eq "😢"', { scheme, characterLimit: 10 })?.column).toBe(11)
  expect(refusal('flag\nand\nflag', { scheme, characterLimit: 6 })).toMatchObject({
    line: 2,
    column: 2
  })
})

test('a megabyte is refused without being repeated', () => {
  const failure = refusal(`text eq "${'a'.repeat(1_000_000)}"`)!
  expect(failure.reason).toBe('longer than 4096 characters')
  expect(message(failure).length).toBeLessThan(3 * 4_096)
})

const openings: [name: string, open: string, inner: string, close: string][] = [
  ['brackets', '(', 'flag', ')'],
  ['negations', 'not ', 'flag', ''],
  ['signs of negation', '!', 'flag', ''],
  ['calls', 'lower(', 'text', ')'],
  ['quantifiers and brackets', 'any((', 'flags', '))']
]

test.each(openings.slice(0, 3))(
  '128 nested %s are accepted and one more is not',
  (_, open, inner, close) => {
    const nested = (levels: number) => open.repeat(levels) + inner + close.repeat(levels)
    expect(refusal(nested(128))).toBeUndefined()
    const failure = refusal(nested(129))
    expect(failure?.reason).toBe('nested deeper than 128 levels')
    expect(failure?.column).toBe(128 * open.length + 1)
  }
)

test('so are calls', () => {
  const nested = (levels: number) => `${'lower('.repeat(levels)}text${')'.repeat(levels)} eq "a"`
  expect(refusal(nested(128))).toBeUndefined()
  expect(refusal(nested(129))).toMatchObject({
    column: 129 * 6,
    reason: 'nested deeper than 128 levels'
  })
})

test('levels that have been closed do not count', () => {
  const group = `${'('.repeat(100)}flag${')'.repeat(100)}`
  expect(refusal(`${group} and not ${group} or len(lower(text)) eq 1 and ${group}`)).toBeUndefined()
})

test.each(openings)('%s without end are refused and nothing breaks', (_, open) => {
  expect(refusal(open.repeat(4_096 / open.length))).toBeDefined()
  expect(refusal(open.repeat(200_000), { scheme, characterLimit: 10_000_000 })).toMatchObject({
    reason: expect.stringMatching(/nested deeper than 128 levels|expected/)
  })
})

test('the deepest expression can be printed and run', () => {
  const source = `${'('.repeat(64)}${'not '.repeat(64)}flag${')'.repeat(64)}`
  const parsed = parseExpression(source, { scheme })
  expect(parsed.ok && print(parsed.expression)).toBe(source)
  expect(parsed.ok && compile(parsed.expression)({ flag: true })).toBe(true)
})

test('thousands of operands are no nesting', () => {
  const source = Array(10_000).fill('flag').join(' xor ')
  const parsed = parseExpression(source, { scheme, characterLimit: 100_000 })
  expect(parsed.ok && compile(parsed.expression)({ flag: true })).toBe(false)
})

/** Accepted or refused, never thrown; and what is accepted can be printed, read again and run. */
function survives(source: string, facts: Parameters<ReturnType<typeof compile>>[0]): void {
  const options = { scheme, characterLimit: 100_000 }
  const parsed = parseExpression(source, options)
  if (!parsed.ok) {
    const { line, column, length, text } = parsed.failure
    expect(text).toBe(source.split('\n')[line - 1])
    expect(column - 1 + length).toBeLessThanOrEqual([...text].length)
    expect(message(parsed.failure)).toContain(`(${line}:${column}):\n${text}\n`)
    return
  }
  expect(parseExpression(print(parsed.expression), options)).toEqual(parsed)
  expect(typeof compile(parsed.expression)(facts)).toBe('boolean')
}

test('any text is accepted or refused', () => {
  seeded(fc.property(anyText, anyFacts, survives), 500)
})

test('any row of the words of the language is accepted or refused', () => {
  const words = fc.constantFrom(
    ...['flag', 'text', 'count', 'address', 'flags', 'texts', 'headers', 'len', 'lower', 'concat'],
    ...[
      '(',
      ')',
      '[',
      ']',
      '[*]',
      '{',
      '}',
      ',',
      '"',
      '"a"',
      'r#"',
      '"#',
      '\\',
      '..',
      '/',
      '$a',
      '&'
    ],
    ...[
      'and',
      'or',
      'xor',
      'not',
      '!',
      '&&',
      'any(',
      'all(',
      'eq',
      'in',
      'contains',
      'matches',
      '~'
    ],
    ...[
      'wildcard',
      'strict wildcard',
      '0',
      '1',
      '-5',
      '0x',
      '1.2.3.4',
      '::1',
      'ab:cd',
      'true',
      ' ',
      '\n'
    ]
  )
  const row = fc
    .array(fc.tuple(words, fc.constantFrom('', ' ')), { maxLength: 12 })
    .map((parts) => parts.flat().join(''))
  seeded(fc.property(row, anyFacts, survives), 1_000)
})

test('an expression that was spoilt somewhere is accepted or refused', () => {
  const spoil = fc.record({
    source: anyExpression.map(print),
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(6),
    by: fc.oneof(anyText, fc.constantFrom('', '"', '(', ')', '[*]', '{', '\\', '#', 'r', '0'))
  })
  const spoilt = spoil.map(({ source, from, length, by }) => {
    const start = Math.floor(from * source.length)
    return source.slice(0, start) + by + source.slice(start + length)
  })
  seeded(fc.property(spoilt, anyFacts, survives), 1_000)
})
