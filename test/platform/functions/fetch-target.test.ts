import { expect, test } from 'vitest'
import { addDomain } from '../../../src/platform/functions/domain.ts'
import { fetchTargets, type Places } from '../../../src/platform/functions/fetch-target.ts'
import type { Caller } from '../../../src/platform/functions/isolate/contract.ts'
import { addRoute } from '../../../src/platform/functions/route.ts'
import { functionRules } from '../../../src/platform/functions/rules.ts'
import { stage } from './stage.ts'

const edge = { host: '127.0.0.1', port: 1 }
const inside = { host: '127.0.0.1', port: 2 }
const places: Places = { edge: async (depth) => ({ ...edge, port: depth }), inside }

/** Two functions: `own` and `other`, on routes, custom domains and the shared subdomain. */
function town(rules = functionRules) {
  const { store, account: open, zone: found, deployed, limits } = stage()
  const account = open()
  const zone = found(account, 'home.test')
  found(account, 'away.test')
  const [own, other] = ['own', 'other'].map((name) => deployed(account, { name }))
  for (const [pattern, target] of [
    ['home.test/*', own!],
    ['home.test/other*', other!]
  ] as const) {
    const route = { pattern, function: target.id, failMode: 'closed' as const }
    addRoute(store, { zone, route }, limits)
  }
  addDomain(store, own!, 'own.home.test')
  addDomain(store, other!, 'other.home.test')
  const reach = fetchTargets({ store, rules, limits }, () => places)
  return (url: string, zoneId: unknown = zone.id, depth = 0) => {
    const address = new URL(url.replace('SHARED', account.subdomain))
    return reach(address, {
      spec: { id: own!.id },
      invocation: { context: { zoneId, depth } }
    } as unknown as Caller)
  }
}

test.each([
  ['http://127.0.0.1:9/', {}],
  ['http://elsewhere.test/', {}],
  ['http://away.test/', { at: edge }],
  ['https://AWAY.test/', { at: edge }],
  ['http://shop.home.test/', { at: inside }],
  ['tcp://home.test:80', { at: edge }],
  ['tcp://home.test:80/other', { at: edge }],
  ['http://home.test/', { at: inside }],
  ['http://home.test/other', { refused: expect.stringContaining('1042') }],
  ['http://own.home.test/', { at: inside }],
  ['http://other.home.test/', { at: edge }],
  ['http://other.SHARED/', { at: edge }]
])('from home.test to %s', async (url, expected) => {
  expect(await town()(url)).toEqual(expected)
})

test('from elsewhere, or from nowhere, every zone is reached at the edge', async () => {
  const reach = town()
  expect(await reach('http://home.test/other', 'another zone')).toEqual({ at: edge })
  expect(await reach('http://home.test/', null)).toEqual({ at: edge })
})

test('what is allowed within a zone is decided by the rules', async () => {
  const reach = town({ ...functionRules, sameZone: { route: 'allow', domain: 'refuse' } })
  expect(await reach('http://home.test/other')).toEqual({ at: edge })
  expect(await reach('http://other.home.test/')).toHaveProperty('refused')
})

test('functions on the shared subdomain do not reach one another', async () => {
  const { store, limits, account: open, deployed } = stage()
  const account = open()
  const own = deployed(account, { name: 'own' })
  deployed(account, { name: 'other' })
  const { id: zoneId } = store.first<{ id: string }>('SELECT id FROM zone')!
  const reach = fetchTargets({ store, limits, rules: functionRules }, () => places)
  const caller = { spec: { id: own.id }, invocation: { context: { zoneId } } } as unknown as Caller
  const url = (name: string) => new URL(`http://${name}.${account.subdomain}/`)
  expect(await reach(url('other'), caller)).toHaveProperty('refused')
  expect(await reach(url('own'), caller)).toHaveProperty('refused')
})

test('requests get deeper each time, and not deeper than the limit', async () => {
  const reach = town()
  expect(await reach('http://away.test/', 'home', 15)).toEqual({ at: { ...edge, port: 16 } })
  const refused = expect.stringContaining('1019')
  expect(await reach('http://away.test/', 'home', 16)).toEqual({ refused })
})
