import type { Socket } from 'node:net'
import type { Ending } from '../figures/sample.ts'
import type { ConnectionPool, Pooled } from '../transports/pooled.ts'
import type { Flight } from '../transports/request-queue.ts'
import { type Carried, fill } from './carried.ts'
import { drain } from './output.ts'
import { dropStream, type Http2Session, type Http2Stream } from './session.ts'

/** One HTTP/2 connection, made as often as need be, with the requests in flight on it. */
export type Http2Connection = Pooled & {
  pool: ConnectionPool<Http2Connection>
  /** Since when it has been in this state, in milliseconds after the start of the load. */
  since: number
  hasServed: boolean
  socket: Socket | undefined
  session: Http2Session<Carried>
  /** Requests that leave with the next flush: the first `queued` of them. */
  queue: Flight[]
  queued: number
  /** The moment that what is being read counts as. */
  arrived: number
  /** Since when it has been asked for a sign of life; Infinity while nobody wants one. */
  askedAt: number
  /** Since when frames that bring nothing are counted. */
  calmAt: number
  /** Streams in a row that the target reset, and whether it is left alone for a while since. */
  resets: number
  isResting: boolean
  /** How often in a row it was, and until when the last time. */
  rests: number
  restedAt: number
  /** What the peer said when it ended the connection by GOAWAY. */
  goAway: string | undefined
}

/** Says in which state it is from now on. */
export function enter(connection: Http2Connection, state: Http2Connection['state']): void {
  connection.state = state
  connection.since = connection.pool.now()
}

/** Offers the places that are free. */
export function offerFree(connection: Http2Connection): void {
  const { session, queued, pool, isResting } = connection
  const most = Math.min(pool.pipelining, session.peerStreams)
  if (session.isDraining || isResting) return
  while (connection.offered + session.active + queued < most) pool.onFree(connection)
}

/** Streams in a row that are reset before the target is left alone, and then after each rest. */
const [mostResets, resetsAgain] = [100, 10]

/** The target has answered a stream: it is there. */
export function served(connection: Http2Connection): void {
  connection.hasServed = true
  connection.resets = 0
  connection.rests = 0
}

/** Who resets one stream after the other is asked less and less, as who refuses connections is. */
export function refused(connection: Http2Connection): void {
  const { pool, isResting, restedAt } = connection
  if (isResting || ++connection.resets < mostResets) return
  connection.isResting = true
  connection.rests++
  const { rests: times, session } = connection
  const rested = () => {
    if (connection.session !== session) return
    connection.isResting = false
    connection.resets = mostResets - resetsAgain
    connection.restedAt = pool.now()
  }
  pool.onRefused(connection, { times, ending: 'rst_stream', dueBy: restedAt, rested })
}

/** How requests end whose connection the target has ended. */
export function lost({ goAway }: Http2Connection): Ending {
  return goAway === undefined ? 'closed' : 'goaway'
}

/** Writes what there is to be written. */
export function write({ session, socket }: Http2Connection): void {
  drain(session.output, (bytes) => {
    session.isStuffed = !socket!.write(bytes)
    const isWritten = socket!.writableLength === 0
    if (isWritten) session.answers = 0
    return isWritten
  })
}

/** Makes a stream a sample. */
export function finish(
  { pool }: Http2Connection,
  stream: Http2Stream<Carried>,
  ending: Ending,
  end: number
): void {
  fill(pool.sample, stream, ending, end)
  pool.onFinished('HTTP/2')
}

/** Ends a stream alone, from here. */
export function cut(
  connection: Http2Connection,
  stream: Http2Stream<Carried>,
  ending: Ending
): void {
  const { session, arrived } = connection
  session.active--
  offerFree(connection)
  finish(connection, stream, ending, arrived)
  dropStream(session, stream, 'CANCEL')
}

/** The streams that are open, the oldest first. */
function openStreams({ session }: Http2Connection): Http2Stream<Carried>[] {
  return session.streams.filter(({ id }) => id > 0).sort((one, other) => one.id - other.id)
}

/** Ends the connection: the oldest request in flight ends so, and the others with it. */
export function breakUp(connection: Http2Connection, ending: Ending, error?: Error): void {
  const { pool, socket, state, since, queue, session } = connection
  connection.socket = undefined
  session.failure ??= { error: 'NO_ERROR', because: 'it was given up' }
  enter(connection, 'down')
  socket!.destroy()
  if (state === 'connecting') {
    connection.failures++
    pool.onFailed(connection, ending, since, error)
    return
  }
  const isWelcome = connection.hasServed && connection.goAway !== 'ENHANCE_YOUR_CALM'
  connection.failures = isWelcome ? 0 : connection.failures + 1
  while (connection.queued > 0) pool.onUnsent(queue[--connection.queued]!)
  const rest = ending === 'timeout' || ending === 'malformed' ? 'abandoned' : ending
  openStreams(connection).forEach((stream, index) => {
    finish(connection, stream, index === 0 ? ending : rest, connection.since)
    stream.id = 0
  })
  pool.onLost(connection, ending)
}

/** Ends the connection without another word to the pool. */
export function destroy(connection: Http2Connection): void {
  const { socket, session } = connection
  connection.socket = undefined
  session.failure ??= { error: 'NO_ERROR', because: 'it was given up' }
  enter(connection, 'down')
  socket?.destroy()
}
