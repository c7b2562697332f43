import { expect, test } from 'vitest'
import { inspectedBytes, isInspected, valuesIn } from '../../../src/platform/waf/body-values.ts'

const form = 'application/x-www-form-urlencoded'
const parts = 'multipart/form-data; boundary="a b"'

test.each<[string, string, string[]]>([
  [form, 'a=1+2&b&=c=d', ['a', '1 2', 'b', '', 'c=d']],
  ['application/json', '{"a":["b\\u003cc\\n",1]}', ['a', 'b<c\n']],
  ['application/ld+json; charset=utf-8', '["cut of', ['cut of']],
  ['application/json', '["\\"x\\\\", "y"]', ['"x\\', 'y']],
  [
    parts,
    '--a b\r\nContent-Disposition: form-data; name="n"\r\n\r\nvalue\r\n--a b--',
    ['n', 'value\r\n']
  ],
  [
    parts,
    '--a b\r\nContent-Disposition: form-data; name="f"; filename="g.sql"\r\n\r\nx',
    ['f', 'g.sql']
  ],
  ['multipart/form-data', 'x', []],
  ['application/octet-stream', 'x', []]
])('%s %j', (type, text, values) => {
  expect(valuesIn({ type, bytes: Buffer.from(text) })).toEqual(values)
})

test('only what is looked into is', () => {
  expect([form, parts, 'TEXT/JSON'].every(isInspected)).toBe(true)
  expect(['', 'image/png', 'text/html', 'application/jsonx'].some(isInspected)).toBe(false)
})

test('no more than the first bytes are looked at', () => {
  const bytes = Buffer.alloc(inspectedBytes * 2, 'x')
  expect(valuesIn({ type: form, bytes })).toEqual(['x'.repeat(inspectedBytes)])
})
