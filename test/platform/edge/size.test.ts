import { expect, test } from 'vitest'
import { edgeLimits as limits } from '../../../src/platform/edge/limits.ts'
import { bodyLimit, headersBytes, oversize } from '../../../src/platform/edge/size.ts'
import { plans } from '../../../src/platform/kernel/plan.ts'
import { request } from './asked.ts'

const url = (bytes: number) => ({ target: '/'.padEnd(bytes, 'x') })
const headers = (...sizes: number[]) => ({
  headers: sizes.map((bytes): [string, string] => ['x-a', 'v'.repeat(bytes - 3)])
})

test.each([
  ['a URL of 16,384 bytes', url(16_384), undefined],
  ['a URL of 16,385 bytes', url(16_385), 'url'],
  ['a header of 16,384 bytes', headers(16_384), undefined],
  ['a header of 16,385 bytes', headers(10, 16_385), 'header'],
  ['headers of 32,768 bytes', headers(16_384, 16_384), undefined],
  ['headers of 32,769 bytes', headers(16_384, 16_380, 5), 'headers'],
  ['a thousand headers of 32 bytes', headers(...Array(1_000).fill(32)), undefined],
  ['everything too large at once', { ...url(99_999), ...headers(99_999) }, 'url']
])('%s: %s', (_, more, part) => {
  expect(oversize(request(more), limits)).toBe(part)
})

test('a header is its name and its value', () => {
  expect(
    headersBytes([
      ['host', 'a.test'],
      ['x', '']
    ])
  ).toBe(11)
})

test.each(plans)('on %s, the methods with a body have the limit of the plan', (plan) => {
  const zone = { id: '1', account: 'a', host: 'a.test', plan }
  const limitOf = (method: string) => bodyLimit(request({ method }), zone, limits)
  const inMb = { free: 100, pro: 100, business: 200, enterprise: 500 }[plan]
  for (const method of ['POST', 'PUT', 'PATCH']) expect(limitOf(method)).toBe(inMb * 1_048_576)
  for (const method of ['GET', 'DELETE', 'OPTIONS']) expect(limitOf(method)).toBe(Infinity)
})
