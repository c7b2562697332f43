import { expect, test } from 'vitest'
import { wafLimits as limits } from '../../../src/platform/waf/limits.ts'
import {
  keptAs,
  type Migration,
  type Mode,
  migrationFault,
  migrationRules,
  type State,
  stateOf
} from '../../../src/platform/waf/migration.ts'
import {
  type Configuration,
  unconfigured
} from '../../../src/platform/waf/previous/configuration.ts'

test.each<[from: State, mode: Mode, to: State | undefined]>([
  ['start', 'validation', 'validation'],
  ['start', 'pending', 'pending'],
  ['validation', 'validation', 'validation'],
  ['validation', 'pending', 'pending'],
  ['pending', 'validation', undefined],
  ['pending', 'pending', 'pending'],
  ['complete', 'validation', undefined],
  ['complete', 'pending', 'complete']
])('from %s by %s to %s', (from, mode, to) => {
  expect(migrationRules.next(from, mode)).toBe(to)
})

test('in no state is neither WAF in force, and the new one comes first', () => {
  const states: State[] = ['start', 'validation', 'pending', 'complete']
  expect(states.map((state) => migrationRules.inForce(state))).toEqual([
    ['previous'],
    ['new', 'previous'],
    ['new', 'previous'],
    ['new']
  ])
})

test.each([
  ['pending', 'pending'],
  ['1', 'pending'],
  ['validation', 'validation'],
  ['2', 'validation'],
  ['', undefined],
  ['3', undefined],
  ['start', undefined],
  ['Pending', undefined],
  ['constructor', undefined]
])('the value %j asks for %s', (value, mode) => {
  expect(migrationRules.mode(value)).toBe(mode)
})

test('a migration that is pending is complete from its moment on', () => {
  const pending: Migration = { state: 'pending', completesAt: 1_000 }
  expect([999, 1_000, 1_001].map((now) => stateOf(migrationRules, pending, now))).toEqual([
    'pending',
    'complete',
    'complete'
  ])
  expect(stateOf(migrationRules, { state: 'validation' }, 5_000)).toBe('validation')
})

test('a second update does not put off the end of a migration', () => {
  const before: Migration = { state: 'pending', completesAt: 1_000 }
  expect(keptAs('pending', { before, completesAt: 2_000 })).toBe(before)
  expect(keptAs('complete', { before, completesAt: 2_000 })).toBe(before)
  const begun = keptAs('pending', { before: { state: 'validation' }, completesAt: 2_000 })
  expect(begun).toEqual({ state: 'pending', completesAt: 2_000 })
})

const rule = (expression: string, action: 'bypass' | 'block' = 'bypass') => ({
  ...{ id: 'f0', description: '' },
  ...{ expression, action }
})
const rules = (count: number, action?: 'block') =>
  Array.from({ length: count }, () => rule('ssl', action))

test.each<[what: string, firewallRules: Configuration['firewallRules'], fault: string | undefined]>(
  [
    ['none', [], undefined],
    ['200', rules(200), undefined],
    ['201', rules(201), '201 firewall rules are more than 200'],
    ['201 of which one is not migrated', [...rules(200), ...rules(1, 'block')], undefined],
    ['4,096 bytes', [rule('x'.repeat(4_096))], undefined],
    [
      '4,097 bytes',
      [rule('x'.repeat(4_097))],
      'the expression of firewall rule f0 is longer than 4 KB'
    ],
    ['2,049 characters of two bytes', [rule('é'.repeat(2_049))], 'longer than 4 KB'],
    ['a long one that is not migrated', [rule('x'.repeat(5_000), 'block')], undefined]
  ]
)('%s', (_, firewallRules, fault) => {
  const found = migrationFault(migrationRules, { ...unconfigured, firewallRules }, limits)
  if (fault === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(fault)
})
