import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytes } from '../../../src/platform/expression/bytes.ts'
import { regex, regexFault } from '../../../src/platform/expression/regex.ts'
import { seeded } from './seeded.ts'

test.each<[pattern: string, matching: string[], others: string[]]>([
  ['', ['', 'a'], []],
  ['abc', ['abc', 'xabcx'], ['', 'ab', 'abxc']],
  ['a.c', ['abc', 'a\xffc', 'a\rc'], ['a\nc', 'ac']],
  ['(?s)a.c', ['a\nc'], ['ac']],
  ['a|bc|', ['a', ''], []],
  ['^(?:a|bc)$', ['a', 'bc'], ['', 'abc', 'a\n']],
  ['^a*$', ['', 'aaa'], ['b', 'aab']],
  ['^a+$', ['a', 'aa'], ['']],
  ['^a?b$', ['b', 'ab'], ['aab']],
  ['^a{2}$', ['aa'], ['a', 'aaa']],
  ['^a{2,}$', ['aa', 'aaaa'], ['a']],
  ['^a{2,4}$', ['aa', 'aaaa'], ['a', 'aaaaa']],
  ['^a{0}b$', ['b'], ['ab']],
  ['^(?:a*)*$', ['', 'aaa'], ['b']],
  ['^(?:a|b|)+c$', ['c', 'abbac'], ['abd']],

  // Places.
  ['^b', ['b'], ['ab', 'a\nb']],
  ['(?m)^b', ['b', 'a\nb'], ['ab', 'a\rb']],
  ['b$', ['ab'], ['b\n', 'ba']],
  ['(?m)b$', ['b\na'], ['ba']],
  ['\\Ab\\z', ['b'], ['b\n', '\nb']],
  ['(?m)\\Ab\\z', ['b'], ['a\nb', 'b\na']],
  ['\\bfoo\\b', ['foo', 'a foo.', '-foo-'], ['xfoo', 'foo_', 'foo1']],
  ['\\Bo\\B', ['foo1', 'foo'], ['fo', 'o']],
  ['^*a', ['a', 'ba'], ['b']],
  ['(?:^|,)a', ['a', 'b,a'], ['ba']],
  ['x^', [], ['x', '', 'xx']],
  ['(?m)a$\nb', ['a\nb'], ['ab']],

  // Sets of bytes.
  ['^[a-c]+$', ['abc'], ['abd', '']],
  ['^[^a-c]$', ['d', '\n', '\xff'], ['a']],
  ['^[]a]+$', [']a'], ['[']],
  ['^[^]a]$', ['b'], [']', 'a']],
  ['^[a-]+$', ['a-'], ['b']],
  ['^[-a]+$', ['a-'], ['b']],
  ['^[--a]+$', ['-a'], ['b']],
  ['^[\\^\\]\\\\-]+$', ['^]\\-'], ['a']],
  ['^[\\d_]+$', ['1_2'], ['a']],
  ['^[^\\W\\d]+$', ['a_b'], ['a1', 'a-']],
  ['^[[:alpha:]]+$', ['aB'], ['a1']],
  ['^[[:^alpha:]]+$', ['1-'], ['a']],
  ['^[\\x80-\\xff]+$', ['\x80\xff'], ['\x7f']],
  ['^[^x]{2}$', [bytes('é')], [bytes('éé')]],
  ['^\\d\\D\\s\\S\\w\\W$', ['1a\tb_-'], ['aa\tb_-']],
  ['^\\s+$', [' \t\n\v\f\r'], ['\xa0', '\x85']],
  ['^\\w$', ['a'], ['\xe9', 'é']],

  // Characters by other names.
  ['^\\a\\f\\t\\n\\r\\v$', ['\x07\f\t\n\r\v'], []],
  ['^\\x41\\x{42}\\u0043\\u{44}\\U00000045$', ['ABCDE'], []],
  ['^\\xff$', ['\xff'], [bytes('ÿ')]],
  ['^\\x{ff}$', [bytes('ÿ')], ['\xff']],
  ['^\\.\\*\\-\\ \\#\\/\\&\\~$', ['.*- #/&~'], []],
  ['^é+$', [bytes('é'), bytes('éé')], ['\xc3', bytes('é\u0301')]],
  ['^é{2}☁$', [bytes('éé☁')], [bytes('é☁')]],
  ['^a}b]$', ['a}b]'], []],

  // Flags.
  ['(?i)^aB\\x43[d-f]$', ['AbCe', 'abcE'], ['abcg']],
  ['(?i)^[^a]$', ['b'], ['a', 'A']],
  ['(?i)^\\x{e9}$', [bytes('é')], [bytes('É')]],
  ['a(?i)b|c', ['aB', 'C'], ['AB', 'x']],
  ['^(?i:a)b$', ['Ab'], ['aB']],
  ['^(?i)a(?-i)b$', ['Ab'], ['aB']],
  ['^((?i)a)b$', ['Ab'], ['aB']],
  ['(?-u)^.$', ['\xff'], []],

  // Characters, when they are what is to be matched.
  ['(?u)^.$', [bytes('é'), bytes('😢'), '\xff'], [bytes('éé'), '\n']],
  ['(?u)^[^a]$', [bytes('é'), '\xff'], ['a']],
  ['(?su)^.{2}$', [bytes('é\n'), '\xffa'], ['a']],
  ['(?u)\\p{Hangul}+', [bytes('x한글')], [bytes('漢')]],
  ['(?u)^\\p{Greek}\\pL\\PL$', [bytes('αβ1')], [bytes('aβ1')]],
  ['(?u)^\\p{^Greek}$', [bytes('a')], [bytes('α')]],
  ['(?u)^\\w\\d\\s$', ['e1 '], [bytes('é٣\u2003')]],
  ['(?u)é\\b', [bytes('éa')], [bytes('a é!')]],
  ['(?iu)^éſ[Α-Ω]$', [bytes('ÉSα'), bytes('ésς')], [bytes('Ést')]],
  ['(?iu)^k$', ['k', 'K', bytes('\u212a')], [bytes('κ')]],
  ['(?iu)^i$', ['I'], [bytes('ı'), bytes('İ')]],
  ['(?iu)^\\P{Lu}$', ['1'], ['a', 'A']],
  ['(?u)^[\\x{80}-\\x{10ffff}]+$', [bytes('é😢'), '\x80'], ['a']]
])('%j', (pattern, matching, others) => {
  const { matches } = regex(pattern)
  expect(matching.filter((value) => !matches(value))).toEqual([])
  expect(others.filter((value) => matches(value))).toEqual([])
})

