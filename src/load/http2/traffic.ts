import type { Prepared } from '../requests/request.ts'
import type { Flight } from '../transports/request-queue.ts'
import { board } from './carried.ts'
import { breakUp, cut, type Http2Connection, lost, write } from './connection.ts'
import { framesOf } from './request-frames.ts'
import { sendData } from './sending.ts'
import { openStream, ping, roomIn } from './session.ts'

/** Takes a request into a free place; it leaves with the next `flush`. */
export function add(
  connection: Http2Connection,
  prepared: Prepared,
  due: number,
  token: number
): void {
  const flight = connection.queue[connection.queued++]!
  flight.prepared = prepared
  flight.due = due
  flight.token = token
}

/** Sends what was added; `sent` is the moment this counts as. */
export function flush(connection: Http2Connection, sent: number): void {
  const { session, queue, queued, pool, socket } = connection
  if (socket === undefined) return
  const room = connection.isResting ? 0 : Math.min(queued, roomIn(session))
  // What the target has no room for any more, or is to be spared now, goes back, the last first.
  while (connection.queued > room) pool.onUnsent(queue[--connection.queued]!)
  connection.queued = 0
  for (let index = 0; index < room; index++) send(connection, queue[index]!, sent)
  write(connection)
}

function send({ session }: Http2Connection, flight: Flight, sent: number): void {
  const start = framesOf(flight.prepared)
  const stream = openStream(session, start)
  board(stream.work, flight, sent)
  if (start.body !== undefined) sendData(session, stream, start.body, true)
}

/** Frames that bring nothing are counted for so long. */
const calmMs = 1_000

/**
 * Gives up what has taken longer than this: an attempt to connect, each stream by itself, and the
 * connection when it gives no sign of life for as long again.
 */
export function expire(connection: Http2Connection, timeoutMs: number): void {
  const { state, since, session, pool, socket } = connection
  if (socket === undefined) return
  const now = pool.now()
  if (now - connection.calmAt >= calmMs) {
    connection.calmAt = now
    session.idleFrames = 0
    session.surplusFrames = 0
  }
  if (state === 'connecting') {
    if (now - since >= timeoutMs) breakUp(connection, 'timeout')
    return
  }
  if (now - connection.askedAt >= timeoutMs) breakUp(connection, 'timeout')
  else if (session.active > 0) expireStreams(connection, now - timeoutMs)
}

/** Who lets a stream take too long may be there no more, which nothing else would tell. */
function askForLife(connection: Http2Connection): void {
  if (connection.askedAt < Infinity) return
  connection.askedAt = connection.arrived
  ping(connection.session)
}

/** Gives up the streams opened by then, and those that nobody listens to any more. */
function expireStreams(connection: Http2Connection, openedBy: number): void {
  const { session, pool, socket } = connection
  let cuts = 0
  connection.arrived = pool.now()
  for (const stream of session.streams) {
    const { id, work, head } = stream
    if (id === 0) continue
    const isHeard = head !== undefined && work.prepared.sink?.isOver()
    if (!isHeard && work.sent > openedBy) continue
    cuts++
    cut(connection, stream, isHeard ? 'answered' : 'timeout')
    if (!isHeard) askForLife(connection)
  }
  if (cuts === 0) return
  pool.onRead(connection.arrived)
  if (connection.socket !== socket) return
  write(connection)
  if (session.isDraining && session.active === 0) breakUp(connection, lost(connection))
}
