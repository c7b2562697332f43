import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExpression } from '../../../src/platform/expression/expression.ts'
import { anyExpression } from './arbitrary-expression.ts'
import { scheme } from './arbitrary-value.ts'
import { print } from './print.ts'
import { seeded } from './seeded.ts'

const options = { scheme, characterLimit: 1_000_000 }

test('reading what was printed gives the expression that was printed', () => {
  seeded(
    fc.property(anyExpression, (expression) => {
      expect(parseExpression(print(expression), options)).toEqual({ ok: true, expression })
    }),
    1_000
  )
})

test.each([
  ['text == "a"', 'text eq "a"'],
  ['text eq 61:62-63.64', 'text eq "abcd"'],
  ['text eq r##"a"#b"##', 'text eq "a\\"#b"'],
  ['text eq "\\x00\\101\\xc3\\xa9é"', 'text eq "\\x00Aéé"'],
  ['text eq "\\xff\\"\\\\"', 'text eq "\\xff\\"\\\\"'],
  ['text ~ "a\\"b[\\"]"', 'text matches r#"a"b[\\"]"#'],
  ['count & 0x10', 'count bitwise_and 16'],
  ['count in {010 1..1 2..0x3}', 'count in {8 1 2..3}'],
  ['address in {10.0.0.0..10.255.255.255 ::0/127}', 'address in {10.0.0.0/8 ::/127}'],
  ['!flag||flag^^flag&&flag', 'not flag or flag xor flag and flag'],
  ['( ( flag ) )', '((flag))'],
  ['any( texts [*] == "a")', undefined],
  ['any(texts[ * ]=="a")', 'any(texts[*] eq "a")'],
  ['headers[ "a\\x62" ][ 0 ] strict wildcard "*"', 'headers["ab"][0] strict wildcard "*"'],
  ['flag\n\r and   true', 'flag and true']
])('%s is printed as %s', (source, printed) => {
  const parsed = parseExpression(source, options)
  expect(parsed.ok ? print(parsed.expression) : undefined).toBe(printed)
})

test('a pattern that no raw string can hold is printed in quotes', () => {
  const pattern = `["]["${'#'.repeat(300)}]`
  const source = `text matches "${pattern}\\""`
  const parsed = parseExpression(source, options)
  expect(parsed.ok && print(parsed.expression)).toBe(source)
})
