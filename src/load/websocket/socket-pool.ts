import type { Ending } from '../figures/sample.ts'
import { socketMedium } from '../http1/dial.ts'
import type { Prepared, Request } from '../requests/request.ts'
import { createPool } from '../transports/pool.ts'
import type { ConnectionPool, Pooled } from '../transports/pooled.ts'
import type { Flight } from '../transports/request-queue.ts'
import type { Transport, TransportOptions } from '../transports/transport.ts'
import { downText, isBroken, type LineDown, openLine, type SocketLine } from './socket-line.ts'

/** A message on its way. */
type Message = Flight & { bytesSent: number }

/** One WebSocket that is kept open, with the messages that wait for an answer, oldest first. */
type KeptSocket = Pooled & {
  pool: ConnectionPool<KeptSocket>
  request: Request
  answer: RegExp | undefined
  line: SocketLine | undefined
  /** Since when it has been in this state. */
  since: number
  hasServed: boolean
  queued: Flight[]
  flying: Message[]
  /** How many of the bytes that have come are some message's, or the handshake's. */
  counted: number
}

function enter(socket: KeptSocket, state: KeptSocket['state']): void {
  socket.state = state
  socket.since = socket.pool.now()
}

/** Makes the oldest message a sample. */
function finish(socket: KeptSocket, ending: Ending, answer?: Buffer): void {
  const { pool, line } = socket
  const { prepared, token, due, sent, bytesSent } = socket.flying.shift()!
  const received = line?.received() ?? socket.counted
  const end = pool.now()
  const isAnswered = ending === 'answered'
  const told = { ending, status: isAnswered ? 101 : 0, token, route: prepared.route }
  const bytes = { bytesSent, bytesReceived: received - socket.counted }
  socket.counted = received
  const kept = prepared.keeps ? { headers: [], body: answer ? [answer] : [] } : {}
  const nothing = { headers: undefined, body: undefined }
  Object.assign(pool.sample, nothing, told, bytes, kept, { due, sent, first: end, end })
  pool.onFinished('WebSocket')
}

function onMessage(socket: KeptSocket, bytes: Buffer): void {
  const { pool, answer, flying } = socket
  pool.onStream('messagesReceived', 1)
  if (answer !== undefined && !answer.test(bytes.toString())) return
  socket.hasServed = true
  if (flying.length > 0) {
    pool.onFree(socket)
    finish(socket, 'answered', bytes)
  } else pool.onUnsolicited()
}

function onDown(socket: KeptSocket, told: LineDown): void {
  const { pool, state, since } = socket
  const { ending, error } = told
  enter(socket, 'down')
  if (state === 'connecting') {
    socket.failures++
    if (ending === 'answered') pool.onEnded(downText(told)!)
    pool.onFailed(socket, ending === 'answered' ? 'refused' : ending, since, error)
    return
  }
  socket.failures = socket.hasServed ? 0 : socket.failures + 1
  const how = downText(told)
  if (how !== undefined) pool.onEnded(how)
  if (isBroken(told)) pool.onStream('brokenSockets', 1)
  for (const flight of socket.queued.splice(0).reverse()) pool.onUnsent(flight)
  const isOurs = ending === 'timeout' || ending === 'malformed' || ending === 'oversized'
  if (socket.flying.length > 0) finish(socket, ending)
  while (socket.flying.length > 0) finish(socket, isOurs ? 'abandoned' : ending)
  socket.line = undefined
  pool.onLost(socket, ending)
}

function connect(socket: KeptSocket): void {
  const { pool, request } = socket
  enter(socket, 'connecting')
  socket.hasServed = false
  socket.line = openLine(request, {
    address: pool.address,
    medium: socketMedium(pool.buffer),
    now: pool.now,
    ears: {
      onUp() {
        const { since } = socket
        enter(socket, 'up')
        socket.counted = socket.line!.received()
        pool.onStream('sockets', 1)
        pool.onUp(socket, socket.since - since)
      },
      onMessage: (bytes) => onMessage(socket, bytes),
      onDown: (told) => onDown(socket, told),
      onRead: () => pool.onRead(pool.now())
    }
  })
}

function flush(socket: KeptSocket, sent: number): void {
  for (const flight of socket.queued.splice(0)) {
    const bytesSent = socket.line!.send(messageOf(flight.prepared))
    socket.pool.onStream('messagesSent', 1, flight.due)
    socket.flying.push({ ...flight, sent, bytesSent })
  }
}

/** The body of a request as a message: text where it was given as one. */
function messageOf({ request: { body = '' } }: Prepared): string | Buffer {
  return typeof body === 'string' ? body : Buffer.from(body)
}

/** Ends a line whose end is ours. */
function giveUp(socket: KeptSocket): void {
  socket.line?.destroy()
  onDown(socket, { ending: 'timeout', status: 0 })
}

/**
 * Keeps WebSockets open and sends messages over them, `pipelining` of them at a time on each; each
 * message that comes answers the oldest, or each that matches what a request says of answers.
 */
export function createSocketPool(options: TransportOptions): Transport {
  const request = options.request!
  const answer = request.answer === undefined ? undefined : new RegExp(request.answer)
  return createPool<KeptSocket>(options, {
    create: (pool) => ({
      ...{ pool, request, answer, state: 'down', since: 0, failures: 0, hasServed: false },
      ...{ offered: 0, isDirty: false, line: undefined, queued: [], flying: [], counted: 0 }
    }),
    add: (socket, prepared, due, token) =>
      void socket.queued.push({ prepared, due, token, sent: 0 }),
    ...{ flush, connect },
    expire(socket, timeoutMs) {
      const { state, since, flying, pool } = socket
      const waitsSince = state === 'connecting' ? since : (flying[0]?.sent ?? Infinity)
      if (state !== 'down' && pool.now() - waitsSince >= timeoutMs) giveUp(socket)
    },
    destroy(socket) {
      socket.line?.leave()
      enter(socket, 'down')
    },
    offer: (socket, dispatch) => dispatch.offerAll(socket)
  })
}
