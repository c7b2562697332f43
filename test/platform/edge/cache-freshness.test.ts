import { expect, test } from 'vitest'
import { lifetimeMs, variantOf } from '../../../src/platform/edge/cache-freshness.ts'

const now = Date.UTC(2024, 1, 29, 12)
const http = (ms: number) => new Date(ms).toUTCString()

test.each([
  [{}, 0],
  [{ 'Cache-Control': 'max-age=60' }, 60_000],
  [{ 'cache-control': 'Public, MAX-AGE="60"' }, 60_000],
  [{ 'Cache-Control': 'max-age=60, s-maxage=10' }, 10_000],
  [{ 'Cache-Control': 's-maxage=0, max-age=60' }, 0],
  [{ 'Cache-Control': 'max-age=60, no-store' }, 0],
  [{ 'Cache-Control': 'private, max-age=60' }, 0],
  [{ 'Cache-Control': 'no-cache, max-age=60' }, 0],
  [{ 'Cache-Control': 'max-age=soon' }, 0],
  [{ 'Cache-Control': 'max-age=-1' }, 0],
  [{ 'Cache-Control': 'public' }, 0],
  [{ Expires: http(now + 5_000) }, 5_000],
  [{ Expires: http(now - 5_000) }, 0],
  [{ Expires: '0' }, 0],
  [{ Expires: http(now + 5_000), 'Cache-Control': 'max-age=1' }, 1_000],
  [{ 'Cache-Control': 'max-age=60', 'Set-Cookie': 'a=b' }, 0],
  [{ 'Cache-Control': 'max-age=60', Vary: '*' }, 0],
  [{ 'Cache-Control': 'max-age=60', Vary: 'Accept' }, 60_000]
])('%j is fresh for %i ms', (headers, expected) => {
  expect(lifetimeMs(Object.entries(headers), now)).toBe(expected)
})

test('a response depends on the headers it names', () => {
  const request: [string, string][] = [
    ['Accept', 'a'],
    ['accept', 'b'],
    ['Cookie', 'c']
  ]
  expect(variantOf([['Vary', 'Accept, X-None']], request)).toEqual([
    ['accept', 'a, b'],
    ['x-none', '']
  ])
  expect(variantOf([], request)).toEqual([])
})
