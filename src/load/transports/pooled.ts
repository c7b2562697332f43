import type { Ending, Sample } from '../figures/sample.ts'
import type { StreamMetric } from '../figures/stream-metrics.ts'
import type { DialAddress } from '../http1/dial.ts'
import type { createDispatch, Dispatch } from './dispatch.ts'
import type { Carrier } from './free-slots.ts'
import type { Flight } from './request-queue.ts'

/** A connection that a pool keeps made. */
export type Pooled = Carrier & {
  /** How often in a row it broke without having brought a response. */
  failures: number
  /** Whether it was ended by who had enough of a response, and not by the target. */
  isLeft?: boolean
}

/** What a connection needs from, and tells, the pool it belongs to. */
export type ConnectionPool<Connection extends Pooled> = {
  address: DialAddress
  pipelining: number
  now: () => number
  /** Every connection reads into this: what is in it is used up at once. */
  buffer: Buffer
  /** Filled before `onFinished`. */
  sample: Sample
  onUp(connection: Connection, tookMs: number): void
  /** An attempt begun at `since` led to no connection. */
  onFailed(connection: Connection, ending: Ending, since: number, error?: Error): void
  /** A connection there was is gone. */
  onLost(connection: Connection, ending: Ending): void
  /** A request is about to be finished: its place can be given to another one. */
  onFree(connection: Connection): void
  /** `sample` says how a request ended, and this what the target speaks. */
  onFinished(protocol: string): void
  /** The target ended a stream or the connection by a frame that says so, or had to be left. */
  onEnded(how: string): void
  /**
   * Everything that is sent over the connection is refused, for the n-th time in a row by `times`:
   * `rested` is called when it is time to try again, later each time. Whoever has waited for a
   * place since before `dueBy` ends like this.
   */
  onRefused(
    connection: Connection,
    refused: { times: number; ending: Ending; dueBy: number; rested: () => void }
  ): void
  /** Something of what WebSockets are counted by has happened; see `TransportOptions`. */
  onStream(name: StreamMetric, value: number, due?: number): void
  /** Bytes came that answer nothing. */
  onUnsolicited(): void
  /** What the connection was given and had not sent when it broke. */
  onUnsent(flight: Flight): void
  /** All that arrived then is worked off: what was added meanwhile can be sent. */
  onRead(arrived: number): void
}

/** A kind of connection, by what is done with one. */
export type ConnectionKind<Connection extends Pooled> = Pick<
  Parameters<typeof createDispatch<Connection>>[0],
  'add' | 'flush'
> & {
  /** One that is still down. */
  create(pool: ConnectionPool<Connection>): Connection
  /** Begins to connect; the pool is told what comes of it. */
  connect(connection: Connection): void
  /** Gives up what takes longer than this. */
  expire(connection: Connection, timeoutMs: number): void
  /** Ends the connection without another word to the pool. */
  destroy(connection: Connection): void
  /** Offers the places that it has now that it is up. */
  offer(connection: Connection, dispatch: Dispatch<Connection>): void
}
