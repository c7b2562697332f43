import { beforeEach, expect, test } from 'vitest'
import type { Account } from '../../../src/platform/functions/account.ts'
import { addDomain, functionByDomain } from '../../../src/platform/functions/domain.ts'
import type { EdgeFunction } from '../../../src/platform/functions/function.ts'
import { deleteFunction } from '../../../src/platform/functions/function.ts'
import {
  addRoute,
  deleteRoute,
  listRoutes,
  routeOf
} from '../../../src/platform/functions/route.ts'
import type { Zone } from '../../../src/platform/kernel/zone.ts'
import { stage } from './stage.ts'

let at: ReturnType<typeof stage>
let account: Account
let zone: Zone
let target: EdgeFunction

beforeEach(() => {
  at = stage()
  account = at.account()
  zone = at.zone(account, 'example.test')
  target = at.deployed(account)
})

const add = (pattern: string, to = target, limits = at.limits, within = zone) =>
  addRoute(
    at.store,
    { zone: within, route: { pattern, function: to.id, failMode: 'closed' } },
    limits
  )
const met = (address: string) => {
  const [, host = '', path = ''] = /^([^/]*)(.*)$/.exec(address)!
  return routeOf(at.store, zone.id, { host, path })?.pattern
}

test.each([
  ['example.test/', 'example.test/'],
  ['example.test/a', 'example.test/a'],
  ['example.test/ab', 'example.test/a*'],
  ['example.test/a/b', 'example.test/a/*'],
  ['example.test/b', 'example.test/*'],
  ['shop.example.test/a', '*.example.test/*'],
  ['a.shop.example.test/a', '*.shop.example.test/*'],
  ['badexample.test/a', '*example.test/*'],
  ['other.test/a', undefined]
])('%s takes the most specific route, %s', (address, pattern) => {
  for (const each of [
    ...['*example.test/*', '*.example.test/*', '*.shop.example.test/*'],
    ...['example.test/*', 'example.test/a*', 'example.test/a/*', 'example.test/a', 'example.test']
  ])
    add(each)
  expect(met(address)).toBe(pattern === 'example.test/' ? 'example.test' : pattern)
})

test('a host beats any path behind a wildcard', () => {
  add('*.example.test/deep/down')
  add('shop.example.test/*')
  expect(met('shop.example.test/deep/down')).toBe('shop.example.test/*')
})

test('a zone has as many routes as the limit, and a route can always be replaced', () => {
  const limits = { ...at.limits, routesPerZone: 2 }
  add('example.test/1', target, limits)
  add('example.test/2', target, limits)
  expect(() => add('example.test/3', target, limits)).toThrow('a zone has at most 2 routes')
  const other = at.deployed(account, { name: 'other' })
  add('example.test/2', other, limits)
  expect(listRoutes(at.store, zone.id).map(({ function: id }) => id)).toEqual([target.id, other.id])
  expect(deleteRoute(at.store, zone.id, 'example.test/1')).toBe(true)
  expect(deleteRoute(at.store, zone.id, 'example.test/1')).toBe(false)
  add('example.test/3', target, limits)
})

test('a function is in as many zones as the limit, on any number of routes there', () => {
  const limits = { ...at.limits, zonesPerFunction: 2 }
  const [second, third] = ['second.test', 'third.test'].map((host) => at.zone(account, host))
  add('example.test/1', target, limits)
  add('second.test/1', target, limits, second)
  add('second.test/2', target, limits, second)
  expect(() => add('third.test/1', target, limits, third)).toThrow('at most 2 zones')
  add('third.test/1', at.deployed(account, { name: 'other' }), limits, third)
})

test('a route stays within its zone and its account', () => {
  expect(() => add('other.test/*')).toThrow('not within the zone example.test')
  expect(() => add('example.test/*', at.deployed(at.account()))).toThrow('same account')
  expect(() => add('example.test/*', { ...target, id: 'nobody' })).toThrow('same account')
})

test('what leads to a function goes with it', () => {
  add('example.test/*')
  addDomain(at.store, target, 'api.example.test')
  deleteFunction(at.store, target)
  expect(met('example.test/')).toBeUndefined()
  expect(functionByDomain(at.store, 'api.example.test')).toBeUndefined()
})

test('a custom domain belongs to one function, in a zone of its account', () => {
  addDomain(at.store, target, 'api.example.test')
  addDomain(at.store, target, 'api.example.test')
  expect(functionByDomain(at.store, 'api.example.test')).toEqual(target)
  expect(functionByDomain(at.store, 'example.test')).toBeUndefined()
  const other = at.deployed(account, { name: 'other' })
  expect(() => addDomain(at.store, other, 'api.example.test')).toThrow('of another function')
  expect(() => addDomain(at.store, target, 'elsewhere.test')).toThrow('in no zone')
  const stranger = at.deployed(at.account())
  expect(() => addDomain(at.store, stranger, 'example.test')).toThrow('in no zone')
})
