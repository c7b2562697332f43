import { expect, test } from 'vitest'
import {
  addSecurityEvent,
  listSecurityEvents,
  type SecurityEvent
} from '../../../src/platform/kernel/security-event.ts'
import { insertZone } from '../../../src/platform/kernel/zone.ts'
import { openStore } from '../store.ts'

const event = (path: string): SecurityEvent => ({
  at: '2026-01-02T03:04:05.678Z',
  source: 'waf',
  action: 'block',
  ruleId: 'abc',
  method: 'GET',
  host: 'a.test',
  path,
  address: '127.0.0.1',
  ray: '0123456789abcdef'
})

function stored(...ids: string[]) {
  const store = openStore()
  for (const id of ids)
    insertZone(store, { id, account: 'owner', plan: 'free', host: `${id}.test` })
  return store
}

test('events are kept by zone, in the order in which they came', () => {
  const store = stored('a', 'b')
  for (const path of ['/1', '/2']) addSecurityEvent(store, 'a', event(path))
  expect(listSecurityEvents(store, 'a')).toEqual([event('/1'), event('/2')])
  expect(listSecurityEvents(store, 'b')).toEqual([])
  store.close()
})

test('of too many the newest are kept, and each zone has its own', () => {
  const store = stored('a', 'b')
  addSecurityEvent(store, 'b', event('/other'))
  store.transaction(() => {
    for (let number = 1; number <= 10_003; number++)
      addSecurityEvent(store, 'a', event(`/${number}`))
  })
  const kept = listSecurityEvents(store, 'a')
  expect(kept).toHaveLength(10_000)
  expect([kept[0]!.path, kept.at(-1)!.path]).toEqual(['/4', '/10003'])
  expect(listSecurityEvents(store, 'b')).toHaveLength(1)
  store.close()
})
