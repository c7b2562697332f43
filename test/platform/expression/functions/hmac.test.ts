import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { call } from './call.ts'

const key = 'mysecretkey'
const issued = 1_484_063_787
const message = '/download/cat.jpg'

function token(options: { form?: 'base64' | 'base64url'; separator?: string; of?: string } = {}) {
  const { form = 'base64', separator = '?verify=', of = message } = options
  const mac = createHmac('sha256', key).update(`${message}${issued}`).digest(form)
  return `${of}${separator}${issued}-${form === 'base64' ? encodeURIComponent(mac) : mac}`
}

function isValid(text: string, more = ', 8', now = issued + 60): unknown {
  return call(`is_timed_hmac_valid_v0("${key}", text, 100, count${more})`, { text, count: now })
}

test('a genuine token is valid, with either way to write its HMAC', () => {
  expect(isValid(token())).toBe(true)
  expect(isValid(token({ form: 'base64url' }), ', 8, "s"')).toBe(true)
  expect(isValid(token({ separator: '' }), '')).toBe(true)
})

test('a token is valid for as long as it is to live', () => {
  expect(isValid(token(), ', 8', issued + 100)).toBe(true)
  expect(isValid(token(), ', 8', issued + 101)).toBe(false)
  expect(isValid(token(), ', 8', issued - 5)).toBe(true)
})

test.each([
  ['another message', token({ of: '/download/dog.jpg' })],
  ['no message', token({ of: '' })],
  ['a longer separator', token({ separator: '?verify==' })],
  ['another HMAC', token().replace(/-../, '-AA')],
  ['more than the HMAC', `${token()}A`],
  ['less than the HMAC', token().slice(0, -8)],
  ['another time', token().replace(String(issued), String(issued + 1))],
  ['no time', token().replace(String(issued), '')],
  ['nothing', '']
])('a token with %s is not', (_, text) => {
  expect(isValid(text)).toBe(false)
})

test('the other way to write the HMAC is not valid', () => {
  expect(isValid(token({ form: 'base64url' }))).toBe(false)
  expect(isValid(token(), ', 8, "s"')).toBe(false)
})

test('without a token there is no answer', () => {
  expect(call(`is_timed_hmac_valid_v0("${key}", texts[0], 100, 5)`)).toBeUndefined()
})
