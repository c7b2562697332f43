import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What an origin answers to whatever is asked for. */
export type Answered = { type: string; cookies?: string[]; coding?: string; body: string | Buffer }

/** A server of the harness on this machine that answers by path until it is disposed of. */
export async function originServer(answers: (path: string) => Answered) {
  const server = createServer((request, response) => {
    const { type, cookies, coding, body } = answers(new URL(request.url!, 'http://origin').pathname)
    const headers = { 'content-type': type, 'content-length': Buffer.byteLength(body) }
    response.writeHead(200, {
      ...headers,
      ...(cookies && { 'set-cookie': cookies }),
      ...(coding && { 'content-encoding': coding })
    })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    }
  }
}
