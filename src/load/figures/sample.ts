import type { GrpcStatus } from '../grpc/status.ts'

/**
 * How a request ended. The first is a complete response, whatever its status; the others say why
 * there is none.
 *
 * - `timeout`: no connection, or no complete response, within the timeout
 * - `refused`: nothing listens there, or no way leads there
 * - `reset`, `closed`: the target broke the connection, or ended it in the middle of the response
 * - `malformed`: what came is not an HTTP response, or not the event stream that was asked for
 * - `oversized`: an event of a stream, or a message, is larger than anything that is taken
 * - `rst_stream`, `goaway`: the target ended this HTTP/2 stream alone, or its whole connection,
 *   and said so
 * - `abandoned`: given up together with an earlier request on the same connection
 * - `tls`: no secure connection could be agreed on
 * - `exhausted`: this machine has no ports, descriptors or memory left for another connection
 * - `withheld`: not sent, since no more is authorised
 */
export const endings = [
  'answered',
  'timeout',
  'refused',
  'reset',
  'closed',
  'rst_stream',
  'goaway',
  'malformed',
  'oversized',
  'abandoned',
  'tls',
  'exhausted',
  'withheld'
] as const

/** Endings of requests without a complete answer and without a word why; a part may have come. */
export const unansweredEndings: readonly string[] = [
  ...(['timeout', 'refused', 'reset', 'closed', 'abandoned', 'tls'] satisfies Ending[])
]

/**
 * How a request ended; see `endings`. A WebSocket's `closed` has the code that came with it, and a
 * call of gRPC ends with its status.
 */
export type Ending = (typeof endings)[number] | `closed ${number}` | Exclude<GrpcStatus, 'OK'>

/**
 * What one finished request leaves behind. A transport fills the same one again and again: read it
 * at once, or copy it. Times are milliseconds since the start of the load.
 */
export type Sample = {
  ending: Ending
  /** HTTP status; 0 without a response. */
  status: number
  /** What the sender of the request gave along with it. */
  token: number
  /** Number of the route, for the metrics kept by route. */
  route: number
  /** When it should have been sent, when it was, and when its response began and ended. */
  due: number
  /** NaN where it never was. */
  sent: number
  first: number
  end: number
  /** Bytes of request and response on the connection, heads included. */
  bytesSent: number
  bytesReceived: number
  /** Header names (lower case) and values in turn, and the body, when they were to be kept. */
  headers: string[] | undefined
  body: Buffer[] | undefined
  /** Trailers as headers are, where the transport keeps them. */
  trailers?: string[] | undefined
}

/** Whether a request was sent, and so has a service time. */
export function wasSent({ sent }: Pick<Sample, 'sent'>): boolean {
  return !Number.isNaN(sent)
}

/** When a request was sent, or should have been where it never was. */
export function leftAt(sample: Pick<Sample, 'due' | 'sent'>): number {
  return wasSent(sample) ? sample.sent : sample.due
}

/** A sample to be filled. */
export function createSample(): Sample {
  return {
    ending: 'answered',
    status: 0,
    token: 0,
    route: 0,
    due: 0,
    sent: 0,
    first: 0,
    end: 0,
    bytesSent: 0,
    bytesReceived: 0,
    headers: undefined,
    body: undefined
  }
}
