import type { Mutant } from '../../kernel/mutant.ts'
import type { FunctionRules } from '../rules.ts'

/** Every call that holds a connection, by the last part of its clause. */
const calls: Record<string, [service: string, method: string]> = {
  fetch: ['fetch', 'fetch'],
  'kv-get': ['kv', 'get'],
  'kv-put': ['kv', 'put'],
  'kv-list': ['kv', 'list'],
  'kv-delete': ['kv', 'delete'],
  'cache-put': ['cache', 'put'],
  'cache-match': ['cache', 'match'],
  'cache-delete': ['cache', 'delete'],
  'object-list': ['objects', 'list'],
  'object-get': ['objects', 'get'],
  'object-put': ['objects', 'put'],
  'object-delete': ['objects', 'delete'],
  'object-head': ['objects', 'head'],
  'queue-send': ['queue', 'send'],
  'queue-send-batch': ['queue', 'sendBatch'],
  'tcp-socket': ['socket', 'connect']
}

const uncounted = Object.entries(calls).map(([name, [service, method]]): Mutant<FunctionRules> => {
  return {
    name: `${name}-takes-no-connection`,
    clause: `connections.counted-call.${name}`,
    description: `A call of ${service}.${method} is made however many connections are open.`,
    change: { isolate: { connects: { [service]: { [method]: false } } } }
  }
})

const numbers = (['free', 'paid'] as const).flatMap((paid) =>
  [5, 7].map(
    (most): Mutant<FunctionRules> => ({
      name: `connections-${paid}-${most}`,
      clause: `limits.function.connections.${paid}`,
      description: `A request on a ${paid} plan has ${most} connections at once.`,
      change: { limits: { connections: { [paid]: most } } }
    })
  )
)

/** What can be wrong with how many connections a function may have open. */
export const isolateConnectionMutants: readonly Mutant<FunctionRules>[] = [
  ...uncounted,
  ...numbers,
  {
    name: 'connections-unlimited-when-paid',
    clause: 'limits.function.connections.paid',
    description: 'A request on a paid plan has any number of connections at once.',
    change: { limits: { connections: { paid: Infinity } } }
  },
  {
    name: 'seventh-connection-refused',
    clause: 'connections.excess-queued',
    description: 'A call beyond the connections that may be open fails instead of waiting.',
    change: { isolate: { beyondConnections: 'refuse' } }
  },
  {
    name: 'queue-waits-for-all-connections',
    clause: 'connections.start-when-closed',
    besides: ['connections.cancel-body-frees'],
    description: 'Calls that wait for a connection wait until all of those open are closed.',
    change: { isolate: { queueMoves: 'once all are closed' } }
  },
  {
    name: 'unread-body-holds-nothing',
    clause: 'connections.unread-body-holds',
    description: 'A connection is free as soon as the head of its response has come.',
    change: { isolate: { unreadHolds: false } }
  },
  {
    name: 'unread-body-of-a-stream-holds-nothing',
    clause: 'connections.unread-body-holds',
    description: 'The same, and only of a response to what was sent as a stream.',
    change: { isolate: { unreadHolds: 'unless streamed' } }
  },
  {
    name: 'open-socket-holds-nothing',
    clause: 'connections.counted-call.tcp-socket',
    description: 'A socket takes a connection until it is open, and no longer.',
    change: { isolate: { openSocketHolds: false } }
  },
  {
    name: 'cancelled-body-still-holds',
    clause: 'connections.cancel-body-frees',
    description: 'A connection stays taken when the body of its response is cancelled.',
    change: { isolate: { cancelFrees: false } }
  },
  {
    name: 'cancelled-body-of-a-stream-still-holds',
    clause: 'connections.cancel-body-frees',
    description: 'The same, and only of a response to what was sent as a stream.',
    change: { isolate: { cancelFrees: 'unless streamed' } }
  },
  {
    name: 'cancelled-body-of-a-service-still-holds',
    clause: 'connections.start-when-closed',
    description: 'The same, and only of what a store or the cache has.',
    change: { isolate: { cancelFrees: 'of fetches' } }
  },
  {
    name: 'deadlock-ends-the-first-opened',
    clause: 'connections.deadlock-cancels-lru',
    description: 'A deadlock ends the connection that was opened first, however lately used.',
    change: { isolate: { deadlockVictim: 'first opened' } }
  },
  {
    name: 'deadlock-ends-the-last-used',
    clause: 'connections.deadlock-cancels-lru',
    description: 'A deadlock ends the connection that was used last.',
    change: { isolate: { deadlockVictim: 'last' } }
  },
  {
    name: 'deadlock-never-ends',
    clause: 'connections.deadlock-cancels-lru',
    description: 'A deadlock is not noticed.',
    change: { isolate: { deadlockVictim: 'none' } }
  },
  {
    name: 'cancelled-connection-ends-quietly',
    clause: 'error.cancelled-connection-throws',
    description: 'A connection that was cancelled to end a deadlock looks as if it had ended.',
    change: { isolate: { cancelledUse: 'ends' } }
  },
  {
    name: 'cancelled-connection-hangs',
    clause: 'error.cancelled-connection-throws',
    description: 'A connection that was cancelled to end a deadlock never throws, and never ends.',
    change: { isolate: { cancelledUse: 'hangs' } }
  }
]
