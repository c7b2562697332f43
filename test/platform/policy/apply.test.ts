import { expect, test } from 'vitest'
import { application, applied } from '../../../src/platform/policy/apply.ts'
import { type Policy, writePolicy } from '../../../src/platform/policy/policy.ts'
import { openStore } from '../../../src/platform/store.ts'
import { addZone } from '../../../src/platform/zone.ts'

const store = openStore()
const headers = applied(application, store, ({ id }) => `/${id}`)

function having(zone: string, policies: Partial<Policy>[]) {
  addZone(store, { id: zone, host: zone, account: 'o', plan: 'free' }, {})
  const usual = { action: 'allow', expression: 'true', enabled: true, value: 'script-src' } as const
  for (const [number, policy] of policies.entries())
    writePolicy(store, zone, { id: `p${number}`, description: '', ...usual, ...policy })
}

test.each([
  ["script-src 'self'", "script-src 'self'; report-uri /p0"],
  ["script-src 'self';", "script-src 'self'; report-uri /p0"],
  ["script-src 'self' ; ; ", "script-src 'self'; report-uri /p0"],
  ['a ; b', 'a ; b; report-uri /p0']
])('%j is sent as %j', (value, sent) => {
  having(value, [{ value }])
  expect(headers(value, {})).toEqual([['Content-Security-Policy', sent]])
})

test('more expressions than are kept are still all applied', () => {
  const paths = Array.from({ length: 1_200 }, (_, number) => `/p${number}`)
  having(
    'many',
    paths.map((path) => ({ expression: `http.request.uri.path eq "${path}"` }))
  )
  for (const [path, count] of [
    ['/p0', 1],
    ['/p1199', 1],
    ['/p0', 1],
    ['/p1200', 0]
  ] as const)
    expect(headers('many', { 'http.request.uri.path': path })).toHaveLength(count)
})

test('an expression that does not parse matches nothing', () => {
  having('broken', [{ expression: '' }, { expression: 'no.such.field' }, {}])
  expect(headers('broken', {})).toHaveLength(1)
})
