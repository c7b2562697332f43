import { expect, test } from 'vitest'
import { call } from './call.ts'

test.each([
  ['order=asc&country=GB', '"country"', 'order=asc'],
  ['order=asc&country=GB', '"order"', 'country=GB'],
  ['order=asc&country=GB', '"search"', 'order=asc&country=GB'],
  ['category=Foo&order=desc&category=Bar', '"order"', 'category=Foo&category=Bar'],
  ['category=Foo&order=desc&category=Bar', '"category"', 'order=desc'],
  ['a=1&b=2&c=3', '"a", "c"', 'b=2'],
  ['a&b=&a=b=c', '"a"', 'b='],
  ['', '"a"', '']
])('%s without %s', (text, names, rest) => {
  expect(call(`remove_query_args(text, ${names})`, { text })).toBe(rest)
})
