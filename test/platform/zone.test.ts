import { expect, test } from 'vitest'
import { openStore } from '../../src/platform/store.ts'
import { addZone, allZones, movePlan, zoneByHost, zoneById } from '../../src/platform/zone.ts'

const zone = (id: string, host: string) => ({ id, host, account: 'owner', plan: 'free' as const })
const store = openStore()
for (const [id, host] of [
  ['a', 'example.test'],
  ['b', 'shop.example.test'],
  ['c', 'other.test']
])
  addZone(store, zone(id!, host!), {})

test.each([
  ['example.test', 'a'],
  ['www.example.test', 'a'],
  ['a.b.c.example.test', 'a'],
  ['shop.example.test', 'b'],
  ['www.shop.example.test', 'b'],
  ['notexample.test', undefined],
  ['test', undefined],
  ['', undefined],
  ['.', undefined],
  ['..example.test', 'a']
])('%j belongs to zone %s', (host, id) => {
  expect(zoneByHost(store, host)?.id).toBe(id)
})

test('a zone moves to another plan, and no other with it', () => {
  movePlan(store, 'c', 'enterprise')
  expect(zoneById(store, 'c')).toEqual({ ...zone('c', 'other.test'), plan: 'enterprise' })
  expect(allZones(store).map(({ plan }) => plan)).toEqual(['free', 'free', 'enterprise'])
  expect(zoneById(store, 'd')).toBeUndefined()
})
