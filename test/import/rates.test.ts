import { expect, test } from 'vitest'
import { importOpenApi } from '../../src/import/openapi.ts'
import { patternOfBoth } from '../../src/import/patterns.ts'
import { parseSource } from '../../src/import/source.ts'

const imported = (more: object) => {
  const get = { operationId: 'a', responses: { 204: { description: 'done' } }, ...more }
  const text = JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get } } })
  return importOpenApi(parseSource(text, 'api.json'), 'limits')
}

test.each<[unknown, string]>([
  ['100/minute', '100 requests/minute'],
  ['100 per minute', '100 requests/minute'],
  ['1,000 requests per 30 s', '1000 requests/30 seconds'],
  ['5 req/s', '5 requests/second'],
  ['100;w=60', '100 requests/minute'],
  ['100/PT1M', '100 requests/minute'],
  [{ limit: 100, window: 'PT1M' }, '100 requests/minute'],
  [{ limit: '100', period: { value: 2, unit: 'seconds' } }, '100 requests/2 seconds'],
  [{ max: 10, windowMs: 2_000 }, '10 requests/2 seconds'],
  [{ max_requests: 10, window_seconds: 2 }, '10 requests/2 seconds'],
  [{ limit: '5/s' }, '5 requests/second'],
  [{ hour: 1_000, minute: 20 }, '20 requests/minute'],
  [{ requestsPerSecond: 5 }, '5 requests/second'],
  [{ 'requests-per-minute': 5 }, '5 requests/minute']
])('a rate may be said as %j', (said, documented) => {
  const { clauses, left } = imported({ 'x-ratelimit': said })
  const rate = clauses.find(({ id }) => id === 'a.rate')
  expect(`${rate?.documented} ${rate?.unit}`).toBe(documented)
  expect([...left]).toEqual([])
})

test.each<unknown>(['fast', '100/fortnight', { limit: 5 }, { limit: -1, window: 60 }, 7, 'PT1M'])(
  'a rate that nobody understands is told: %j',
  (said) => {
    const { clauses, left } = imported({ 'x-ratelimit': said })
    expect(clauses.map(({ id }) => id)).not.toContain('a.rate')
    expect([...left.keys()]).toEqual([expect.stringMatching(/^api\.json:1: a rate that is said/)])
  }
)

test('of several rates one is asked, and the others are told', () => {
  const { clauses, left } = imported({ 'x-ratelimit': ['5/s', '100/minute'] })
  expect(clauses.at(-1)).toMatchObject({ id: 'a.rate', documented: '5', unit: 'requests/second' })
  expect([...left.values()]).toEqual([1])
})

test.each([
  ['^(a)\\1$', '^(.)\\1$', 'aa', 'ab'],
  ['(?<x>a)\\k<x>', '(?<x>[(b])\\k<x>', 'aabb', 'aab'],
  ['\\(a', '(b)\\1', '(abb', '(ab'],
  ['^a', 'b$', 'ab', 'ba']
])('%s and %s hold together', (one, other, text, wrong) => {
  const both = new RegExp(patternOfBoth(one, other), 'u')
  expect([text, wrong].map((each) => both.test(each))).toEqual([true, false])
})

test.each([
  ['{\n"openapi": "3.1.0",\n"paths": {},\n"paths": {}\n}', 'api.json:4'],
  ['openapi: 3.1.0\npaths: {}\npaths: {}\n', 'api.json:3']
])('a key that comes twice is told: %j', (text, at) => {
  const { left } = importOpenApi(parseSource(text, 'api.json'), 'limits')
  expect([...left.keys()]).toEqual([`${at}: paths comes twice, and the last one counts`])
})
