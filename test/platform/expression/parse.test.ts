import { expect, test } from 'vitest'
import { type Expression, parseExpression } from '../../../src/platform/expression/expression.ts'
import type { Term } from '../../../src/platform/expression/syntax.ts'
import { scheme } from './arbitrary-value.ts'

/** An expression with all combinations and negations in brackets, comparisons as their field. */
function shape(expression: Expression): string {
  switch (expression.kind) {
    case 'constant':
      return String(expression.value)
    case 'group':
      return shape(expression.inner)
    case 'not':
      return `(not ${shape(expression.inner)})`
    case 'quantifier':
      return `${expression.quantifier}(${shape(expression.inner)})`
    case 'combination':
      return `(${expression.operands.map(shape).join(` ${expression.operator} `)})`
    default:
      return `${(expression.left.root as { name: string }).name}`
  }
}

const letters = { a: 'Bool', b: 'Bool', c: 'Bool', d: 'Bool', m: 'Array<Bool>' } as const

function read(source: string, fields: Record<string, any> = scheme): Expression {
  const parsed = parseExpression(source, { scheme: fields })
  if (!parsed.ok) throw new Error(parsed.failure.reason)
  return parsed.expression
}

test.each([
  ['a', 'a'],
  ['not a and b', '((not a) and b)'],
  ['not (a and b)', '(not (a and b))'],
  ['not not a', '(not (not a))'],
  ['!!a', '(not (not a))'],
  ['a and b or c', '((a and b) or c)'],
  ['a or b and c', '(a or (b and c))'],
  ['a xor b and c', '(a xor (b and c))'],
  ['a and b xor c', '((a and b) xor c)'],
  ['a or b xor c', '(a or (b xor c))'],
  ['a xor b or c', '((a xor b) or c)'],
  ['a or b and c xor d', '(a or ((b and c) xor d))'],
  ['(a or b) and c', '((a or b) and c)'],
  ['a and b and c', '(a and b and c)'],
  ['a and (b and c)', '(a and (b and c))'],
  ['a or b or c and d or a', '(a or b or (c and d) or a)'],
  ['a&&b||c^^d', '((a and b) or (c xor d))'],
  ['a and b || c xor d', '((a and b) or (c xor d))'],
  ['any(m) and a', '(any(m) and a)'],
  ['any((m and m) or m)', 'any(((m and m) or m))'],
  ['all(not m)', 'all((not m))'],
  ['not any(m)', '(not any(m))'],
  ['true', 'true'],
  ['not false or a', '((not false) or a)']
])('%s is %s', (source, expected) => {
  expect(shape(read(source, letters))).toBe(expected)
})

test.each([
  ['nota', '(not a)'],
  ['a andb', '(a and b)'],
  ['a or(b)', '(a or b)'],
  ['any (m)', 'any(m)'],
  ['(a)and(b)', '(a and b)'],
  ['  a\r\n and\n b ', '(a and b)'],
  ['\t\u00a0a\u2003', 'a']
])('words need no space after them: %j is %s', (source, expected) => {
  expect(shape(read(source, letters))).toBe(expected)
})

test('a field may be called like a constant', () => {
  expect(read('true', { true: 'Bool' })).toMatchObject({ kind: 'truth' })
  expect(read('false', { 'false.x': 'Bool' })).toEqual({ kind: 'constant', value: false })
})

test.each([
  ['eq', '=='],
  ['ne', '!='],
  ['ge', '>='],
  ['le', '<='],
  ['gt', '>'],
  ['lt', '<']
])('%s may be written as %s', (word, sign) => {
  for (const right of ['text W "a"', 'count W 5', 'address W ::1']) {
    const expression = read(right.replace('W', word))
    expect(expression).toMatchObject({ kind: 'ordering', operator: word })
    expect(read(right.replace(' W ', sign))).toEqual(expression)
  }
})

test.each([
  ['count & 5', 'count bitwise_and 5'],
  ['text ~ "a"', 'text matches "a"']
])('%s is %s', (source, other) => {
  expect(read(source)).toEqual(read(other))
})

test.each<[source: string, value: string]>([
  ['""', ''],
  ['"s\\\\t\\"r\\x0A\\000t"', 's\\t"r\n\0t'],
  ['"\\x7F\\177\\x80\\200\\xFF\\377"', '\x7f\x7f\x80\x80\xff\xff'],
  ['"é\n"', '\xc3\xa9\n'],
  ['01:2e:f3-77.12', '\x01\x2e\xf3\x77\x12'],
  ['r""', ''],
  ['r"a\\"', 'a\\'],
  ['r#""#', ''],
  ['r#""a"""#', '"a""'],
  ['r##""a"#b"##', '"a"#b'],
  ['r###"a###"##""###', 'a###"##"']
])('the string %s', (source, value) => {
  expect(read(`text eq ${source}`)).toMatchObject({ right: { type: 'Bytes', value } })
})

