import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'
import { selfSigned } from './certificate.ts'

/** What a server does with a connection: gets each chunk as text, and how many came before it. */
export type Behaviour = (socket: Socket, chunk: string, before: number) => void

/** A listening server that says on which port, and how many connections it has seen. */
export type Listening = { url: string; accepted: () => number; close: () => Promise<void> }

/** Starts a server on the loopback address; it ends with the test. */
export async function listen(
  behave: Behaviour,
  options: { secure?: boolean; greet?: (socket: Socket) => void } = {}
): Promise<Listening> {
  const sockets = new Set<Socket>()
  let accepted = 0
  const onSocket = (socket: Socket) => {
    let chunks = 0
    accepted++
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => behave(socket, chunk.toString('latin1'), chunks++))
    options.greet?.(socket)
  }
  const server: Server = options.secure
    ? createTlsServer(selfSigned, onSocket)
    : createServer({ allowHalfOpen: true }, onSocket)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(close)
  const { port } = server.address() as { port: number }
  const scheme = options.secure ? 'https' : 'http'
  return { url: `${scheme}://127.0.0.1:${port}/`, accepted: () => accepted, close }
}

/** How many requests without a body begin in a chunk. */
export function requestsBegun(chunk: string): number {
  return chunk.split(' HTTP/1.1\r\n').length - 1
}

/** Answers every request of a chunk with the same response. */
export function answer(response: string): Behaviour {
  return (socket, chunk) => void socket.write(response.repeat(requestsBegun(chunk)), 'latin1')
}
