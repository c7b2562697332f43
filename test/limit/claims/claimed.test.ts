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
