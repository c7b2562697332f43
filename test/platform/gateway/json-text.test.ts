import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsOf, membersOf } from '../../../src/platform/gateway/json-text.ts'

test.each<[text: string, items: string[]]>([
  ['[]', []],
  [' [ ] ', []],
  ['[1]', ['1']],
  ['[ 1 ,\n2\t]', ['1', '2']],
  ['[1.0, 1e2, -0]', ['1.0', '1e2', '-0']],
  ['["a,b", "]", "\\"", "\\\\"]', ['"a,b"', '"]"', '"\\""', '"\\\\"']],
  ['[[1,2],{"a":[3,4]}, [] ]', ['[1,2]', '{"a":[3,4]}', '[]']]
])('the items of %s', (text, items) => {
  expect(itemsOf(text)).toEqual(items)
})

test.each<[text: string, members: Record<string, string>]>([
  ['{}', {}],
  ['{ }', {}],
  ['{"a":1}', { a: '1' }],
  ['{ "a" : 1.50 , "b":{"a":2} }', { a: '1.50', b: '{"a":2}' }],
  ['{"a:b":":","c,":"}"}', { 'a:b': '":"', 'c,': '"}"' }],
  ['{"a":1,"a":2}', { a: '2' }],
  ['{"\\u0061":1,"\\"":2}', { a: '1', '"': '2' }],
  ['{"__proto__":12345678901234567890}', { ['__proto__']: '12345678901234567890' }]
])('the members of %s', (text, members) => {
  expect([...membersOf(text)]).toEqual(Object.entries(members))
})

/** JSON as different writers put it. */
const written = fc
  .tuple(fc.jsonValue(), fc.constantFrom('', ' ', '\t', '\n\n'))
  .map(([value, indent]) => ({ value, text: JSON.stringify(value, null, indent) }))

test('items and members mean what they meant in their place', () => {
  fc.assert(
    fc.property(fc.array(written), fc.constantFrom('', ' ', '\n'), (parts, space) => {
      const list = `${space}[${space}${parts.map(({ text }) => text).join(`${space},`)}${space}]`
      expect(itemsOf(list)).toEqual(parts.map(({ text }) => text))
    })
  )
  fc.assert(
    fc.property(fc.dictionary(fc.string(), written), (parts) => {
      const members = Object.entries(parts).map(([name, { text }]) => [JSON.stringify(name), text])
      const text = `{${members.map((member) => member.join(' : ')).join(' , ')}}`
      const expected = Object.entries(parts).map(([name, { text }]) => [name, text])
      expect([...membersOf(text)]).toEqual(expected)
    })
  )
})

test('depth and length cost no stack', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  expect(itemsOf(deep)).toEqual([deep.slice(1, -1)])
  expect(itemsOf(`["${'\\\\'.repeat(200_000)}"]`)).toHaveLength(1)
})
