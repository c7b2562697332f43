import { expect, test } from 'vitest'
import { createCalls } from '../../../../../src/platform/functions/isolate/host/calls.ts'
import type { Connection } from '../../../../../src/platform/functions/isolate/host/connections.ts'
import type { CallMessage } from '../../../../../src/platform/functions/isolate/message.ts'
import {
  type IsolateRules,
  isolateRules
} from '../../../../../src/platform/functions/isolate/rules.ts'
import { limitsOf } from '../isolates.ts'

/** Calls of one invocation, all that they sent, and what became of connections. */
function open(rules: Partial<IsolateRules> = {}, limits = {}) {
  const sent: string[] = []
  const connections: string[] = []
  const wanted: Connection[] = []
  const note = (what: string) => () => void connections.push(what)
  const calls = createCalls({
    limits: limitsOf(limits),
    rules: { ...isolateRules, ...rules },
    connections: {
      want(connection) {
        wanted.push(connection)
        connection.start()
      },
      busy: note('busy'),
      idle: note('idle'),
      release: note('release'),
      close: note('close')
    },
    toPlatform: (message) =>
      sent.push(message.t === 'call' ? `call ${message.args[0]?.url ?? ''}` : message.t),
    toGuest: (message) =>
      sent.push(
        message.t === 'result'
          ? `result ${message.fault?.message ?? 'well'}`
          : `to guest: ${message.t}`
      ),
    warn: () => sent.push('warn')
  })
  return { ...calls, sent, connections, wanted }
}

const callOf = (service: string, method: string, call = 1): CallMessage => ({
  ...{ t: 'call', call, invocation: 1, service, method, id: '', hasBody: false },
  args: [{ method: 'GET', url: 'http://a.test/', headers: [] }, { redirect: 'follow' }]
})
const answer = (status: number, headers: string[][] = []) =>
  ({ t: 'result', call: 1, value: { status, headers }, hasBody: true }) as const

test.each([
  ...['fetch.fetch', 'kv.get', 'kv.put', 'kv.list', 'kv.delete', 'cache.put', 'cache.match'],
  ...['cache.delete', 'objects.list', 'objects.get', 'objects.put', 'objects.delete'],
  ...['objects.head', 'queue.send', 'queue.sendBatch', 'socket.connect']
])('%s takes a connection', (name) => {
  const { make, wanted } = open()
  const [service, method] = name.split('.') as [string, string]
  make(callOf(service, method))
  expect(wanted).toHaveLength(1)
})

test.each(['service.fetch', 'stateful.fetch', 'storage.get'])('%s takes none', (name) => {
  const { make, wanted, sent } = open()
  const [service, method] = name.split('.') as [string, string]
  make(callOf(service, method))
  expect([wanted.length, sent.length]).toEqual([0, 1])
})

test.each([
  { service: 'fetch', method: 'fetch', quota: 'external' },
  { service: 'cache', method: 'match', quota: 'external' },
  { service: 'objects', method: 'get', quota: 'external' },
  { service: 'service', method: 'fetch', quota: 'external' },
  { service: 'kv', method: 'get', quota: 'internal' },
  { service: 'stateful', method: 'fetch', quota: 'internal' },
  { service: 'queue', method: 'send', quota: 'internal' },
  { service: 'storage', method: 'get', quota: 'none' }
])('$service is $quota', ({ service, method, quota }) => {
  const { make, counts, sent } = open({}, { subrequests: 2, internalSubrequests: 2 })
  for (let call = 1; call <= 3; call++) make(callOf(service, method, call))
  const none = { external: 0, internal: 0, none: 0 }
  expect(counts()).toEqual({ ...none, [quota]: quota === 'none' ? 3 : 2 })
  const refusals = sent.filter((what) => what === 'result Too many subrequests.')
  expect(refusals).toHaveLength(quota === 'none' ? 0 : 1)
})

