import { expect, test } from 'vitest'
import { parseAddress } from '../../../../src/platform/expression/expression.ts'
import { call } from './call.ts'

test.each([
  ['113.10.0.2', 'cidr(address, 24, 24)', '113.10.0.0'],
  ['113.10.0.2', 'cidr(address, 32, 1)', '113.10.0.2'],
  ['113.10.0.2', 'cidr(address, 1, 1)', '0.0.0.0'],
  ['2001:0:130F::9C0:876A:130B', 'cidr(address, 24, 24)', '2001::'],
  ['2001:0:130F::9C0:876A:130B', 'cidr(address, 1, 128)', '2001:0:130f::9c0:876a:130b'],
  ['2001:0:130F::9C0:876A:130B', 'cidr6(address, 24)', '2001::'],
  ['113.10.0.2', 'cidr6(address, 24)', '113.10.0.2']
])('of %s %s is %s', (address, source, expected) => {
  expect(call(source, { address: parseAddress(address)! })).toEqual(parseAddress(expected))
})

test.each<[start: number, end: number, value: number | undefined]>([
  [0, 8, 0xa5],
  [0, 4, 0xa],
  [4, 12, 0x53],
  [3, 5, 0b00],
  [7, 9, 0b10],
  [0, 32, 0xa53cf0ff],
  [8, 40, 0x3cf0ff01],
  [39, 40, 1],
  [0, 33, undefined],
  [5, 5, undefined],
  [6, 5, undefined],
  [33, 41, undefined]
])('the bits from %i to %i', (start, end, value) => {
  expect(call(`bit_slice(text, ${start}, ${end})`, { text: '\xa5\x3c\xf0\xff\x01' })).toBe(value)
})
