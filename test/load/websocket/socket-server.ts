import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

/** A server of `ws` that does this with every socket; it ends with the test. */
export async function listenSockets(
  behave: (socket: WebSocket) => void,
  options: Partial<ConstructorParameters<typeof WebSocketServer>[0]> = {}
): Promise<{ url: string; server: WebSocketServer }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, ...options })
  server.on('connection', (socket: WebSocket) => {
    socket.on('error', () => {})
    behave(socket)
  })
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  return { url: `ws://127.0.0.1:${server.address().port}/`, server }
}

/** Answers every message with itself. */
export function echo(socket: WebSocket): void {
  socket.on('message', (data: Buffer, isBinary: boolean) => socket.send(data, { binary: isBinary }))
}
