import type { TLSSocket } from 'node:tls'
import { dial } from '../http1/dial.ts'
import { endingOf } from '../transports/failure.ts'
import type { ConnectionPool } from '../transports/pooled.ts'
import { emptyFlight } from '../transports/request-queue.ts'
import { type Carried, emptyCarried, keep } from './carried.ts'
import {
  breakUp,
  cut,
  enter,
  finish,
  type Http2Connection,
  lost,
  offerFree,
  refused,
  served,
  write
} from './connection.ts'
import { receive } from './receive.ts'
import { pump } from './sending.ts'
import { createSession, type Http2Session, type SessionEvents, sayGoAway } from './session.ts'

/** A connection that is still down. */
export function createHttp2Connection(pool: ConnectionPool<Http2Connection>): Http2Connection {
  const queue = Array.from({ length: pool.pipelining }, emptyFlight)
  const connection = {
    ...{ pool, state: 'down', since: 0, failures: 0, hasServed: false, offered: 0, isDirty: false },
    ...{
      socket: undefined,
      queue,
      queued: 0,
      arrived: 0,
      askedAt: Infinity,
      goAway: undefined,
      calmAt: 0
    },
    ...{ resets: 0, isResting: false, rests: 0, restedAt: -Infinity }
  } as Omit<Http2Connection, 'session'> as Http2Connection
  connection.session = newSession(connection)
  return connection
}

function newSession(connection: Http2Connection): Http2Session<Carried> {
  const { pool } = connection
  return createSession(eventsOf(connection), { streams: pool.pipelining, emptyWork: emptyCarried })
}

/** What becomes of the streams of a connection. */
function eventsOf(connection: Http2Connection): SessionEvents<Carried> {
  const { pool } = connection
  return {
    onReady() {
      const { since } = connection
      enter(connection, 'up')
      pool.onUp(connection, connection.since - since)
    },
    onRoom: () => offerFree(connection),
    onHead({ work }) {
      work.first = connection.arrived
    },
    onData(stream, bytes, at, end) {
      const taken = keep(stream, bytes, at, end)
      if (taken !== 'more') cut(connection, stream, taken === 'enough' ? 'answered' : taken)
    },
    onEnd(stream) {
      served(connection)
      offerFree(connection)
      finish(connection, stream, 'answered', connection.arrived)
    },
    onReset(stream, error) {
      pool.onEnded(`RST_STREAM (${error})`)
      refused(connection)
      offerFree(connection)
      finish(connection, stream, 'rst_stream', connection.arrived)
    },
    onMalformed(stream, because) {
      pool.onEnded(`malformed: ${because}`)
      offerFree(connection)
      finish(connection, stream, 'malformed', connection.arrived)
    },
    onUnsent(stream) {
      // Who is turned away with an error by a target that never served would be so for ever.
      const isTried = connection.hasServed || connection.goAway === 'NO_ERROR'
      if (isTried) pool.onUnsent(stream.work)
      else finish(connection, stream, 'goaway', connection.arrived)
    },
    onGoAway(error) {
      // It may be said again, and then with an error: that is one end of one connection.
      const isWorse = connection.goAway === 'NO_ERROR' && error !== 'NO_ERROR'
      if (connection.goAway === undefined || isWorse) {
        pool.onEnded(`GOAWAY (${error})`)
        connection.goAway = error
      }
      // It takes nothing more, and stays while there are answers to come.
      connection.state = 'down'
    }
  }
}

/** Begins to connect; the pool is told what comes of it. */
export function connect(connection: Http2Connection): void {
  const { pool } = connection
  const { address, buffer } = pool
  enter(connection, 'connecting')
  connection.hasServed = false
  connection.isResting = false
  connection.goAway = undefined
  connection.askedAt = Infinity
  connection.session = newSession(connection)
  const socket = dial(address, {
    ...{ buffer, protocol: 'h2' },
    onBytes: (size) => onBytes(connection, size)
  })
  connection.socket = socket
  // Events of a socket that was given up already no longer concern the connection.
  const on = (event: string, act: (error: Error) => void) =>
    socket.on(event, (error) => connection.socket === socket && act(error))
  on(address.secure ? 'secureConnect' : 'connect', () => {
    const agreed = !address.secure || (socket as TLSSocket).alpnProtocol === 'h2'
    if (agreed) write(connection)
    else breakUp(connection, 'tls', new Error('it does not speak HTTP/2'))
  })
  on('drain', () => {
    connection.session.isStuffed = false
    pump(connection.session)
    write(connection)
  })
  on('end', () => breakUp(connection, lost(connection)))
  on('close', () => breakUp(connection, lost(connection)))
  on('error', (error) => {
    const secure = address.secure && connection.state === 'connecting'
    breakUp(connection, endingOf(error, { secure }), error)
  })
}

/** Answers to what a target asks of us that it does not read; with more it is up to no good. */
const mostAnswers = 10_000

function onBytes(connection: Http2Connection, size: number): void {
  const { pool, session, socket } = connection
  connection.arrived = pool.now()
  connection.askedAt = Infinity
  const isSound = receive(session, pool.buffer, size)
  // It was given up meanwhile.
  if (connection.socket !== socket) return
  if (!isSound) {
    fail(connection, pool.buffer, size)
    return
  }
  pool.onRead(connection.arrived)
  if (connection.socket !== socket) return
  write(connection)
  if (session.answers > mostAnswers) flooded(connection)
  else if (session.isDraining && session.active === 0) breakUp(connection, lost(connection))
}

/** Gives up a connection on which came what is no HTTP/2, or no sane use of it. */
function fail(connection: Http2Connection, bytes: Buffer, size: number): void {
  const { session, state, pool } = connection
  const { error, because } = session.failure!
  const speaks = /^HTTP\/1\.\d/.exec(bytes.toString('latin1', 0, Math.min(size, 16)))?.[0]
  if (state === 'connecting') {
    const why = speaks === undefined ? because : `it speaks ${speaks}`
    breakUp(connection, 'malformed', new Error(why))
    return
  }
  sayGoAway(session, error)
  write(connection)
  pool.onEnded(`malformed: ${because}`)
  breakUp(connection, 'malformed')
}

/** Gives up a connection whose target asks and asks, and reads no answer. */
function flooded(connection: Http2Connection): void {
  connection.pool.onEnded(
    'malformed: a flood of SETTINGS or PING frames whose answers nobody reads'
  )
  breakUp(connection, 'malformed')
}
