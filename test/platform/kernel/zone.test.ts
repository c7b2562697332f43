import { expect, test } from 'vitest'
import {
  allZones,
  changeZone,
  insertZone,
  zoneByHost,
  zoneById
} from '../../../src/platform/kernel/zone.ts'
import { openStore } from '../store.ts'

const zone = (id: string, host: string) => ({ id, host, account: 'owner', plan: 'free' as const })
const store = openStore()
for (const [id, host] of [
  ['a', 'example.test'],
  ['b', 'shop.example.test'],
  ['c', 'other.test']
])
  insertZone(store, zone(id!, host!))

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

test('a zone changes in what is given, and no other with it', () => {
  const change = (given: Parameters<typeof changeZone>[2]) => {
    changeZone(store, zoneById(store, 'c')!, given)
    return zoneById(store, 'c')
  }
  const origin = 'http://127.0.0.1:80'
  const before = zone('c', 'other.test')
  expect(zoneById(store, 'c')).toEqual({ ...before, origin: null })
  expect(change({ plan: 'pro' })).toEqual({ ...before, plan: 'pro', origin: null })
  expect(change({ origin })).toEqual({ ...before, plan: 'pro', origin })
  expect(change({})).toEqual({ ...before, plan: 'pro', origin })
  expect(change({ origin: null })).toEqual({ ...before, plan: 'pro', origin: null })
  expect(allZones(store).map(({ plan }) => plan)).toEqual(['free', 'free', 'pro'])
  expect(zoneById(store, 'd')).toBeUndefined()
})
