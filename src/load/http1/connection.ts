import type { Ending } from '../figures/sample.ts'
import { batch, type Prepared } from '../requests/request.ts'
import { endingOf } from '../transports/failure.ts'
import type { ConnectionPool, Pooled } from '../transports/pooled.ts'
import { emptyFlight, type Flight } from '../transports/request-queue.ts'
import type { Medium, Stream } from './dial.ts'
import {
  advance,
  createParser,
  endsWithConnection,
  expectResponse,
  isInBody,
  type Parser
} from './parser.ts'

/**
 * One HTTP/1.1 connection, made as often as need be, with the requests in flight on it: at the
 * places head, head + 1 … those that were sent, and after them those to be flushed.
 */
export type Connection = Pooled & {
  pool: ConnectionPool<Connection>
  medium: Medium
  /** Since when it has been in this state, in milliseconds after the start of the load. */
  since: number
  hasServed: boolean
  stream: Stream | undefined
  parser: Parser
  flights: Flight[]
  head: number
  flying: number
  queued: number
  /** Of the response that has begun to arrive: when, and how much of it. */
  isBegun: boolean
  first: number
  received: number
}

/** A connection that is still down; what its target's heads say is remembered for all. */
export function createConnection(
  pool: ConnectionPool<Connection>,
  { headCache, medium }: { headCache: Parser['headCache']; medium: Medium }
): Connection {
  return {
    pool,
    medium,
    state: 'down',
    since: 0,
    failures: 0,
    hasServed: false,
    isLeft: false,
    offered: 0,
    isDirty: false,
    stream: undefined,
    parser: createParser(headCache),
    flights: Array.from({ length: pool.pipelining }, emptyFlight),
    head: 0,
    flying: 0,
    queued: 0,
    isBegun: false,
    first: 0,
    received: 0
  }
}

/** The n-th of the places in use and those behind them, which go round in a ring. */
function place({ flights, head }: Connection, n: number): Flight {
  const index = head + n
  return flights[index < flights.length ? index : index - flights.length]!
}

function enter(connection: Connection, state: Connection['state']): void {
  connection.state = state
  connection.since = connection.pool.now()
}

/** Begins to connect; the pool is told what comes of it. */
export function connect(connection: Connection): void {
  const { address } = connection.pool
  enter(connection, 'connecting')
  connection.hasServed = false
  connection.isLeft = false
  // What is told of a stream that was given up already no longer concerns the connection.
  const ifCurrent = (act: () => void) => connection.stream === stream && act()
  const stream = connection.medium.dial(address, {
    onBytes: (at, end) => onBytes(connection, at, end),
    onUp: () => ifCurrent(() => onUp(connection)),
    onEnd: () => ifCurrent(() => onEnd(connection)),
    onClose: () => ifCurrent(() => breakUp(connection, 'closed')),
    onError: (error) =>
      ifCurrent(() => {
        const secure = address.secure && connection.state === 'connecting'
        breakUp(connection, endingOf(error, { secure }), error)
      })
  })
  connection.stream = stream
}

function onUp(connection: Connection): void {
  const { since } = connection
  enter(connection, 'up')
  connection.pool.onUp(connection, connection.since - since)
}

/** Takes a request into a free place; it leaves with the next `flush`. */
export function add(connection: Connection, prepared: Prepared, due: number, token: number): void {
  const flight = place(connection, connection.flying + connection.queued)
  flight.prepared = prepared
  flight.due = due
  flight.token = token
  connection.queued++
}

/** Sends what was added; `sent` is the moment this counts as. */
export function flush(connection: Connection, sent: number): void {
  const { queued, flying } = connection
  if (queued === 0) return
  const bytes = queued === 1 ? place(connection, flying).prepared.bytes : queuedBytes(connection)
  for (let index = 0; index < queued; index++) place(connection, flying + index).sent = sent
  connection.flying += queued
  connection.queued = 0
  connection.stream!.write(bytes)
}

function queuedBytes(connection: Connection): Buffer {
  const { queued, flying } = connection
  const { prepared } = place(connection, flying)
  let same = 1
  while (same < queued && place(connection, flying + same).prepared === prepared) same++
  if (same === queued) return batch(prepared, queued)
  const added = Array.from({ length: queued }, (_, index) => place(connection, flying + index))
  return Buffer.concat(added.map(({ prepared }) => prepared.bytes))
}

function onBytes(connection: Connection, from: number, end: number): void {
  const { pool, parser } = connection
  const arrived = pool.now()
  for (let at = from; at < end; ) {
    const isWanted = connection.flying > 0
    if (isWanted) at = take(connection, at, end, arrived)
    else pool.onUnsolicited()
    if (!isWanted || parser.expects === 'malformed') breakUp(connection, refusal(connection))
    if (connection.state !== 'up') return
  }
  if (!connection.medium.flushesLater) pool.onRead(arrived)
}

/** How a request ends whose response is refused: as its taker says, where that is who refuses. */
function refusal({ parser: { taken } }: Connection): Ending {
  return taken === 'more' || taken === 'enough' ? 'malformed' : taken
}

