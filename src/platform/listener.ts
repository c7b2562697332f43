import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { type Answer, send, sendLast } from './answer.ts'
import { linger } from './linger.ts'

/** What one of the platform's listeners does with requests. */
export type Service = {
  /** Handles a request to one host; `proceed` tells a client that waits for it to send its body. */
  onRequest(message: IncomingMessage, response: ServerResponse, proceed: () => void): void
  /** The answer to what is no request at all. */
  onMalformed(status: 400 | 405 | 408 | 431): Answer
  /** Largest request head that is read at all, in bytes; beyond it is malformed. */
  headBytes?: number
  /** Ends what the service holds open itself. */
  close?(): Promise<void>
}

/** A server that answers at its address until it is closed. */
export type Listener = { url: string; close(): Promise<void> }

type Place = { host: string; port: number }

const refusedBy: Record<string, 408 | 431> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431
}

function serverFor({ onRequest, onMalformed, headBytes = 16_384 }: Service): Server {
  const handle: Service['onRequest'] = (message, response, proceed) => {
    if (message.headersDistinct.host?.length === 1) return onRequest(message, response, proceed)
    send(response, { ...onMalformed(400), headers: { Connection: 'close' } })
  }
  const server = createServer({
    // Node would refuse a request without a host by itself, and without a body.
    requireHostHeader: false,
    maxHeaderSize: headBytes,
    keepAliveTimeout: 75_000,
    headersTimeout: 60_000,
    // A large body over a slow connection takes as long as it takes.
    requestTimeout: 0
  })
  // Node drops the headers after the 2,000th in silence unless it is told not to.
  server.maxHeadersCount = 0
  server.on('connection', linger)
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
  return server
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
