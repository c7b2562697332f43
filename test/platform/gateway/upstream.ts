import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server that stands in for a node, what it was asked, and over how many connections. */
export type Upstream = {
  url: string
  bodies: any[]
  connections(): number
  close(): Promise<void>
}

/** How a stand-in answers a call, once it has been read. */
export type Answering = (call: any, response: ServerResponse, message: IncomingMessage) => void

/** Starts a stand-in on loopback. */
export async function upstream(answer: Answering): Promise<Upstream> {
  const bodies: any[] = []
  let connections = 0
  const server = createServer(async (message, response) => {
    const text = (await message.toArray()).join('')
    bodies.push(JSON.parse(text))
    answer(bodies.at(-1), response, message)
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    connections: () => connections,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    }
  }
}

/** Answers every call with its method, as a good node does. */
export const goodNode: Answering = ({ id, method }, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: method }))
}
