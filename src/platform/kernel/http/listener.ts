import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { send, sendLast } from './answer.ts'
import { speakHttp2 } from './http2.ts'
import { linger } from './linger.ts'
import { endIdle, endQuiet, usualPace, watchBody } from './pace.ts'
import { splitByPreface } from './preface.ts'
import type { Service } from './service.ts'
import { shareTurns } from './turns.ts'

export type { Service } from './service.ts'

/** A server that answers at its address until it is closed. */
export type Listener = { url: string; close(): Promise<void> }

type Place = { host: string; port: number }

const refusedBy: Record<string, 408 | 431> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431
}

/** How long a head may take, a connection lie idle, and an answer not be taken. */
const timeouts = { headMs: 60_000, keepAliveMs: 75_000, idleMs: 60_000 }
/** A connection may lie idle, and then begin a head that takes its time. */
const quiet = timeouts.keepAliveMs + timeouts.headMs

function serverFor(service: Service): Server {
  const { onRequest, onMalformed, headBytes = 16_384 } = service
  const { pace = usualPace, idleMs = timeouts.idleMs, quietMs = quiet } = service
  const asks = new WeakMap<Socket, () => void>()
  const { take, isServing } = shareTurns((socket) => asks.get(socket)?.())
  const last = { headers: { Connection: 'close' } }
  type Handler = (message: IncomingMessage, response: ServerResponse, proceed: () => void) => void
  const serve: Handler = (message, response, proceed) => {
    watchBody(message, pace, () => {
      if (response.headersSent) message.socket.destroy()
      // Not by way of the response: whoever reads the body may still want to answer by that.
      else sendLast(message.socket, onMalformed(408))
    })
    if (message.headersDistinct.host?.length === 1) return onRequest(message, response, proceed)
    send(response, { ...onMalformed(400), ...last })
  }
  const handle: Handler = (message, response, proceed) => {
    const { socket } = message
    asks.get(socket)?.()
    take(socket, { response, serve: () => serve(message, response, proceed) })
  }
  const server = createServer({
    // Node would refuse a request without a host by itself, and without a body.
    requireHostHeader: false,
    maxHeaderSize: headBytes,
    keepAliveTimeout: timeouts.keepAliveMs,
    headersTimeout: timeouts.headMs,
    // Node would look every 30 s, so that 60 s could be 90.
    connectionsCheckingInterval: 2_000,
    // Not the whole of a large body is bounded, but how slowly it may come.
    requestTimeout: 0
  })
  server.setTimeout(idleMs, (socket) => endIdle(socket, idleMs, isServing(socket)))
  // Node drops the headers after the 2,000th in silence unless it is told not to.
  server.maxHeadersCount = 0
  server.on('connection', linger)
  server.on('connection', (socket: Socket) =>
    asks.set(
      socket,
      endQuiet(socket, quietMs, () => isServing(socket))
    )
  )
  server.on('request', (message, response) => handle(message, response, () => {}))
  server.on('checkContinue', (message, response) =>
    handle(message, response, () => response.writeContinue())
  )
  server.on('connect', (_message, socket) => sendLast(socket as Socket, onMalformed(405)))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What comes after the last answer is being read to be forgotten, and need not make sense.
    if (socket.writableEnded) return
    if (error.code === 'ECONNRESET') socket.destroy()
    else sendLast(socket as Socket, onMalformed(refusedBy[error.code ?? ''] ?? 400))
  })
  if (service.http2) alsoHttp2(server, service, { headBytes, pace, idleMs, quietMs })
  return server
}

/** Has a server take connections only once they have shown that they are of HTTP/1. */
function alsoHttp2(server: Server, service: Service, held: Parameters<typeof speakHttp2>[1]) {
  const takers = server.listeners('connection')
  const http2 = speakHttp2(service, held)
  const http1 = (socket: Socket) => {
    for (const take of takers) take.call(server, socket)
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const onSilent = (begun: boolean) => {
      if (begun) sendLast(socket, service.onMalformed(408))
      else socket.destroy()
    }
    splitByPreface(socket, { http1, http2, ms: held.idleMs, onSilent })
  })
}

/** Starts a listener; port 0 takes any port that is free. */
export async function listen(service: Service, { host, port }: Place): Promise<Listener> {
  const server = serverFor(service)
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const at = server.address() as AddressInfo
  return {
    url: `http://${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`,
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
      await service.close?.()
    }
  }
}

/** Starts a listener at a port, or at any other when that one is taken. */
export async function listenNear(service: Service, { host, port }: Place): Promise<Listener> {
  try {
    return await listen(service, { host, port: port > 65_535 ? 0 : port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listen(service, { host, port: 0 })
  }
}
