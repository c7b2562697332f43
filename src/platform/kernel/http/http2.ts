import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { send } from './answer.ts'
import { cutOff, Http2Message, Http2Response, headOf } from './http2-message.ts'
import { endQuiet, type Pace, watchBytes } from './pace.ts'
import type { Service } from './service.ts'
import { spreadTurns } from './turns.ts'

/** How many requests a connection may have under way; announced to the client. */
const mostStreams = 100

/** Fields that are read of one head; beyond them a stream is reset. */
const mostFields = 10_000

/** What a connection is held to, in ms and bytes. */
type Held = { headBytes: number; pace: Pace; idleMs: number; quietMs: number }

/**
 * Speaks HTTP/2 on connections that begin so, by Node's own implementation: each stream is a
 * request of the service, begun in the order they came and one a turn of the event loop.
 */
export function speakHttp2(
  service: Service,
  { headBytes, pace, idleMs, quietMs }: Held
): (socket: Socket) => void {
  return (socket) => {
    socket.on('error', () => {})
    // A server of HTTP/1 keeps its side open when a client ends its own, and Node's HTTP/2 relies
    // on none doing so: it tells of no write that failed, and after that a reset reads as an end.
    socket.once('end', () => socket.destroy())
    const settings = { maxConcurrentStreams: mostStreams, maxHeaderListSize: headBytes }
    const session = performServerHandshake(socket, { maxHeaderListPairs: mostFields, settings })
    const open = new Set<ServerHttp2Stream>()
    const take = spreadTurns()
    const asked = endQuiet(socket, quietMs, () => open.size > 0)
    session.on('error', () => {})
    session.setTimeout(idleMs, () => endIdle(session, open))
    session.on('stream', (stream, headers, _flags, rawHeaders) => {
      open.add(stream)
      asked()
      stream.on('error', () => {})
      stream.once('close', () => {
        open.delete(stream)
        asked()
      })
      stream.setTimeout(idleMs, () => endUntaken(stream))
      const head = headOf(rawHeaders)
      // What comes of its body, and that all of it came, is told now or never.
      const message = new Http2Message(stream, head ?? noHead, { headers, socket })
      take(() => {
        // Who takes a request back before its turn wants nothing of it.
        if (stream.closed) return
        const response = new Http2Response(stream, message)
        if (head !== undefined) return serve(service, { message, response, stream, pace })
        send(response, service.onMalformed(message.method === 'CONNECT' ? 405 : 400))
      })
    })
  }
}

/** Says goodbye to a client that has asked for nothing; one whose answers are made may wait. */
function endIdle(session: ServerHttp2Session, open: ReadonlySet<ServerHttp2Stream>) {
  if (open.size === 0) session.close()
}

/** Lets go of an answer of which nothing is taken; one that is being made may take its time. */
function endUntaken(stream: ServerHttp2Stream) {
  if (stream.writableLength > 0) cutOff(stream)
}

type Begun = {
  message: Http2Message
  response: Http2Response
  stream: ServerHttp2Stream
  pace: Pace
}

function serve(service: Service, { message, response, stream, pace }: Begun) {
  if (message.method === 'CONNECT') return send(response, service.onMalformed(405))
  const { expect } = message.headers
  if (expect !== undefined && !/^100-continue$/i.test(expect)) {
    response.writeHead(417).end()
    return
  }
  const proceed = () => {
    if (expect !== undefined && !stream.closed) stream.additionalHeaders({ ':status': 100 })
  }
  watchBytes(message, {
    pace,
    bytes: () => message.bytes,
    onSlow() {
      if (response.headersSent) response.destroy()
      else send(response, service.onMalformed(408))
    }
  })
  service.onRequest(message, response, proceed)
}

const noHead: NonNullable<ReturnType<typeof headOf>> = { pseudo: new Map(), rest: [['host', '']] }
