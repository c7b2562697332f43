import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytes } from '../../../../src/platform/expression/expression.ts'
import { anyBytes } from '../arbitrary-value.ts'
import { seeded } from '../seeded.ts'
import { call } from './call.ts'

test.each<[text: string, decoded: string | undefined]>([
  ['MTIzYWJj', '123abc'],
  ['', ''],
  ['/+8=', '\xff\xef'],
  ['/+8', '\xff\xef'],
  ['YQ==', 'a'],
  ['YQ=', undefined],
  ['Y', undefined],
  ['YQ===', undefined],
  ['Y-_g', undefined],
  ['Y Q', undefined],
  ['YQ=a', undefined]
])('Base64 %j is %j', (text, decoded) => {
  expect(call('decode_base64(text)', { text })).toBe(decoded)
})

test('whatever is encoded in Base64 is decoded', () => {
  seeded(
    fc.property(anyBytes, (value) => {
      const text = Buffer.from(value, 'latin1').toString('base64')
      expect(call('decode_base64(text)', { text })).toBe(value)
    })
  )
})

test.each<[text: string, options: string, decoded: string]>([
  ['John%20Doe', '', 'John Doe'],
  ['John+Doe', '', 'John Doe'],
  ['%2520', '', '%20'],
  ['%2520', 'r', ' '],
  ['%252525252520', 'r', ' '],
  ['%2%35', 'r', '%'],
  ['%%34%31', 'r', 'A'],
  ['%252B', '', '%2B'],
  ['%2B', '', '+'],
  ['%252B', 'r', ' '],
  ['%E4%BD', '', '\xe4\xbd'],
  ['%zz%4', '', '%zz%4'],
  ['%u2601', '', '%u2601'],
  ['%u2601', 'u', bytes('☁')],
  ['%U2601%u00e9', 'u', bytes('☁é')],
  ['%ud83d%ude00', 'u', '%ud83d%ude00'],
  ['%u00%34%31', 'ur', 'A'],
  ['%25u2601', 'ru', bytes('☁')],
  ['%u0025%34%31', 'ru', 'A']
])('%j with the options %j is decoded to %j', (text, options, decoded) => {
  const source = options ? `url_decode(text, "${options}")` : 'url_decode(text)'
  expect(call(source, { text })).toBe(decoded)
})

test('to decode again and again is to decode until nothing changes', () => {
  const escapes = fc.constantFrom(
    '%',
    '2',
    '5',
    '25',
    '%25',
    '%32',
    '%35',
    '+',
    '%2B',
    '%u',
    '0',
    '00',
    'a'
  )
  const text = fc.array(escapes, { maxLength: 12 }).map((parts) => parts.join(''))
  seeded(
    fc.property(text, fc.constantFrom('', 'u'), (escaped, unicode) => {
      let decoded = escaped
      for (let before = ''; before !== decoded; ) {
        before = decoded
        const options = unicode && ', "u"'
        decoded = call(`url_decode(text${options})`, { text: before }) as string
      }
      expect(call(`url_decode(text, "r${unicode}")`, { text: escaped })).toBe(decoded)
    }),
    1_000
  )
})

test('a megabyte of escapes of escapes is read in one pass', () => {
  expect(call('url_decode(text, "r")', { text: `%${'25'.repeat(250_000)}41` })).toBe('A')
  expect(call('url_decode(text, "ru")', { text: `${'%3'.repeat(250_000)}5` })).toBe('5')
})

test('a UUID is made of the bytes it is given', () => {
  const text = '\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xffrest'
  expect(call('uuidv4(text)', { text })).toBe('00112233-4455-4677-8899-aabbccddeeff')
  expect(call('uuidv4(text)', { text: 'too short' })).toBeUndefined()
})
