import { beforeEach, expect, test } from 'vitest'
import type { RequestFacts } from '../../../../src/platform/expression/expression.ts'
import { insertZone } from '../../../../src/platform/kernel/zone.ts'
import { applied } from '../../../../src/platform/page-protection/policy/apply.ts'
import {
  deletePolicy,
  type Policy,
  writePolicy
} from '../../../../src/platform/page-protection/policy/policy.ts'
import { openStore } from '../../store.ts'

const store = openStore()
const made: string[] = []
const apply = applied({
  store,
  limits: { policyHeadBytes: 1_000 },
  onPrepare: (expression) => made.push(expression)
})
const headers = (zone: string, facts: RequestFacts) => apply(zone, () => facts)
const address = '/cdn-cgi/script_monitor/report?policy='
beforeEach(() => {
  made.length = 0
})

function having(zone: string, policies: Partial<Policy>[]) {
  insertZone(store, { id: zone, host: zone, account: 'o', plan: 'free' })
  const usual = { action: 'allow', expression: 'true', enabled: true, value: 'script-src' } as const
  for (const [number, policy] of policies.entries())
    writePolicy(store, zone, { id: `p${number}`, description: '', ...usual, ...policy })
}

test.each([
  ["script-src 'self'", "script-src 'self'; report-uri ADDRESSp0"],
  ["script-src 'self';", "script-src 'self'; report-uri ADDRESSp0"],
  ["script-src 'self' ; ; ", "script-src 'self'; report-uri ADDRESSp0"],
  ['a ; b', 'a ; b; report-uri ADDRESSp0']
])('%j is sent as %j', (value, sent) => {
  having(value, [{ value }])
  expect(headers(value, {})).toEqual([
    ['Content-Security-Policy', sent.replace('ADDRESS', address)]
  ])
})

const path = 'http.request.uri.path'
const at = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, number) => ({ expression: `${path} eq "/${prefix}${number}"` }))

test('an expression is prepared once, however many there are in its zone', () => {
  having('many', at('p', 1_500))
  for (const [asked, count] of [
    ['/p0', 1],
    ['/p1499', 1],
    ['/p0', 1],
    ['/p1500', 0]
  ] as const)
    expect(headers('many', { [path]: asked })).toHaveLength(count)
  expect(made).toHaveLength(1_500)
})

test('what other zones have, and change, costs a zone nothing', () => {
  having('mine', at('m', 3))
  for (let number = 0; number < 20; number++) having(`other${number}`, at(`o${number}x`, 500))
  const round = () => {
    for (let number = 0; number < 20; number++) {
      headers(`other${number}`, {})
      expect(headers('mine', { [path]: '/m2' })).toHaveLength(1)
    }
  }
  round()
  expect(made).toHaveLength(10_003)
  round()
  expect(made).toHaveLength(10_003)
})

test('a change is seen by the next request, and only what is new is prepared', () => {
  having('changing', [{}, ...at('c', 2)])
  expect(headers('changing', {})).toHaveLength(1)
  expect(made).toHaveLength(3)
  const policy = { description: '', action: 'log', enabled: 'true', value: 'img-src' } as const
  writePolicy(store, 'changing', { ...policy, id: 'p0', expression: 'not ssl' })
  expect(headers('changing', { ssl: false })[0]![0]).toBe('Content-Security-Policy-Report-Only')
  expect(made).toHaveLength(4)
  deletePolicy(store, 'changing', 'p0')
  expect(headers('changing', {})).toEqual([])
  store.run('DELETE FROM zone WHERE id = ?', 'changing')
  having('changing', [{ value: 'media-src' }])
  expect(headers('changing', {})[0]![1]).toContain('media-src')
})

test('what is off is neither prepared nor asked', () => {
  having('off', [{ enabled: 'false', expression: 'true' }, { enabled: false }])
  expect(headers('off', {})).toEqual([])
  expect(made).toEqual([])
})

test('facts are not found out where no policy is', () => {
  having('none', [])
  const facts = () => {
    throw new Error('asked')
  }
  expect(apply('none', facts)).toEqual([])
})

test('policies of old that make too large a head leave the zone reachable', () => {
  having(
    'old',
    Array.from({ length: 300 }, () => ({}))
  )
  const sent = headers('old', {})
  expect(sent.length).toBeGreaterThan(1)
  expect(sent.map((one) => `${one.join(': ')}\r\n`).join('').length).toBeLessThanOrEqual(1_000)
})

test('an expression that does not parse matches nothing', () => {
  having('broken', [{ expression: '' }, { expression: 'no.such.field' }, {}])
  expect(headers('broken', {})).toHaveLength(1)
})
