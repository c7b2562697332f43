import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bytes,
  compile,
  type Facts,
  type Lists,
  parseAddress,
  parseExpression,
  type RequestFacts,
  type Scheme
} from '../../../src/platform/expression/expression.ts'
import { anyExpression } from './arbitrary-expression.ts'
import { anyFacts, anyText, scheme } from './arbitrary-value.ts'
import { seeded } from './seeded.ts'

const facts: Facts = {
  flag: true,
  text: 'The Bytes',
  count: 80,
  address: parseAddress('10.1.2.3')!,
  flags: [true, false, true],
  texts: ['one', 'two', 'three'],
  counts: [1, 20, 300],
  addresses: [parseAddress('::1')!, parseAddress('192.0.2.7')!],
  parts: [['a', 'b'], [], ['c']],
  scores: new Map([
    ['low', 5],
    ['high', 95]
  ]),
  headers: new Map([
    ['accept', ['text/html', 'text/plain']],
    ['empty', []],
    ['__proto__', ['own']]
  ])
}

function run(
  source: string,
  given: Facts = facts,
  options: { fields?: Scheme; lists?: Lists } = {}
) {
  const parsed = parseExpression(source, { scheme: options.fields ?? scheme })
  if (!parsed.ok) throw new Error(`${source}: ${parsed.failure.reason}`)
  return compile(parsed.expression, options.lists && { lists: options.lists })(given)
}