test.each<[pattern: string, value: string, groups: (string | undefined)[], before?: string]>([
  ['b+', 'abbbc', ['bbb'], 'a'],
  ['b+?', 'abbbc', ['b'], 'a'],
  ['(?U)b+', 'abbbc', ['b'], 'a'],
  ['(?U)b+?', 'abbbc', ['bbb'], 'a'],
  ['a|ab', 'ab', ['a']],
  ['ab|a', 'ab', ['ab']],
  ['(a)(b)?', 'ac', ['a', 'a', undefined]],
  ['(?:(a)|(b))+', 'ab', ['ab', 'a', 'b']],
  ['(?P<x>a)(?<y>b)', 'ab', ['ab', 'a', 'b']],
  ['^(.*)/([^/]*)$', '/a/b/c', ['/a/b/c', '/a/b', 'c']],
  ['^(.*?)/(.*)$', '/a/b/c', ['/a/b/c', '', 'a/b/c']],
  ['a{2,3}', 'aaaaa', ['aaa']],
  ['a{2,3}?', 'aaaaa', ['aa']],
  ['', 'abc', ['']],
  ['x*', 'abc', ['']],
  ['$', 'abc', [''], 'abc'],
  ['(|a)+', 'aaa', ['', '']],
  ['\\bb', 'ab b', ['b'], 'ab '],
  ['(?u)(.)☁', bytes('é😢☁'), [bytes('😢☁'), bytes('😢')], bytes('é')],
  ['(?u)b', '\xff\xfeb', ['b'], '\xff\xfe']
])('%j takes of %j %j', (pattern, value, groups, before = '') => {
  const match = regex(pattern).exec(value)!
  expect(match.groups).toEqual(groups)
  expect(match.before).toBe(before)
  expect(match.before + match.groups[0] + match.after).toBe(value)
})

test('where nothing matches, nothing is taken', () => {
  expect(regex('x').exec('abc')).toBeUndefined()
})

