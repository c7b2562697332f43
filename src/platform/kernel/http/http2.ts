import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { send } from './answer.ts'
import { cutOff, Http2Message, Http2Response, headOf, type Patience } from './http2-message.ts'
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
    // Each with its answer, once its turn has come.
    const open = new Map<ServerHttp2Stream, Http2Response | undefined>()
    const patience: Patience = {
      ...{ idleMs, taken: 0 },
      onUntaken(stream, isNoneTaken) {
        // Who asks faster than he is served would always have one whose turn has not come.
        const isAll = [...open.values()].every((response) => response?.isWaiting ?? true)
        cutOff(stream)
        // Only after what is said of the stream.
        if (isNoneTaken && isAll) setImmediate(() => socket.destroy())
      }
    }
    const take = spreadTurns()
    const asked = endQuiet(socket, quietMs, () => open.size > 0)
    session.on('error', () => {})
    session.setTimeout(idleMs, () => {
      if (open.size === 0) endIdle(session, socket)
    })
    session.on('stream', (stream, headers, _flags, rawHeaders) => {
      open.set(stream, undefined)
      asked()
      stream.on('error', () => {})
      stream.once('close', () => {
        open.delete(stream)
        asked()
      })
      const head = headOf(rawHeaders)
      // What comes of its body, and that all of it came, is told now or never.
      const message = new Http2Message(stream, head ?? noHead, { headers, socket })
      take(() => {
        // Who takes a request back before its turn wants nothing of it.
        if (stream.closed) return
        const response = new Http2Response(stream, message, patience)
        open.set(stream, response)
        if (head !== undefined) return serve(service, { message, response, stream, pace })
        send(response, service.onMalformed(message.method === 'CONNECT' ? 405 : 400))
      })
    })
  }
}

/** Says goodbye to a client that has asked for nothing, and waits for nothing of its. */
function endIdle(session: ServerHttp2Session, socket: Socket) {
  session.close()
  // A head that has begun keeps a session from closing, and a client may keep its side open.
  setImmediate(() => socket.destroySoon())
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
