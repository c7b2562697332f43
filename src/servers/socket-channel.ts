import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createAwaitedCounts } from './awaited-counts.ts'
import { createLatch } from './latch.ts'

/** How many connections there were, are, and were at once. */
export type SocketCounts = { connections: number; open: number; peak: number }

/** A TCP server of the backend, for what is no HTTP. */
export type SocketChannel = {
  port: number
  seen(): SocketCounts
  /** Ends this many connections, the oldest first; by default all, for good. */
  release(count?: number): void
  /** Whether this comes to be true before so many milliseconds are over. */
  until(isTrue: (seen: SocketCounts) => boolean, timeoutMs: number): Promise<boolean>
}

/** Starts a TCP server on loopback that says `hello` to each connection and then holds it. */
export async function createSocketChannel(): Promise<{ channel: SocketChannel; close(): void }> {
  const { seen, count, until } = createAwaitedCounts<SocketCounts>({
    connections: 0,
    open: 0,
    peak: 0
  })
  const latch = createLatch()
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
    latch.pass().then(() => socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    channel: { port, seen, release: latch.release, until },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}