test.each<[pattern: string, because: string]>([
  ['a(b', 'missing closing ): `a(b`'],
  ['a{1,99999}', 'invalid repeat count: `{1,99999}`'],
  ['(?:a{1000}){1000}', 'invalid repeat count: `{1000}`'],
  ['a{1000}b{1000}c{1000}d{1000}', 'too large once its repeats are written out'],
  ['a'.repeat(20_000), 'longer than 16384 characters'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['(?x)a b', 'invalid or unsupported Perl syntax: `(?x`'],
  ['a(?u)b', 'invalid or unsupported Perl syntax: `(?u`'],
  ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ['a(?=b)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['\\<foo', 'edges of words are \\b and \\B'],
  ['\\b{start}foo', 'edges of words are \\b and \\B'],
  ['[a-z&&b]', 'a class cannot be made of classes'],
  ['[a-e--b]', 'a class cannot be made of classes'],
  ['[a-e~~b]', 'a class cannot be made of classes'],
  ['[a[bc]]', 'a class cannot be made of classes'],
  ['\\pL', 'Unicode properties need the flag u'],
  ['[é]', 'é is more than one byte, and needs the flag u in a class']
])('%j is refused', (pattern, because) => {
  expect(regexFault(pattern)).toBe(because)
})

test('what is no fault is none', () => {
  expect(regexFault('(?u)[é]|\\pL{2}')).toBeUndefined()
})

type Piece = { source: string; isNullable: boolean }

/** Patterns in what Rust's syntax and JavaScript's have in common, and mean in the same way. */
const common: fc.Arbitrary<Piece> = fc.letrec<{ piece: Piece }>((tie) => {
  const symbol = fc
    .constantFrom(
      'a',
      'b',
      'c',
      '1',
      '_',
      ' ',
      '.',
      '[ab]',
      '[^a]',
      '[a-c1]',
      '\\d',
      '\\w',
      '\\W',
      '\\s',
      '\\S'
    )
    .map((source): Piece => ({ source, isNullable: false }))
  const look = fc
    .constantFrom('^', '$', '\\b', '\\B')
    .map((source): Piece => ({ source, isNullable: true }))
  const group = fc
    .tuple(fc.constantFrom('(', '(?:'), tie('piece'))
    .map(([open, { source, isNullable }]) => ({ source: `${open}${source})`, isNullable }))
  // What an empty turn of a repeat does differs between engines, so nothing empty is repeated.
  const repeat = fc
    .tuple(
      fc.oneof(
        symbol,
        group.filter(({ isNullable }) => !isNullable)
      ),
      fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,3}', '{2,}'),
      fc.constantFrom('', '?')
    )
    .map(([{ source }, count, greed]) => ({
      source: source + count + greed,
      isNullable: /^(?:\*|\?|\{0)/.test(count)
    }))
  const sequence = fc
    .array(fc.oneof(symbol, repeat, look, group), { maxLength: 4 })
    .map((pieces) => ({
      source: pieces.map(({ source }) => source).join(''),
      isNullable: pieces.every(({ isNullable }) => isNullable)
    }))
  const choice = fc.array(sequence, { minLength: 1, maxLength: 3 }).map((pieces) => ({
    source: pieces.map(({ source }) => source).join('|'),
    isNullable: pieces.some(({ isNullable }) => isNullable)
  }))
  return { piece: fc.oneof({ maxDepth: 3 }, sequence, choice) }
}).piece

const subject = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '1', '_', ' ', '-', '\n'),
  maxLength: 10
})

test.each([
  ['', ''],
  ['(?m)', 'm'],
  ['(?s)', 's'],
  ['(?i)', 'i'],
  ['(?u)', '']
])('with %j it matches what and where JavaScript does', (flags, theirs) => {
  seeded(
    fc.property(common, fc.array(subject, { minLength: 1, maxLength: 5 }), ({ source }, values) => {
      const ours = regex(flags + source)
      const other = new RegExp(source, theirs)
      for (const value of values) {
        const expected = other.exec(value)
        expect(ours.matches(value)).toBe(expected !== null)
        const match = ours.exec(value)
        expect(match?.before.length).toBe(expected?.index)
        expect(match?.groups[0]).toBe(expected?.[0])
      }
    }),
    250
  )
})

test('one regular expression can be asked again and again', () => {
  const { matches } = regex('^(?:ab)+$')
  const values = ['ab', 'aba', 'abab', '', 'ab']
  expect(values.map(matches)).toEqual([true, false, true, false, true])
  expect(values.map(matches)).toEqual([true, false, true, false, true])
})
