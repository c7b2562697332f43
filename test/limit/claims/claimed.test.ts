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

test('the forms of the drafts and of vendors', () => {
  const headers = { 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '7' }
  expect(claimsOf({ headers }, 0)).toMatchObject({
    limit: [{ field: 'Ratelimit-Limit', value: 100 }],
    remaining: [{ value: 7 }]
  })
  expect(claimsOf({ headers: { 'x-ratelimit-limit-requests': '9' } }, 0).limit[0]?.value).toBe(9)
  expect(Object.values(claimsOf({ headers: {} }, 0)).flat()).toEqual([])
})
