import { expect, test } from 'vitest'
import {
  caseless,
  posixSet,
  propertySet,
  rangeSet
} from '../../../../src/platform/expression/regex/symbol.ts'

test('a letter has the cases that JavaScript gives it by simple folding', () => {
  // Every letter whose case can change, and some that only look as if it could.
  const letters: number[] = []
  for (let code = 0; code < 0x20000; code++) {
    const letter = String.fromCodePoint(code)
    if (/[\p{Changes_When_Casemapped}ıİ]/u.test(letter)) letters.push(code)
  }
  const all = String.fromCodePoint(...letters)
  const asked = [...'kKſßẞıİiIςσΣǅµ\u212a\ufb05\u1fd3'].map((letter) => letter.codePointAt(0)!)
  for (const code of [...asked, ...letters.filter((_, place) => place % 20 === 0)]) {
    const { has } = caseless(rangeSet(code), 'unicode')
    const theirs = all.match(new RegExp(`\\u{${code.toString(16)}}`, 'giu'))
    expect([...all].filter((letter) => has(letter.codePointAt(0)!))).toEqual(theirs)
  }
})

test.each<[name: string, members: string, others: string]>([
  ['alnum', 'aZ0', '_-'],
  ['alpha', 'aZ', '0'],
  ['ascii', '\0\x7f', '\x80'],
  ['blank', ' \t', '\n'],
  ['cntrl', '\0\x1f\x7f', ' '],
  ['digit', '09', 'a'],
  ['graph', '!~', ' '],
  ['lower', 'az', 'A'],
  ['print', ' ~', '\n\x7f'],
  ['punct', '!/:@[`{~', 'a0 '],
  ['space', ' \t\n\v\f\r', 'a'],
  ['upper', 'AZ', 'a'],
  ['word', 'aZ0_', '-'],
  ['xdigit', '09afAF', 'gG']
])('the class %s', (name, members, others) => {
  const { has } = posixSet(name)
  expect([...members].filter((letter) => !has(letter.charCodeAt(0)))).toEqual([])
  expect([...others].filter((letter) => has(letter.charCodeAt(0)))).toEqual([])
})

test.each([
  ['Greek', 'α', 'a'],
  ['greek', 'α', 'a'],
  ['Script=Greek', 'α', 'a'],
  ['sc:Greek', 'α', 'a'],
  ['old_italic', '𐌀', 'a'],
  ['L', 'é', '1'],
  ['Lu', 'É', 'é'],
  ['gc=Lu', 'É', 'é'],
  ['Uppercase', 'É', 'é'],
  ['White_Space', '\u2003', 'a']
])('the property %s', (name, member, other) => {
  const { has } = propertySet(name)!
  expect([has(member.codePointAt(0)!), has(other.codePointAt(0)!)]).toEqual([true, false])
})

test.each(['', 'toString', '__proto__', 'L}', 'Script', 'L|N'])(
  'no property is called %j',
  (name) => {
    expect(propertySet(name)).toBeUndefined()
  }
)
