import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Lets a server listen on loopback until the test has finished; resolves to its URL. */
export async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that does with each connection what the test says. */
export function talk(onConnection: (socket: Socket) => void): Promise<string> {
  return listen(createServer({ allowHalfOpen: true }, onConnection))
}

/** An HTTP server. */
export function serve(onRequest: RequestListener): Promise<string> {
  return listen(createHttpServer(onRequest))
}

/** A server that answers the first bytes of every connection with the same ones, and closes. */
export function say(bytes: string): Promise<string> {
  return talk((socket) => socket.once('data', () => socket.end(bytes, 'latin1')))
}

/** A URL at which nobody listens. */
export async function nowhere(): Promise<string> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}
