import { expect, test } from 'vitest'
import { bytes, parseAddress } from '../../../../src/platform/expression/expression.ts'
import type { Value } from '../../../../src/platform/expression/scheme.ts'
import { call } from './call.ts'

const facts = {
  flag: true,
  text: 'asdfghjk',
  count: 5,
  address: parseAddress('2001:DB8::1')!,
  texts: ['a', 'b', 'c'],
  headers: new Map([['list', ['groceries,,electronics', 'a']]])
}

test.each<[source: string, value: Value | undefined]>([
  ['concat("String1", " ", "String", "2")', 'String1 String2'],
  ['concat(text)', 'asdfghjk'],
  ['concat("/", texts[9], text)', '/asdfghjk'],
  ['concat(texts[9])', undefined],
  ['concat(texts, texts)', ['a', 'b', 'c', 'a', 'b', 'c']],
  ['concat(headers["none"], texts)', ['a', 'b', 'c']],
  ['concat(texts[*], "-", text)', ['a-asdfghjk', 'b-asdfghjk', 'c-asdfghjk']],
  ['ends_with(text, "hjk")', true],
  ['ends_with(text, "HJK")', false],
  ['ends_with(texts[9], "")', undefined],
  ['starts_with(text, "asd")', true],
  ['starts_with(text, "sd")', false],
  ['starts_with(text, "")', true],
  ['join(texts, ",")', 'a,b,c'],
  ['join(headers["none"], ",")', undefined],
  ['split(headers["list"][0], ",", 64)', ['groceries', '', 'electronics']],
  ['split(headers["list"][0], ",", 2)', ['groceries', ',electronics']],
  ['split(headers["list"][0], ",", 3)', ['groceries', '', 'electronics']],
  ['split(headers["list"][0], ",", 1)', ['groceries,,electronics']],
  ['split(text, "x", 3)', ['asdfghjk']],
  ['split(text, "jk", 3)', ['asdfgh', '']],
  ['len(text)', 8],
  ['len(texts)', 3],
  ['len("é")', 2],
  ['len(texts[*])', [1, 1, 1]],
  ['lower("AbÉ\\xc9")', bytes('abÉ').concat('\xc9')],
  ['upper("aBé\\xe9")', bytes('ABé').concat('\xe9')],
  ['upper(texts[*])', ['A', 'B', 'C']],
  ['remove_bytes("www.example.com", "\\x2e\\x77")', 'examplecom'],
  ['remove_bytes(text, "")', 'asdfghjk'],
  ['substring(text, 2, 5)', 'dfg'],
  ['substring(text, 2)', 'dfghjk'],
  ['substring(text, -2)', 'jk'],
  ['substring(text, 0, -2)', 'asdfgh'],
  ['substring(text, 5, 2)', ''],
  ['substring(text, -9223372036854775808, 9223372036854775807)', 'asdfghjk'],
  ['to_string(count)', '5'],
  ['to_string(flag)', 'true'],
  ['to_string(not flag)', 'false'],
  ['to_string(address)', '2001:db8::1'],
  ['to_string(9223372036854775807)', '9223372036854775807']
])('%s', (source, value) => {
  expect(call(source, facts)).toEqual(value)
})
