import { beforeEach, expect, test } from 'vitest'
import type { Account } from '../../../src/platform/functions/account.ts'
import {
  type Arrival,
  admission,
  countRequests
} from '../../../src/platform/functions/admission.ts'
import { stage } from './stage.ts'

const requests = { perMinute: 3, perDay: 5 }
const abuse = { requests: 4, windowMs: 1_000 }
const noon = Date.UTC(2024, 1, 29, 12)
const minuteMs = 60_000

let at: ReturnType<typeof stage>
let free: Account
let paid: Account
beforeEach(() => {
  at = stage()
  free = at.account('free')
  paid = at.account('bundled')
})

function door(limits: Partial<typeof at.limits> = {}) {
  const { rules, store } = at
  const admit = admission({ rules, limits: { ...at.limits, requests, ...limits }, store })
  return (now: number, given: Partial<Arrival> = {}) => {
    const zone = { id: 'zone', plan: 'pro' } as const
    const usual = {
      account: free,
      zone,
      address: '::1',
      matchedBy: 'route',
      failMode: 'closed'
    } as const
    const admitted = admit({ ...usual, ...given }, now)
    return typeof admitted === 'string' ? admitted : admitted.code
  }
}

test('a minute takes so many, by whichever matchedBy and zone they come', () => {
  const admit = door()
  expect(admit(noon)).toBe('run')
  expect(admit(noon, { matchedBy: 'subdomain', zone: { id: 'shared', plan: 'free' } })).toBe('run')
  expect(admit(noon, { matchedBy: 'domain', zone: { id: 'large', plan: 'enterprise' } })).toBe(
    'run'
  )
  expect(admit(noon)).toBe(1015)
  expect(admit(noon + minuteMs - 1)).toBe(1015)
  expect(admit(noon + minuteMs)).toBe('run')
})

test('accounts do not share a minute, and a paid plan has none', () => {
  const admit = door()
  for (let request = 0; request < 10; request++) expect(admit(noon, { account: paid })).toBe('run')
  for (let request = 0; request < 3; request++) expect(admit(noon)).toBe('run')
  expect(admit(noon, { account: at.account('free') })).toBe('run')
  expect(admit(noon)).toBe(1015)
  expect(admit(noon, { account: { ...free, plan: 'standard' } })).toBe('run')
})

test('a day takes so many, and ends at midnight UTC', () => {
  const admit = door()
  const counted = { account: free.id, scope: free.id, day: '2024-02-29' }
  countRequests(at.store, { ...counted, day: '2024-02-28' }, 1_000)
  countRequests(at.store, counted, 3)
  expect([admit(noon), admit(noon), admit(noon)]).toEqual(['run', 'run', 1027])
  const midnight = Date.UTC(2024, 2, 1)
  expect([admit(midnight - 1), admit(midnight)]).toEqual([1027, 'run'])
})

test.each([
  ['route', 'open', 'bypass'],
  ['route', 'closed', 1027],
  ['domain', 'open', 1027],
  ['subdomain', 'open', 1027]
] as const)('when the day is used up, by %s and fail-%s: %s', (matchedBy, failMode, expected) => {
  const admit = door()
  countRequests(at.store, { account: free.id, scope: free.id, day: '2024-02-29' }, 5)
  expect(admit(noon, { matchedBy: matchedBy, failMode })).toBe(expected)
})

test('what was refused does not count', () => {
  const admit = door({ requests: { perMinute: 1, perDay: 3 } })
  const seen = [0, 1, 2, minuteMs, minuteMs + 1, 2 * minuteMs, 3 * minuteMs]
  expect(seen.map((ms) => admit(noon + ms))).toEqual([
    ...['run', 1015, 1015, 'run', 1015, 'run', 1027]
  ])
})

test('counts survive a new start', () => {
  const admit = door()
  for (let request = 0; request < 3; request++) admit(noon)
  const again = door()
  const late = noon + minuteMs
  expect([again(late), again(late), again(late)]).toEqual(['run', 'run', 1027])
})

test('many requests from one address to one zone are abuse, on any plan but Enterprise', () => {
  const admit = door({ abuse })
  const many = (given: Partial<Arrival>) =>
    Array.from({ length: 6 }, () => admit(noon, { account: paid, ...given }))
  expect(many({})).toEqual(['run', 'run', 'run', 'run', 1015, 1015])
  expect(many({ address: '::2' }).at(-1)).toBe(1015)
  expect(admit(noon, { account: paid, zone: { id: 'other', plan: 'free' } })).toBe('run')
  expect(many({ zone: { id: 'large', plan: 'enterprise' } })).not.toContain(1015)
  expect(admit(noon + 1_000, { account: paid })).toBe('run')
})
