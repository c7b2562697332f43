import { expect, test } from 'vitest'
import { insertZone } from '../../../../src/platform/kernel/zone.ts'
import { type Kind, kinds } from '../../../../src/platform/page-protection/detection.ts'
import { listDetections } from '../../../../src/platform/page-protection/detection-table.ts'
import { pageProtectionLimits as limits } from '../../../../src/platform/page-protection/limits.ts'
import { sightings } from '../../../../src/platform/page-protection/monitor/sighting.ts'
import { openStore } from '../../store.ts'

const store = openStore()
for (const id of ['a', 'b']) insertZone(store, { id, host: id, account: 'o', plan: 'free' })

const totalOf = (zone: string, kind: Kind['name']) =>
  listDetections(store, { zone, kind, status: [], hosts: [] }, { page: 1, perPage: 1 }).total
const totals = (zone: string) => kinds.map(({ name }) => totalOf(zone, name))
const sighting = (zone: string, page = 'http://a/') => ({ zone, host: zone, page, now: 0 })

test('a zone has so many reported detections of a kind, and each goes on being counted', () => {
  const seen = sightings(store, { ...limits, reportedDetections: 3 })
  for (let round = 0; round < 3; round++)
    for (let number = 0; number < 5; number++) {
      seen.script(`http://third.test/${number}`, sighting('a'), undefined)
      seen.connection(`http://third.test/${number}`, sighting('a'))
    }
  seen.script('http://third.test/', sighting('b'), undefined)
  expect([totals('a'), totals('b')]).toEqual([
    [3, 3, 0],
    [1, 0, 0]
  ])
  const filter = { zone: 'a', kind: 'script' as const, hosts: [], status: ['active'] }
  expect(listDetections(store, filter, { page: 1, perPage: 1 }).total).toBe(3)
})

test('of the pages something is on, the last hundred are named, and always the first', () => {
  const seen = sightings(store, limits)
  for (let number = 0; number < 150; number++)
    seen.script('http://many.test/', sighting('b', `http://b/${number}`), undefined)
  const filter = { zone: 'b', kind: 'script' as const, hosts: [], status: ['active'] }
  const { records } = listDetections(store, filter, { page: 1, perPage: 1 })
  const { first_page_url, page_urls } = records[0] as {
    first_page_url: string
    page_urls: string[]
  }
  expect(first_page_url).toBe('http://b/0')
  expect(page_urls).toEqual(Array.from({ length: 100 }, (_, number) => `http://b/${number + 50}`))
})
