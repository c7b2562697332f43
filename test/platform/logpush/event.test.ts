import { expect, test } from 'vitest'
import { addSecurityEvent } from '../../../src/platform/kernel/security-event.ts'
import { passOverEvents, tellEvents } from '../../../src/platform/logpush/event.ts'
import type { Fields } from '../../../src/platform/logpush/record.ts'
import { stocked } from './stocked.ts'

const event = {
  at: '2024-01-08T09:30:00.125Z',
  source: 'waf',
  action: 'block',
  ruleId: 'rule',
  rulesetId: 'ruleset',
  method: 'GET',
  host: 'a.test',
  path: '/admin',
  address: '127.0.0.1',
  ray: '0123456789abcdef'
}
const told = {
  Action: 'block',
  ClientIP: '127.0.0.1',
  ClientRequestHost: 'a.test',
  ClientRequestMethod: 'GET',
  ClientRequestPath: '/admin',
  Datetime: Date.UTC(2024, 0, 8, 9, 30, 0, 125),
  RayID: '0123456789abcdef',
  RuleID: 'rule',
  RulesetID: 'ruleset',
  Source: 'waf'
}

test('every security event is told once, in order, to the logs of its zone', async () => {
  const { store, zone } = stocked()
  const records: [string, string, Fields][] = []
  const logs = { record: async (...record: (typeof records)[number]) => void records.push(record) }
  await tellEvents({ store, logs }, zone.id)
  expect(records).toEqual([])
  for (const ruleId of ['one', 'two']) addSecurityEvent(store, zone.id, { ...event, ruleId })
  await tellEvents({ store, logs }, zone.id)
  await tellEvents({ store, logs }, zone.id)
  addSecurityEvent(store, zone.id, event)
  await tellEvents({ store, logs }, zone.id)
  const rules = ['one', 'two', 'rule']
  expect(records).toEqual(rules.map((RuleID) => ['firewall_events', zone.id, { ...told, RuleID }]))
})

test('what happened before there was a job is passed over', async () => {
  const { store, zone } = stocked()
  const told: unknown[] = []
  const logs = {
    record: async (...[, , { RuleID }]: [string, string, Fields]) => void told.push(RuleID)
  }
  passOverEvents(store, zone.id)
  for (const ruleId of ['one', 'two']) addSecurityEvent(store, zone.id, { ...event, ruleId })
  passOverEvents(store, zone.id)
  addSecurityEvent(store, zone.id, { ...event, ruleId: 'three' })
  await tellEvents({ store, logs }, zone.id)
  expect(told).toEqual(['three'])
})