test.each<[source: string, expected: boolean]>([
  // Booleans and how they are joined.
  ['true', true],
  ['false', false],
  ['flag', true],
  ['not flag', false],
  ['not not flag', true],
  ['flags[1]', false],
  ['flag and flags[1]', false],
  ['flag or flags[1]', true],
  ['flag xor flags[1]', true],
  ['flag xor flag', false],
  ['flag xor flag xor flag', true],
  ['false and false or true', true],
  ['false and (false or true)', false],
  ['true xor true and false', true],
  ['true or true xor true', true],

  // Strings are compared byte by byte.
  ['text eq "The Bytes"', true],
  ['text eq "the bytes"', false],
  ['text ne "the bytes"', true],
  ['text lt "Thf"', true],
  ['text lt "The"', false],
  ['text le "The Bytes"', true],
  ['text ge "The Bytes"', true],
  ['text gt "The Bytes"', false],
  ['text gt "The Byte"', true],
  ['text lt "\\xff"', true],
  ['text in {"a" "The Bytes"}', true],
  ['text in {"a" "b"}', false],
  ['text in {}', false],
  ['text contains "By"', true],
  ['text contains "by"', false],
  ['text contains ""', true],
  ['text contains 54:68', true],
  ['text matches "^T.*s$"', true],
  ['text matches "^t"', false],
  ['text matches "(?i)^t"', true],
  ['text wildcard "the *"', true],
  ['text strict wildcard "the *"', false],
  ['text strict wildcard "The *"', true],
  ['text wildcard "the"', false],

  // Numbers.
  ['count eq 80', true],
  ['count ne 80', false],
  ['count lt 81', true],
  ['count le 80', true],
  ['count gt 79', true],
  ['count ge 81', false],
  ['count eq 0x50', true],
  ['count eq 0120', true],
  ['count in {1..79 81..100}', false],
  ['count in {1 70..90}', true],
  ['count in {-9223372036854775808..9223372036854775807}', true],
  ['count & 16', true],
  ['count & 15', false],
  ['count bitwise_and -1', true],

  // Addresses. Those of two families are not equal, and neither comes before the other.
  ['address eq 10.1.2.3', true],
  ['address ne 10.1.2.3', false],
  ['address lt 10.1.2.4', true],
  ['address ge 10.1.2.4', false],
  ['address in {10.0.0.0/8}', true],
  ['address in {10.1.2.0..10.1.2.2 10.1.2.4..10.1.2.9}', false],
  ['address in {::/0}', false],
  ['address in {::/0 0.0.0.0/0}', true],
  ['address in {}', false],
  ['address ne ::1', true],
  ['address eq ::ffff:10.1.2.3', false],
  ['address lt ::1', false],
  ['address ge ::1', false],
  ['addresses[0] in {::/127}', true],

  // Elements.
  ['texts[0] eq "one"', true],
  ['texts[2] eq "three"', true],
  ['scores["high"] gt 90', true],
  ['headers["accept"][1] eq "text/plain"', true],
  ['any(texts[*] eq "two")', true],
  ['all(texts[*] eq "two")', false],
  ['all(texts[*] contains "o")', false],
  ['any(not texts[*] contains "o")', true],
  ['all((texts[*] contains "o" or texts[*] contains "e"))', true],
  ['any((texts[*] contains "o" and texts[*] contains "w"))', true],
  ['any((texts[*] contains "n" xor texts[*] contains "o"))', true],
  ['any(flags)', true],
  ['all(flags)', false],
  ['any(flags[*])', true],
  ['all(not flags)', false],
  ['any((flags and texts[*] eq "two"))', false],
  ['any((flags xor flags))', false],
  ['all((flags xor not flags))', true],
  ['all((flags or not flags))', true],
  ['any((flags and not flags))', false],
  ['any(counts[*] in {300..400})', true],
  ['any(addresses[*] in {192.0.2.0/24})', true],
  ['any(scores[*] lt 10)', true],
  ['any(parts[*][*] eq "c")', true],
  ['any(parts[*][0] eq "b")', false],
  ['any(parts[0][*] eq "b")', true],
  ['any(headers[*][0] eq "text/html")', true],
  ['any(headers["accept"][*] matches "plain$")', true],
  ['any(upper(texts[*])[*] eq "TWO")', true],
  ['all(len(texts[*])[*] in {3 5})', true],
  ['len(texts[*])[2] eq 5', true],
  ['any(ends_with(texts[*], "e"))', true],
  ['all(ends_with(texts[*], "e"))', false],

  // What is not there answers no question, and is not told from what is by its name.
  ['texts[3] eq "x"', false],
  ['texts[3] ne "x"', false],
  ['texts[3] in {"x"}', false],
  ['texts[3] contains ""', false],
  ['not texts[3] ne "x"', true],
  ['flags[7]', false],
  ['not flags[7]', true],
  ['scores["middle"] lt 10', false],
  ['headers["missing"][0] ne "x"', false],
  ['any(headers["missing"][*] ne "x")', false],
  ['all(headers["missing"][*] eq "x")', true],
  ['all(headers["empty"][*] eq "x")', true],
  ['any(headers["empty"][*] eq "x")', false],
  ['len(headers["missing"]) ge 0', false],
  ['len(headers["empty"]) eq 0', true],
  ['not len(headers["missing"]) ge 0', true],
  ['lower(texts[3]) eq ""', false],
  ['headers["constructor"][0] eq "x"', false],
  ['len(headers["toString"]) ge 0', false],
  ['headers["__proto__"][0] eq "own"', true],
  ['scores["__proto__"] ge 0', false]
])('%s is %s', (source, expected) => {
  expect(run(source)).toBe(expected)
})

test.each([
  'flag',
  'text ne "x"',
  'count ne 1',
  'address ne ::1',
  'any(texts[*] ne "x")',
  'any(flags)',
  'all(flags)',
  'any(scores[*] ne 1)',
  'any(headers[*][0] ne "x")',
  'text in $anything',
  'len(text) ge 0',
  'len(texts[*])[0] ge 0'
])('%s is false of facts that are not known', (source) => {
  expect(run(source, {})).toBe(false)
})

test('operands have as many answers as the shortest of them', () => {
  expect(run('any((flags or counts[*] eq 300))', { flags: [false], counts: [1, 300] })).toBe(false)
  expect(run('any((counts[*] eq 300 or flags))', { flags: [false, false], counts: [1, 300] })).toBe(
    true
  )
  expect(run('all((flags and texts[*] eq "x"))', { flags: [false], texts: [] })).toBe(true)
})

test('what has been decided is not asked any further', () => {
  const asked: string[] = []
  const traced: Facts = {
    get flag() {
      asked.push('flag')
      return true
    },
    get text() {
      asked.push('text')
      return 'x'
    }
  }
  expect(run('flag or text eq "x"', traced)).toBe(true)
  expect(run('not flag and text eq "x"', traced)).toBe(false)
  expect(asked).toEqual(['flag', 'flag'])
})

