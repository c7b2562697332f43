import { beforeAll, expect, test } from 'vitest'
import { insertZone } from '../../../src/platform/kernel/zone.ts'
import { withDefaults } from '../../../src/platform/page-protection/detection-defaults.ts'
import {
  addDetection,
  countsOf,
  type Filter,
  listDetections,
  pageOf,
  putDetection,
  where
} from '../../../src/platform/page-protection/detection-table.ts'
import { openStore } from '../store.ts'

const store = openStore()
const total = 20_000

beforeAll(() => {
  for (const id of ['a', 'b']) insertZone(store, { id, host: id, account: 'o', plan: 'free' })
  store.transaction(() => {
    for (let number = 0; number < total; number++) {
      const given = {
        id: number.toString(16),
        host: `h${number % 4}`,
        status: number % 5 === 4 ? 'infrequent' : 'active'
      }
      const record = withDefaults.script(given, { host: 'h', now: 0 })
      addDetection(store, { zone: 'a', kind: 'script' }, record)
    }
  })
})

const filter = (more: Partial<Filter> = {}): Filter => ({
  zone: 'a',
  kind: 'script',
  status: ['active'],
  hosts: [],
  ...more
})

test.each([
  ['by default', {}, total * 0.8],
  ['of another status', { status: ['infrequent'] }, total * 0.2],
  ['of both statuses', { status: ['active', 'infrequent'] }, total],
  ['of no status there is', { status: ['gone'] }, 0],
  ['of one host', { hosts: ['h1'] }, total * 0.2],
  ['of two hosts', { hosts: ['h1', 'h3'] }, total * 0.4],
  ['of three hosts', { hosts: ['h1', 'h2', 'h3'] }, total * 0.6],
  ['of a thousand hosts', { hosts: Array.from({ length: 1_000 }, (_, n) => `h${n}`) }, total * 0.8],
  ['of one host and both statuses', { hosts: ['h1'], status: ['active', 'infrequent'] }, total / 4],
  ['of another zone', { zone: 'b' }, 0],
  ['of another kind', { kind: 'cookie' as const }, 0]
])('the pages %s add up', (_, more, expected) => {
  const ids: number[] = []
  const perPage = 3_000
  for (let page = 1; ; page++) {
    const { records, total } = listDetections(store, filter(more), { page, perPage })
    expect(total).toBe(expected)
    ids.push(...records.map(({ id }) => Number.parseInt(id, 16)))
    if (records.length < perPage) break
  }
  expect(ids).toHaveLength(expected)
  expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other))
})

test('a page past the end is empty, however far', () => {
  for (const page of [1_601, Number.MAX_SAFE_INTEGER])
    expect(listDetections(store, filter(), { page, perPage: 10 })).toEqual({
      records: [],
      total: 16_000
    })
})

test('an id is taken once', () => {
  const record = withDefaults.script({ id: '1' }, { host: 'h', now: 0 })
  expect(addDetection(store, { zone: 'a', kind: 'script' }, record)).toBe(false)
  expect(addDetection(store, { zone: 'b', kind: 'script' }, record)).toBe(true)
  store.run("DELETE FROM detection WHERE zone = 'b'")
})

test.each([
  ['status', {}],
  ['host', { hosts: ['h1'] }],
  ['several statuses', { status: ['active', 'infrequent', 'gone'] }],
  ['several hosts', { hosts: ['h1', 'h3'] }],
  ['several of both', { hosts: ['h1', 'h3'], status: ['active', 'infrequent'] }],
  ['a host and several statuses', { hosts: ['h1'], status: ['active', 'infrequent'] }],
  ['nothing', { status: [] }]
])('a list by %s is read off an index, in the order of the index', (_, more) => {
  const { sql, values } = where(filter(more))
  const plan = (statement: string, ...given: (string | number)[]) =>
    store.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${statement}`, ...given)
  const details = [
    ...plan(countsOf(sql), ...(values as string[])),
    ...plan(pageOf(sql), ...(values as string[]), 3, 15, 0)
  ].map(({ detail }) => detail)
  expect(details.some((detail) => detail.includes('USING COVERING INDEX'))).toBe(true)
  expect(details.filter((detail) => /SCAN|TEMP B-TREE/.test(detail))).toEqual([])
})

test('the counts are those of the records, whatever was done to them', () => {
  const counted = () =>
    store.all(`SELECT zone, kind, block, host, status, count FROM detection_count
      WHERE count <> 0 ORDER BY 1, 2, 3, 4, 5`)
  const recounted = () =>
    store.all(`SELECT zone, kind, seq / 1000 AS block, host, status, count(*) AS count
      FROM detection GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`)
  const place = { zone: 'b', kind: 'script' as const, id: 'c' }
  const put = (status: string) => putDetection(store, place, { host: 'H', status }, 1)
  for (const change of [
    () => put('infrequent'),
    () => put('infrequent'),
    () => put('active'),
    () => put('gone'),
    () => store.run("DELETE FROM detection WHERE zone = 'a' AND status = 'infrequent'"),
    () => store.run("DELETE FROM zone WHERE id = 'b'"),
    () => store.run("DELETE FROM zone WHERE id = 'a'")
  ]) {
    change()
    expect(counted()).toEqual(recounted())
  }
  expect(counted()).toEqual([])
})
