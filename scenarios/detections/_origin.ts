import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What an origin answers to whatever is asked for. */
export type Answered = {
  type: string
  /** 200 where nothing is said. */
  status?: number
  /** Whether it may be kept and given to others. */
  isKept?: boolean
  cookies?: string[]
  coding?: string
  /** Headers that a page of another site may read (`access-control-expose-headers`). */
  exposed?: string[]
  /** Comes in chunks, without saying how long it is. */
  isChunked?: boolean
  body: string | Buffer
}

/** A server of the harness on this machine that answers by path until it is disposed of. */
export async function originServer(answers: (path: string) => Answered) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://origin')
    const answer = answers(pathname)
    const { type, status = 200, isKept, cookies, coding, exposed, isChunked, body } = answer
    response.writeHead(status, {
      'content-type': type,
      ...(isKept && { 'cache-control': 'public, max-age=3600' }),
      ...(!isChunked && { 'content-length': Buffer.byteLength(body) }),
      ...(cookies && { 'set-cookie': cookies }),
      ...(coding && { 'content-encoding': coding }),
      ...(exposed && { 'access-control-expose-headers': exposed.join(', ') })
    })
    // Only what is ended at once says how long it is, if nobody does.
    if (isChunked) response.flushHeaders()
    response.end(body)
  })
  // Who keeps a connection may use it again after a while, on a busy machine.
  server.keepAliveTimeout = 60_000
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