test.each<[source: string, pattern: string]>([
  ['"a\\.b"', 'a\\.b'],
  ['"a\\"b"', 'a"b'],
  ['"[a-z"\\]]+\\d{1,10}\\""', '[a-z"\\]]+\\d{1,10}"'],
  ['"[\\"]"', '[\\"]'],
  ['"\\\\"', '\\\\'],
  ['r#"[a-z"\\]]+\\d{1,10}""#', '[a-z"\\]]+\\d{1,10}"']
])('the pattern %s keeps its own escapes', (source, pattern) => {
  expect(read(`text matches ${source}`)).toMatchObject({ pattern })
})

test.each<[source: string, value: bigint]>([
  ['0', 0n],
  ['-0', 0n],
  ['0x1f5', 501n],
  ['0xEF', 239n],
  ['0123', 83n],
  ['78', 78n],
  ['-12', -12n],
  ['9223372036854775807', 2n ** 63n - 1n],
  ['-9223372036854775808', -(2n ** 63n)]
])('the number %s', (source, value) => {
  expect(read(`count eq ${source}`)).toMatchObject({ right: { type: 'Int', value } })
})

test.each<[source: string, ranges: [bigint, bigint][]]>([
  ['{}', []],
  [
    '{80 443}',
    [
      [80n, 80n],
      [443n, 443n]
    ]
  ],
  [
    '{ 0..10 -20..-10 }',
    [
      [0n, 10n],
      [-20n, -10n]
    ]
  ],
  [
    '{0123..0xef\n1}',
    [
      [83n, 239n],
      [1n, 1n]
    ]
  ]
])('the set %s', (source, ranges) => {
  const members = ranges.map(([first, last]) => ({ type: 'Int', first, last }))
  expect(read(`count in ${source}`)).toMatchObject({ kind: 'member', members })
})

test('strings in a set may touch', () => {
  const members = ['a', 'b', 'ab'].map((value) => ({ type: 'Bytes', value }))
  expect(read('text in {"a""b" 61:62}')).toMatchObject({ members })
})

test('a list is named, not looked at', () => {
  expect(read('address in $cf.open_proxies')).toMatchObject({
    kind: 'listed',
    list: 'cf.open_proxies'
  })
})

test.each<[source: string, type: string, indexes: string[]]>([
  ['texts[0] eq "a"', 'Bytes', ['position']],
  ['texts[ 4294967295 ] eq "a"', 'Bytes', ['position']],
  ['headers["a"][0x1] eq "a"', 'Bytes', ['key', 'position']],
  ['any(parts[*][*] eq "a")', 'Bytes', ['each', 'each']],
  ['any(len(texts[*])[*] eq 1)', 'Int', ['each']],
  ['len(texts[*])[0] eq 1', 'Int', ['position']],
  ['len(texts) eq 1', 'Int', []],
  ['any(ends_with(texts[*], "a"))', 'Array<Bool>', []]
])('%s asks for %s', (source, type, indexes) => {
  const expression = read(source)
  const inner = expression.kind === 'quantifier' ? expression.inner : expression
  const term = (inner as { left: Term }).left
  expect(term.type).toBe(type)
  expect(term.indexes.map(({ kind }) => kind)).toEqual(indexes)
})

test.each<[source: string, inputs: object[]]>([
  [
    'concat("a", text, r"b", 61:62)',
    [{ type: 'Bytes' }, { kind: 'term' }, { value: 'b' }, { value: 'ab' }]
  ],
  ['concat(to_string(1.2.3.4), to_string(-5), to_string(0x10))', [{}, {}, {}]],
  ['to_string(::1)', [{ type: 'Ip', value: { family: 6, bits: 1n } }]],
  ['to_string(10)', [{ type: 'Int', value: 10n }]],
  ['to_string(flag)', [{ kind: 'term', type: 'Bool' }]],
  ['to_string(not flag)', [{ kind: 'not' }]],
  ['to_string((flag or flag))', [{ kind: 'group' }]],
  ['to_string(count gt 5)', [{ kind: 'ordering' }]],
  ['to_string(true)', [{ kind: 'constant', value: true }]],
  ['to_string(any(flags))', [{ kind: 'quantifier' }]],
  ['concat ( text , "a" )', [{}, {}]]
])('the arguments of %s', (source, inputs) => {
  expect(read(`${source} eq "x"`)).toMatchObject({ left: { root: { kind: 'call', inputs } } })
})

test('a field whose name could be bytes or a number is a field in a call', () => {
  const fields = { ab: 'Bytes', '1': 'Bytes' } as const
  expect(read('len(ab) eq 1', fields)).toMatchObject({
    left: { root: { inputs: [{ kind: 'term' }] } }
  })
  expect(read('len(1) eq 1', fields)).toMatchObject({
    left: { root: { inputs: [{ kind: 'term' }] } }
  })
})
