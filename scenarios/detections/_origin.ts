import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What an origin answers to whatever is asked for. */
export type Answered = {
  type: string
  /** 200 where nothing is said. */
  status?: number
  /** Whether it may be kept and given to others. */
  isKept?: boolean
  cookies?: string[]
  coding?: string
  /** A policy of the origin's own (`content-security-policy`). */
  policy?: string | undefined
  /** Headers that a page of another site may read (`access-control-expose-headers`). */
  exposed?: string[]
  /** Comes in chunks, without saying how long it is. */
  isChunked?: boolean
  /** Comes in so many pieces, one after another; at once where nothing is said. */
  pieces?: number
  body: string | Buffer
}

/** How long after each other pieces are sent, so that none comes together with the next. */
const apartMs = 4

async function sendIn(pieces: number, body: Buffer, response: ServerResponse): Promise<void> {
  const length = Math.ceil(body.length / pieces)
  for (let at = 1; at < pieces; at++) {
    response.write(body.subarray((at - 1) * length, at * length))
    await pause(apartMs)
  }
  response.end(body.subarray((pieces - 1) * length))
}

/** A server of the harness on this machine that answers by path until it is disposed of. */
export async function originServer(answers: (path: string) => Answered) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://origin')
    const answer = answers(pathname)
    const { type, status = 200, isKept, cookies, coding, exposed, isChunked, body } = answer
    const { policy, pieces = 1 } = answer
    response.writeHead(status, {
      'content-type': type,
      ...(isKept && { 'cache-control': 'public, max-age=3600' }),
      ...(!isChunked && { 'content-length': Buffer.byteLength(body) }),
      ...(cookies && { 'set-cookie': cookies }),
      ...(coding && { 'content-encoding': coding }),
      ...(policy && { 'content-security-policy': policy }),
      ...(exposed && { 'access-control-expose-headers': exposed.join(', ') })
    })
    // Only what is ended at once says how long it is, if nobody does.
    if (isChunked) response.flushHeaders()
    void sendIn(pieces, Buffer.from(body), response)
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
