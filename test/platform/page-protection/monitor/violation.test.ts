import { expect, test } from 'vitest'
import { insertZone } from '../../../../src/platform/kernel/zone.ts'
import {
  countViolation,
  listViolations
} from '../../../../src/platform/page-protection/monitor/violation.ts'
import { openStore } from '../../store.ts'

test('a zone keeps only so many different violations, and goes on counting those', () => {
  const store = openStore()
  for (const id of ['a', 'b']) insertZone(store, { id, host: id, account: 'o', plan: 'free' })
  const count = (zone: string, blocked: string) => {
    const what = { directive: 'script-src', disposition: 'report' as const, blocked }
    const violation = { ...what, page: 'http://a/', host: 'a' }
    countViolation(store, { zone, policy: 'p', violation }, 2)
  }
  for (const blocked of ['x', 'y', 'z', 'x', 'z']) count('a', blocked)
  count('b', 'z')
  const counts = (zone: string) =>
    listViolations(store, zone).map(({ blocked, count }) => [blocked, count])
  expect(counts('a')).toEqual([
    ['x', 2],
    ['y', 1]
  ])
  expect(counts('b')).toEqual([['z', 1]])
})
