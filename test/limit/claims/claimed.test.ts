import { expect, test } from 'vitest'
import { claimsOf } from '../../../src/limit/claims/claimed.ts'
import { structuredList } from '../../../src/limit/claims/structured-list.ts'

test('structured lists are read, and what is none is not', () => {
  expect(structuredList('"burst";q=20;w=1, day;q=1000')).toEqual([
    { value: 'burst', params: { q: '20', w: '1' } },
    { value: 'day', params: { q: '1000' } }
  ])
  expect(structuredList('"a \\"b\\"";pk=?1')).toEqual([{ value: 'a "b"', params: { pk: '?1' } }])
  expect(structuredList('"day"; q=9; w=2; pk=:MTIzYWJj:; until=@1767323045')).toEqual([
    { value: 'day', params: { q: '9', w: '2', pk: ':MTIzYWJj:', until: '@1767323045' } }
  ])
  expect(structuredList('100;w=60')).toEqual([{ value: '100', params: { w: '60' } }])
  for (const text of ['', ',', '"open', '"a" "b"']) expect(structuredList(text)).toBeUndefined()
})

const date = 'Fri, 02 Jan 2026 03:04:05 GMT'
const now = Date.parse(date)

test.each([
  ['30', 30_000],
  [String(now / 1_000 + 30), 30_000],
  [String(now + 30_000), 30_000],
  ['Fri, 02 Jan 2026 03:04:35 GMT', 30_000],
  ['-5', -5_000],
  ['2026-01-02T03:04:35Z', 30_000],
  ['6m0s', 360_000],
  ['1h2m3.5s', 3_723_500],
  ['20ms', 20],
  ['2 s', undefined],
  ['soon', undefined],
  ['soon 5', undefined]
])('a reset of %s', (text, ms) => {
  const { resetMs } = claimsOf({ headers: { date, 'x-ratelimit-reset': text } }, 0)
  expect(resetMs[0]?.value).toBe(ms)
})

test('of a list of policies that is read which is nearest to refuse', () => {
  const said = (ratelimit: string, policy = '"burst";q=10;w=2, "daily";q=15;w=20') => {
    return claimsOf({ headers: { ratelimit, 'ratelimit-policy': policy } }, 0)
  }
  const daily = said('"burst";r=5;t=2, "daily";r=0;t=6')
  expect(daily.remaining).toMatchObject([{ field: 'RateLimit', value: 0 }])
  expect(daily.resetMs).toMatchObject([{ value: 6_000 }])
  expect(daily.limit).toMatchObject([{ field: 'RateLimit-Policy "daily"', value: 15 }])
  expect(daily.windowMs).toMatchObject([{ field: 'RateLimit-Policy "daily"', value: 20_000 }])
  expect(daily.apart).toMatchObject([{ field: 'RateLimit-Policy "burst"', value: 10 }])
  expect(said('"burst";r=0;t=2, "daily";r=0;t=6').resetMs[0]?.value).toBe(6_000)
  expect(said('"burst";r=4;t=2, "daily";r=9;t=6').limit[0]?.value).toBe(10)
  // Of points one may be left where a request takes two.
  const points = said('"burst";r=0;t=2, "daily";r=1;t=6')
  expect([points.remaining[0]?.value, points.resetMs[0]?.value]).toEqual([0, 6_000])
  expect(said('"burst";r=0;t=2, "daily";r=9;t=6').resetMs[0]?.value).toBe(2_000)
})

test('version 7 of the draft tells what is left in a dictionary', () => {
  const headers = { ratelimit: 'limit=20, remaining=19, reset=4', 'ratelimit-policy': '20;w=4' }
  expect(claimsOf({ headers }, 0)).toMatchObject({
    limit: [{ field: 'RateLimit-Policy', value: 20 }],
    remaining: [{ field: 'RateLimit', value: 19 }],
    resetMs: [{ field: 'RateLimit', value: 4_000 }]
  })
})

test('the forms of the drafts and of vendors', () => {
  const headers = { 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '7' }
  expect(claimsOf({ headers }, 0)).toMatchObject({
    limit: [{ field: 'Ratelimit-Limit', value: 100 }],
    remaining: [{ value: 7 }]
  })
  expect(claimsOf({ headers: { 'x-ratelimit-limit-requests': '9' } }, 0).limit[0]?.value).toBe(9)
  expect(Object.values(claimsOf({ headers: {} }, 0)).flat()).toEqual([])
})

test('what is used tells what is left', () => {
  const field = 'X-Shopify-Shop-Api-Call-Limit'
  const told = claimsOf({ headers: { [field.toLowerCase()]: '32/40' } }, 0)
  expect(told.limit).toMatchObject([{ field, value: 40 }])
  expect(told.remaining).toMatchObject([{ field, value: 8, text: '32/40' }])
  const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-used': '61' }
  expect(claimsOf({ headers }, 0).remaining).toMatchObject([
    { field: 'X-Ratelimit-Used', value: 0, text: '61 of 60 used' }
  ])
  expect(claimsOf({ headers: { 'x-ratelimit-used': '61' } }, 0).unread).toEqual([
    { field: 'X-Ratelimit-Used', because: '61; of how many is not told' }
  ])
})