/** Takes bytes for the oldest request's response, at most to its end; returns how far that was. */
function take(connection: Connection, at: number, end: number, arrived: number): number {
  const { medium, parser } = connection
  if (!connection.isBegun) begin(connection, arrived)
  const to = advance(parser, medium.buffer, at, end)
  connection.received += to - at
  if (parser.expects === 'nothing') complete(connection, arrived)
  else if (parser.taken === 'enough') leave(connection, arrived)
  return to
}

/** Makes what has come of a response all there is to it, and ends the connection. */
function leave(connection: Connection, at: number): void {
  connection.isLeft = true
  connection.parser.keepAlive = false
  complete(connection, at)
}

function begin(connection: Connection, arrived: number): void {
  connection.isBegun = true
  connection.first = arrived
  connection.received = 0
  expectResponse(connection.parser, place(connection, 0).prepared)
}

/** The response is there; what follows is the next one's. */
function complete(connection: Connection, arrived: number): void {
  const { pool, stream, parser } = connection
  connection.hasServed = true
  // An answer that comes before its request was all sent leaves a connection nobody can go on with.
  const isEarly = pool.pipelining === 1 && stream!.writableLength > 0
  const stays = parser.keepAlive && !isEarly
  if (stays) pool.onFree(connection)
  const unsent = isEarly ? connection.medium.unsent(stream!) : 0
  finish(connection, 'answered', arrived, unsent)
  if (stays) return
  // Whose answer is its connection's last does not look at what follows (RFC 9112, section 9.6).
  if (!connection.isLeft) takeBack(connection)
  breakUp(connection, 'closed')
}

/** Has what the target has not looked at sent again over another connection, the oldest first. */
function takeBack(connection: Connection): void {
  const { pool, flying, queued } = connection
  connection.flying = 0
  connection.queued = 0
  for (let last = flying + queued - 1; last >= 0; last--) pool.onUnsent(place(connection, last))
}

/** Makes the oldest request in flight a sample; so many bytes of it have not left. */
function finish(connection: Connection, ending: Ending, end: number, unsent = 0): void {
  const { pool, parser } = connection
  const { sample } = pool
  const { prepared, token, due, sent } = place(connection, 0)
  connection.head = connection.head + 1 === connection.flights.length ? 0 : connection.head + 1
  connection.flying--
  sample.ending = ending
  sample.status = ending === 'answered' ? parser.status : 0
  sample.token = token
  sample.route = prepared.route
  sample.due = due
  sample.sent = sent
  sample.first = connection.first
  sample.end = end
  sample.bytesSent = prepared.bytes.length - unsent
  sample.bytesReceived = connection.isBegun ? connection.received : 0
  sample.headers = prepared.keeps ? parser.headers : undefined
  sample.body = prepared.keeps ? parser.body : undefined
  connection.isBegun = false
  pool.onFinished(parser.minor === 1 ? 'HTTP/1.1' : 'HTTP/1.0')
}

function onEnd(connection: Connection): void {
  if (connection.isBegun && endsWithConnection(connection.parser)) {
    connection.parser.keepAlive = false
    const arrived = connection.pool.now()
    complete(connection, arrived)
    connection.pool.onRead(arrived)
  } else breakUp(connection, 'closed')
}

/** Ends the connection: the oldest request in flight ends so, and those behind it with it. */
function breakUp(connection: Connection, ending: Ending, error?: Error): void {
  const { pool, stream, state, since } = connection
  connection.stream = undefined
  enter(connection, 'down')
  stream!.destroy()
  if (state === 'connecting') {
    connection.failures++
    pool.onFailed(connection, ending, since, error)
    return
  }
  connection.failures = connection.hasServed ? 0 : connection.failures + 1
  while (connection.queued > 0) {
    connection.queued--
    pool.onUnsent(place(connection, connection.flying + connection.queued))
  }
  const isOurs = ending === 'timeout' || ending === 'malformed' || ending === 'oversized'
  const rest = isOurs ? 'abandoned' : ending
  if (connection.flying > 0) finish(connection, ending, connection.since)
  while (connection.flying > 0) finish(connection, rest, connection.since)
  pool.onLost(connection, ending)
}

/** Breaks the connection if what it waits for has taken longer than this, or is not awaited. */
export function expire(connection: Connection, timeoutMs: number): void {
  const { state, since, flying, pool, isBegun, parser } = connection
  const isHeard = isBegun && isInBody(parser) && parser.sink?.isOver()
  const waitsSince =
    state === 'connecting' ? since : flying > 0 ? place(connection, 0).sent : Infinity
  if (isHeard) leave(connection, pool.now())
  else if (pool.now() - waitsSince >= timeoutMs) breakUp(connection, 'timeout')
}

/** Ends the connection without another word to the pool. */
export function destroy(connection: Connection): void {
  const { stream } = connection
  connection.stream = undefined
  enter(connection, 'down')
  stream?.destroy()
}