test('a response without a body frees its connection, one with a body holds it', () => {
  const { make, result, flow, connections } = open()
  make(callOf('fetch', 'fetch', 1))
  result({ t: 'result', call: 1, value: { status: 204, headers: [] } })
  expect(connections).toEqual(['release'])
  make(callOf('fetch', 'fetch', 2))
  result({ ...answer(200), call: 2 })
  flow({ t: 'pull', stream: 'r2' }, 2)
  flow({ t: 'chunk', stream: 'r2', data: new Uint8Array(1) }, 2)
  flow({ t: 'pull', stream: 'r2' }, 2)
  flow({ t: 'end', stream: 'r2' }, 2)
  expect(connections).toEqual(['release', 'idle', 'busy', 'idle', 'busy', 'release'])
})

/** A response of which the guest gives up the body, as the platform then confirms. */
function given(rules: Partial<IsolateRules> = {}, hasBody = false) {
  const opened = open(rules)
  opened.make({ ...callOf('fetch', 'fetch'), hasBody })
  opened.result(answer(200))
  return opened
}

test('a body that is given up frees its connection once its other end is closed', () => {
  const { flow, connections } = given()
  flow({ t: 'cancel', stream: 'r1' }, 1)
  expect(connections).toEqual(['idle'])
  flow({ t: 'end', stream: 'r1' }, 1)
  expect(connections).toEqual(['idle', 'release'])
})

test('by other rules it frees nothing', () => {
  const { flow, connections } = given({ cancelFrees: false })
  flow({ t: 'cancel', stream: 'r1' }, 1)
  flow({ t: 'end', stream: 'r1' }, 1)
  expect(connections).toEqual(['idle'])
})

test('by other rules an unread body holds nothing', () => {
  expect(given({ unreadHolds: false }).connections).toEqual(['release'])
})

test.each([
  { hasBody: false, unread: ['idle'], left: ['idle', 'release'] },
  { hasBody: true, unread: ['release'], left: ['idle'] }
])('by rules that leave out who sent a stream: $hasBody', ({ hasBody, unread, left }) => {
  expect(given({ unreadHolds: 'unless streamed' }, hasBody).connections).toEqual(unread)
  const { flow, connections } = given({ cancelFrees: 'unless streamed' }, hasBody)
  flow({ t: 'cancel', stream: 'r1' }, 1)
  flow({ t: 'end', stream: 'r1' }, 1)
  expect(connections).toEqual(left)
})

test.each([
  { rules: {}, read: 'to guest: broken' },
  { rules: { cancelledUse: 'ends' as const }, read: 'to guest: end' },
  { rules: { cancelledUse: 'hangs' as const }, read: 'cancel' }
])('what was sacrificed is warned of, and reading it meets $read', ({ rules, read }) => {
  const { wanted, flow, sent, connections } = given(rules)
  wanted[0]!.sacrifice()
  expect(sent.slice(-2)).toEqual(['warn', 'cancel'])
  expect(flow({ t: 'end', stream: 'r1' }, 1)).toBe(false)
  expect(connections.at(-1)).toBe('release')
  expect(flow({ t: 'pull', stream: 'r1' }, 1)).toBe(false)
  expect(sent.at(-1)).toBe(read)
})

test.each([
  { status: 301, location: '/b', leads: 'http://a.test/b' },
  { status: 307, location: 'http://b.test/', leads: 'http://b.test/' }
])('a $status leads to $leads', ({ status, location, leads }) => {
  const { make, result, sent, counts } = open()
  make(callOf('fetch', 'fetch'))
  result(answer(status, [['Location', location]]))
  expect(sent).toEqual(['call http://a.test/', `call ${leads}`])
  expect(counts().external).toBe(2)
})

test('by other rules only the first of a chain counts', () => {
  const { make, result, counts } = open({
    quota: { ...isolateRules.quota, 'fetch.redirect': 'none' }
  })
  make(callOf('fetch', 'fetch'))
  result(answer(302, [['location', '/b']]))
  expect(counts().external).toBe(1)
})

test('what is over is known no more', () => {
  const { make, result, has, flow } = open()
  make(callOf('fetch', 'fetch'))
  expect(has(1)).toBe(true)
  result({ t: 'result', call: 1, value: { status: 204, headers: [] } })
  expect(has(1)).toBe(false)
  expect(flow({ t: 'pull', stream: 'r1' }, 1)).toBe(false)
})