test('of limits that their fields are named by the nearest is read', () => {
  const headers = {
    'x-ratelimit-limit-second': '5',
    'x-ratelimit-remaining-second': '4',
    'x-ratelimit-limit-hour': '9',
    'x-ratelimit-remaining-hour': '2'
  }
  const hour = claimsOf({ headers }, 0)
  expect(hour.limit).toMatchObject([{ field: 'X-Ratelimit-Limit-Hour', value: 9 }])
  expect(hour.windowMs).toMatchObject([{ field: 'X-Ratelimit-Limit-Hour', value: 3_600_000 }])
  expect(hour.remaining).toMatchObject([{ field: 'X-Ratelimit-Remaining-Hour', value: 2 }])
  expect(hour.apart).toMatchObject([{ field: 'X-Ratelimit-Limit-Second', value: 5 }])
  expect(hour.apartWindowMs).toMatchObject([{ value: 1_000 }])
  // Beside one without a window, that of the same numbers is its own.
  const both = { ...headers, 'ratelimit-limit': '9', 'ratelimit-remaining': '2' }
  const { limit, windowMs, apart, unread } = claimsOf({ headers: both }, 0)
  expect(limit.map(({ field }) => field)).toEqual(['Ratelimit-Limit', 'X-Ratelimit-Limit-Hour'])
  expect(windowMs).toMatchObject([{ field: 'X-Ratelimit-Limit-Hour', value: 3_600_000 }])
  expect(apart).toEqual([])
  expect(unread).toMatchObject([
    { field: 'X-Ratelimit-Limit-Second', because: '5; another limit is nearer' },
    { field: 'X-Ratelimit-Remaining-Second' }
  ])
})

test.each([
  ['x-ratelimit-bucket', 'abcd', 'X-Ratelimit-Bucket'],
  ['x-ratelimit-limit', 'unlimited', 'X-Ratelimit-Limit'],
  ['x-ratelimit-reset', '3, 3', 'X-Ratelimit-Reset'],
  ['x-app-rate-limit', '20:1,100:120', 'X-App-Rate-Limit'],
  ['x-amzn-ratelimit-limit', '0.5', 'X-Amzn-Ratelimit-Limit'],
  ['ratelimit', '"open', 'RateLimit'],
  ['ratelimit-policy', '()', 'RateLimit-Policy']
])('%s: %s is not passed over', (name, text, field) => {
  const { unread, ...read } = claimsOf({ headers: { [name]: text } }, 0)
  expect(Object.values(read).flat()).toEqual([])
  expect(unread).toEqual([{ field, because: `${text}; no form known here` }])
})

test('where there is said to be no limit none is read', () => {
  const headers = { 'x-ratelimit-limit': '-1', 'x-ratelimit-remaining': '-1' }
  const { unread, ...read } = claimsOf({ headers }, 0)
  expect(Object.values(read).flat()).toEqual([])
  expect(unread).toHaveLength(2)
})

test.each([
  ['soon', 'neither seconds nor a date'],
  ['0x10', 'neither seconds nor a date'],
  ['2s', 'neither seconds nor a date'],
  ['1, 2', 'waits that differ'],
  ['2, Fri, 02 Jan 2026 03:04:35 GMT', 'waits that differ']
])('a Retry-After of %s is false', (text, why) => {
  const { retryMs, unread } = claimsOf({ headers: { date, 'retry-after': text } }, 0)
  expect(retryMs).toEqual([])
  const because = `${text}; ${why}`
  expect(unread).toEqual([{ field: 'Retry-After', because, isFalse: true }])
})

test.each([
  ['2', 2_000],
  ['2, 2', 2_000],
  ['Fri, 02 Jan 2026 03:04:35 GMT', 30_000],
  ['Friday, 02-Jan-26 03:04:35 GMT', 30_000]
])('a Retry-After of %s is read', (text, ms) => {
  const { retryMs, unread } = claimsOf({ headers: { date, 'retry-after': text } }, 0)
  expect([retryMs[0]?.value, unread]).toEqual([ms, []])
})

test.each([
  ['retry-after-ms', '300', 300],
  ['x-ms-retry-after-ms', '1500', 1_500],
  ['x-ratelimit-retry-after', '3', 3_000],
  ['x-retry-after', 'Fri, 02 Jan 2026 03:04:35 GMT', 30_000]
])('a wait as %s: %s is read', (name, text, ms) => {
  const { retryMs, unread } = claimsOf({ headers: { date, [name]: text } }, 0)
  expect([retryMs[0]?.value, retryMs[0]?.text, unread]).toEqual([ms, text, []])
})

test('a wait in ms that is none is false', () => {
  const { retryMs, unread } = claimsOf({ headers: { 'retry-after-ms': '2s' } }, 0)
  expect(retryMs).toEqual([])
  const because = '2s; no number of ms'
  expect(unread).toEqual([{ field: 'Retry-After-Ms', because, isFalse: true }])
})
