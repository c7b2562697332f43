import type { Clock } from '../clock.ts'
import type { Route } from '../route.ts'
import { sumCounts } from './counts.ts'
import type { Prepared } from './request.ts'
import type { Ending, Sample } from './sample.ts'

/** The ways to send: the engine's own sockets, or one of two libraries. */
export type Engine = 'wire' | 'undici' | 'autocannon'

/** What became of connections, as counts. */
export type Connections = {
  opened: number
  /** Attempts that led to no connection, by ending. */
  failed: Partial<Record<Ending, number>>
  /** The same attempts by why there is none, in words. */
  causes: Record<string, number>
  /** Connections the target ended or broke. */
  lost: number
  /** Responses, or parts of one, that no request had asked for. */
  unsolicited: number
  /** What the target speaks, as negotiated: `HTTP/1.1`, `HTTP/1.0`, `h2`; '' before a response. */
  protocol: string
}

/** What a transport is made with, and whom it tells. */
export type TransportOptions = {
  origin: string
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

/** No connections yet. */
export function noConnections(): Connections {
  return { opened: 0, failed: {}, causes: {}, lost: 0, unsolicited: 0, protocol: '' }
}

/** What became of the connections of several transports, or workers, together. */
export function mergeConnections(parts: readonly Connections[]): Connections {
  return {
    opened: parts.reduce((sum, { opened }) => sum + opened, 0),
    failed: sumCounts(parts.map(({ failed }) => failed)),
    causes: sumCounts(parts.map(({ causes }) => causes)),
    lost: parts.reduce((sum, { lost }) => sum + lost, 0),
    unsolicited: parts.reduce((sum, { unsolicited }) => sum + unsolicited, 0),
    protocol: [...new Set(parts.map(({ protocol }) => protocol).filter(Boolean))].sort().join(', ')
  }
}
