import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  bytes,
  isText,
  lowerAscii,
  text,
  upperAscii
} from '../../../src/platform/expression/bytes.ts'
import { anyText } from './arbitrary-value.ts'
import { seeded } from './seeded.ts'

test.each([
  ['', ''],
  ['plain', 'plain'],
  ['é', '\xc3\xa9'],
  ['☁', '\xe2\x98\x81'],
  ['😢', '\xf0\x9f\x98\xa2']
])('%j has one character for each byte', (written, expected) => {
  expect(bytes(written)).toBe(expected)
  expect(text(expected)).toBe(written)
})

const byteString = fc.uint8Array().map((raw) => Buffer.from(raw).toString('latin1'))

test('nothing is lost from bytes that are not UTF-8', () => {
  seeded(
    fc.property(byteString, (value) => {
      expect(bytes(text(value))).toBe(value)
    })
  )
})

test('no text is changed by being bytes for a while', () => {
  seeded(
    fc.property(anyText, (one) => {
      expect(text(bytes(one))).toBe(one)
    })
  )
})

test.each([
  ['a\xffb', 'a\udcffb'],
  ['\xc3', '\udcc3'],
  ['\xe2\x98', '\udce2\udc98'],
  ['\xed\xa0\x80', '\udced\udca0\udc80'],
  ['\xc0\xaf', '\udcc0\udcaf'],
  ['\xf4\x90\x80\x80', '\udcf4\udc90\udc80\udc80'],
  ['\xc3\xa9\xff', 'é\udcff']
])('bytes %j that spell nothing stand for themselves', (value, expected) => {
  expect(text(value)).toBe(expected)
  expect(isText(value)).toBe(false)
})

test.each([
  ['AbZ[09', 'abz[09', 'ABZ[09'],
  ['Ab\xc0\xe0\xde\xfe', 'ab\xc0\xe0\xde\xfe', 'AB\xc0\xe0\xde\xfe'],
  ['\xb5\xdf\xff', '\xb5\xdf\xff', '\xb5\xdf\xff']
])('only the case of ASCII letters changes: %j', (value, lower, upper) => {
  expect([lowerAscii(value), upperAscii(value)]).toEqual([lower, upper])
})
