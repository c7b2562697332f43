import { expect, test } from 'vitest'
import { parseFilter } from '../../../src/platform/logpush/filter.ts'
import { passes, selection } from '../../../src/platform/logpush/selection.ts'

const limits = { filterBytes: Infinity, filterOperators: Infinity }
const isPassed = (
  where: object,
  fields: object,
  dataset: 'http_requests' | 'workers_trace_events'
) =>
  passes(selection, {
    filter: parseFilter(JSON.stringify({ where }), dataset, limits),
    dataset,
    fields: fields as Record<string, unknown>
  })

const [host, status, tags] = ['ClientRequestHost', 'EdgeResponseStatus', 'ScriptTags']
const fields = { [host]: 'shop.test', [status]: 404, [tags]: ['one', 'two'] }

test.each([
  [host, 'eq', 'shop.test', true],
  [host, 'eq', 'shop', false],
  [host, 'eq', 'SHOP.TEST', false],
  [host, '!eq', 'shop', true],
  [host, 'contains', 'op.t', true],
  [host, 'contains', 'blog', false],
  [host, '!contains', 'op.t', false],
  [host, 'startsWith', 'shop', true],
  [host, 'startsWith', 'hop', false],
  [host, '!startsWith', 'hop', true],
  [host, 'endsWith', '.test', true],
  [host, 'endsWith', '.tes', false],
  [host, '!endsWith', '.test', false],
  [host, 'in', ['blog.test', 'shop.test'], true],
  [host, 'in', ['blog.test'], false],
  [host, '!in', ['blog.test'], true],
  [status, 'eq', '404', true],
  [status, 'eq', '0404', true],
  [status, 'eq', '40', false],
  [status, '!eq', '404', false],
  [status, 'lt', '404', false],
  [status, 'leq', '404', true],
  [status, 'gt', '403', true],
  [status, 'geq', '405', false],
  [status, 'lt', '1000', true],
  [status, 'in', [200, '404'], true],
  [status, '!in', [404], false],
  [tags, 'contains', 'two', true],
  [tags, 'contains', 'tw', false],
  [tags, '!contains', 'tw', true],
  // What a record does not have is equal to nothing.
  ['ClientIP', 'eq', '', false],
  ['ClientIP', '!eq', '', true],
  ['ClientIP', '!contains', 'a', true]
])('%s %s %j is %s', (key, operator, value, expected) => {
  const dataset = key === tags ? 'workers_trace_events' : 'http_requests'
  expect(isPassed({ key, operator, value }, fields, dataset)).toBe(expected)
})

test('and and or mean what they say, at every depth', () => {
  const is = (value: string) => ({ key: host, operator: 'contains', value })
  const [x, y, z] = [is('x'), is('y'), is('z')]
  const shapes: [object, (x: boolean, y: boolean, z: boolean) => boolean][] = [
    [{ and: [x, y, z] }, (x, y, z) => x && y && z],
    [{ or: [x, y, z] }, (x, y, z) => x || y || z],
    [{ and: [x, { or: [y, z] }] }, (x, y, z) => x && (y || z)],
    [{ or: [{ and: [x, y] }, z] }, (x, y, z) => (x && y) || z],
    [{ and: [{ or: [x, { and: [y, z] }] }, y] }, (x, y, z) => (x || (y && z)) && y]
  ]
  for (const [where, truth] of shapes)
    for (const text of ['', 'x', 'y', 'z', 'xy', 'xz', 'yz', 'xyz']) {
      const [hasX, hasY, hasZ] = ['x', 'y', 'z'].map((letter) => text.includes(letter))
      const expected = truth(hasX!, hasY!, hasZ!)
      expect(isPassed(where, { [host]: text }, 'http_requests')).toBe(expected)
    }
})

test('a sample is its share of the requests, and the same ones each time', () => {
  const rays = Array.from({ length: 4_000 }, (_, number) => ({ RayID: number.toString(16) }))
  const sample = (rate: number) => rays.filter((fields) => selection.isSampled(rate, fields))
  expect(sample(1)).toHaveLength(4_000)
  expect(Math.abs(sample(0.25).length - 1_000)).toBeLessThan(120)
  expect(sample(0.25)).toEqual(sample(0.25))
  // Whatever a small sample has, a larger one has too.
  const larger = new Set(sample(0.5))
  expect(sample(0.25).every((fields) => larger.has(fields))).toBe(true)
})

test('without an id of the request, the whole record decides', () => {
  const records = Array.from({ length: 200 }, (_, number) => ({ ScriptName: `${number}` }))
  const kept = records.filter((fields) => selection.isSampled(0.5, fields))
  expect(kept.length).toBeGreaterThan(50)
  expect(kept.length).toBeLessThan(150)
})
