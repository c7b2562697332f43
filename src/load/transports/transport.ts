import type { Clock } from '../../clock.ts'
import type { Route } from '../../route.ts'
import { sumCounts } from '../figures/counts.ts'
import type { Sample } from '../figures/sample.ts'
import type { StreamMetric } from '../figures/stream-metrics.ts'
import type { Prepared, Request } from '../requests/request.ts'

/**
 * The names of all ways to send: our own, of which `http1` is `uring` where that can be and else
 * `wire`, and two libraries.
 */
export const transportNames = ['http1', 'wire', 'uring', 'http2', 'undici', 'autocannon'] as const

/** The name of a way to send. */
export type TransportName = (typeof transportNames)[number]

/** The names of those whose connections outlast a load. */
export const lastingTransports = [
  'http1',
  'wire',
  'uring',
  'http2',
  'undici'
] as const satisfies TransportName[]

/** The name of a way to send over connections that outlast a load. */
export type LastingTransport = (typeof lastingTransports)[number]

/** What became of connections, as counts. */
export type Connections = {
  opened: number
  /** Attempts that led to no connection, by ending. */
  failed: Record<string, number>
  /** The same attempts by why there is none, in words. */
  causes: Record<string, number>
  /** Connections the target ended or broke. */
  lost: number
  /** Responses, parts of one, or messages that no request waited for; no failures of any. */
  unsolicited: number
  /**
   * How streams, calls and connections were ended before their answers, or why they had to be, in
   * words such as `RST_STREAM (REFUSED_STREAM)` or `close 1011 (overloaded)`, which may be a
   * target's; absent where none was.
   */
  ends?: Record<string, number>
  /** What the target speaks: `HTTP/1.1`, `HTTP/1.0`, `HTTP/2`; '' before a response. */
  protocol: string
  /** What sent, and why it was not what was asked for; '' where that is as asked. */
  transport: string
}

/** What a transport is made with, and whom it tells. */
export type TransportOptions = {
  origin: string
  /** One of the requests that go this way; what a WebSocket is opened with. */
  request?: Request
  /** Where the origin leads, and how much may be sent there. */
  route: Route
  /** The time that caps are kept by. */
  clock: Clock
  connections: number
  pipelining: number
  timeoutMs: number
  /** False sends to targets whose certificate cannot be verified. */
  verifyTls: boolean
  /** Milliseconds since the start of the load. */
  now: () => number
  /** Told of every finished request; the sample is only good until it returns. */
  onSample: (sample: Sample) => void
  /** Told how long each connection took to come about. */
  onConnect: (ms: number) => void
  /** Told of what is counted of WebSockets; of what was due at that moment, or happens now. */
  onStream?: (name: StreamMetric, value: number, due?: number) => void
}

/** Carries requests to one origin. Nothing a target does makes it throw. */
export type Transport = {
  /** Opens the connections; resolves when each is there or has failed once. */
  open(): Promise<void>
  /**
   * Accepts a request, which leaves at the next `flush` or, if none is free, with the next lane.
   */
  send(prepared: Prepared, due: number, token: number): void
  flush(): void
  connections(): Connections
  /** Ends everything at once; requests in flight are forgotten without a sample. */
  close(): void
}

/** Makes a transport, with no connections yet. */
export type MakeTransport = (options: TransportOptions) => Transport

/** No connections yet. */
export function noConnections(): Connections {
  return {
    ...{ opened: 0, failed: {}, causes: {}, lost: 0, unsolicited: 0 },
    ...{ protocol: '', transport: '' }
  }
}

const together = (names: readonly string[]) => [...new Set(names.filter(Boolean))].sort().join(', ')

/** What became of the connections of several transports, or workers, together. */
export function mergeConnections(parts: readonly Connections[]): Connections {
  const ends = sumCounts(parts.map((part) => part.ends ?? {}))
  return {
    opened: parts.reduce((sum, { opened }) => sum + opened, 0),
    failed: sumCounts(parts.map(({ failed }) => failed)),
    causes: sumCounts(parts.map(({ causes }) => causes)),
    lost: parts.reduce((sum, { lost }) => sum + lost, 0),
    unsolicited: parts.reduce((sum, { unsolicited }) => sum + unsolicited, 0),
    ...(Object.keys(ends).length > 0 && { ends }),
    protocol: together(parts.map(({ protocol }) => protocol)),
    transport: together(parts.map(({ transport }) => transport))
  }
}

function countsSince<Key extends string>(
  before: Partial<Record<Key, number>>,
  now: Partial<Record<Key, number>>
): Record<Key, number> {
  const more = Object.entries<number>(now as Record<string, number>).map(([key, count]) => {
    return [key, count - (before[key as Key] ?? 0)] as const
  })
  return Object.fromEntries(more.filter(([, count]) => count > 0)) as Record<Key, number>
}

/** What became of connections between two looks at one transport; what it speaks is the last. */
export function connectionsSince(before: Connections, now: Connections): Connections {
  const ends = countsSince(before.ends ?? {}, now.ends ?? {})
  return {
    opened: now.opened - before.opened,
    failed: countsSince(before.failed, now.failed),
    causes: countsSince(before.causes, now.causes),
    lost: now.lost - before.lost,
    unsolicited: now.unsolicited - before.unsolicited,
    ...(Object.keys(ends).length > 0 && { ends }),
    protocol: now.protocol,
    transport: now.transport
  }
}
