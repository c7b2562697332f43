import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createGate } from './gate.ts'
import { createTally } from './tally.ts'

/** How many connections there were, are, and were at once. */
export type SocketsSeen = { connections: number; open: number; peak: number }

/** A TCP server of the backend, for what is no HTTP. */
export type SocketLane = {
  port: number
  seen(): SocketsSeen
  /** Ends this many connections, the oldest first; by default all, for good. */
  release(count?: number): void
  /** Whether this comes to be true before so many milliseconds are over. */
  until(isTrue: (seen: SocketsSeen) => boolean, timeoutMs: number): Promise<boolean>
}

/** Starts a TCP server on loopback that says `hello` to each connection and then holds it. */
export async function createSocketLane(): Promise<{ lane: SocketLane; close(): void }> {
  const { seen, count, until } = createTally<SocketsSeen>({ connections: 0, open: 0, peak: 0 })
  const gate = createGate()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    count((now) => {
      now.connections++
      now.open++
      now.peak = Math.max(now.peak, now.open)
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      sockets.delete(socket)
      count((now) => {
        now.open--
      })
    })
    socket.resume().write('hello\n')
    gate.pass().then(() => socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    lane: { port, seen, release: gate.release, until },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}