test.each<[source: string, value: number | bigint, expected: boolean]>([
  ['count eq 9007199254740993', 2n ** 53n + 1n, true],
  ['count eq 9007199254740993', 2n ** 53n, false],
  ['count eq 9007199254740992', 2n ** 53n, true],
  ['count gt 9223372036854775806', 2n ** 63n - 1n, true],
  ['count lt 9007199254740993', 5, true],
  ['count eq 5', 5n, true],
  ['count ne 5', 5n, false],
  ['count in {9007199254740993..9007199254740995}', 2n ** 53n + 3n, true],
  ['count in {1 9007199254740993}', 1, true],
  ['count & 0x4000000000000000', 2n ** 62n, true],
  ['count & 0x4000000000000000', 1, false],
  ['count & 0x80000000', 0x80000000, true],
  ['count & 1', -1, true]
])('all 64 bits count: %s of %s is %s', (source, count, expected) => {
  expect(run(source, { count })).toBe(expected)
})

test('lists are asked by name for what a value is', () => {
  const asked: unknown[] = []
  const lists: Lists = (name, value) => {
    asked.push([name, value])
    return name === 'office'
  }
  expect(run('address in $office', facts, { lists })).toBe(true)
  expect(run('any(texts[*] in $cf.words)', facts, { lists })).toBe(false)
  expect(asked).toEqual([
    ['office', facts.address],
    ['cf.words', 'one'],
    ['cf.words', 'two'],
    ['cf.words', 'three']
  ])
  expect(run('address in $office')).toBe(false)
})

test('text compares as the bytes of its UTF-8', () => {
  expect(run('text eq "naïve ☁"', { text: bytes('naïve ☁') })).toBe(true)
  expect(run('text eq "na\\xc3\\xafve \\xe2\\x98\\x81"', { text: bytes('naïve ☁') })).toBe(true)
  expect(run('len(text) eq 3', { text: bytes('☁') })).toBe(true)
  expect(run('headers["ключ"][0] eq "x"', { headers: new Map([[bytes('ключ'), ['x']]]) })).toBe(
    true
  )
  seeded(
    fc.property(anyText, anyText, (one, other) => {
      const expected = Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0
      const source = `text lt "${other.replace(/["\\]/g, '\\$&')}"`
      expect(run(source, { text: bytes(one) })).toBe(expected)
    })
  )
})

test('whatever the expression and the facts, there is an answer', () => {
  seeded(
    fc.property(anyExpression, anyFacts, (expression, given) => {
      expect(typeof compile(expression, { lists: (name) => name === 'office' })(given)).toBe(
        'boolean'
      )
    }),
    1_000
  )
})

test('an expression and its negation never agree', () => {
  seeded(
    fc.property(anyExpression, anyFacts, (inner, given) => {
      const negation = compile({ kind: 'not', inner: { kind: 'group', inner } })
      expect(negation(given)).toBe(!compile(inner)(given))
    }),
    500
  )
})

test('facts about requests are typed by the fields of requests', () => {
  const request: RequestFacts = {
    'http.host': 'www.example.com',
    'http.request.uri.path': '/admin/login',
    'http.request.headers': new Map([['user-agent', ['curl/8']]]),
    'ip.src': parseAddress('203.0.113.9')!,
    'ip.src.country': 'GB',
    'cf.threat_score': 12,
    ssl: true
  }
  const source = `
    (http.host eq "www.example.com" and http.request.uri.path wildcard "/ADMIN/*") and
    not ip.src in {198.51.100.0/24} and (ip.src.country in {"GB" "FR"} or cf.threat_score gt 20) and
    any(lower(http.request.headers["user-agent"][*])[*] contains "curl") and ssl`
  const parsed = parseExpression(source)
  expect(parsed.ok && compile(parsed.expression)(request)).toBe(true)
  expect(parsed.ok && compile(parsed.expression)({ ...request, ssl: false })).toBe(false)
})
