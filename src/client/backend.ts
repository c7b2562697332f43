import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { clock } from '../clock.ts'
import { createLane, type Lane, type Visit } from './lane.ts'
import { type Manner, mannerOf, queryOf } from './manner.ts'
import { payload } from './payload.ts'
import { createSocketLane, type SocketLane } from './socket-lane.ts'

/**
 * A server of the harness on loopback, for the target to call: it counts for itself what others
 * only say they did. Closed by `await using`, or by `close`.
 */
export type Backend = AsyncDisposable & {
  port: number
  /** The requests of one label, apart from all others; the target calls them below `base`. */
  lane(label: string, base?: string): Lane
  /** A TCP server beside it, for connections that are no HTTP. */
  sockets(): Promise<SocketLane>
  close(): Promise<void>
}

const chunkBytes = 65_536

/** Starts a backend on a free port of loopback. */
export async function backend(): Promise<Backend> {
  // Imported when a server is wanted: that takes 40 ms, and most scenarios want none.
  const { createServer } = await import('node:http')
  const lanes = new Map<string, ReturnType<typeof createLane>>()
  const beside: { close(): void }[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://backend')
    const manner = mannerOf(searchParams)
    const visit = lanes.get(pathname.slice(1))?.admit(manner.name ?? '')
    if (!visit) return void response.writeHead(404).end()
    response.once('close', () => visit.end(response.writableFinished))
    request.on('data', (bytes: Buffer) => visit.received(bytes.length))
    request.on('error', () => {})
    answer({ request, response, manner, visit })
  })
  server.requestTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    server.closeAllConnections()
    for (const one of beside) one.close()
  }
  return {
    port,
    lane(label, base = `http://127.0.0.1:${port}`) {
      const name = encodeURIComponent(label)
      const made = lanes.get(name) ?? createLane(`${base}/${name}`)
      lanes.set(name, made)
      return made.lane
    },
    async sockets() {
      const { lane, close } = await createSocketLane()
      beside.push({ close })
      return lane
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

type Question = {
  request: IncomingMessage
  response: ServerResponse
  manner: Manner
  visit: Visit
}

async function answer({ request, response, manner, visit }: Question) {
  const { status = 200, bytes = 2, delayMs = 0, hold, hops = 0, cache } = manner
  if (delayMs > 0) await clock.until(clock.now() + delayMs)
  if (hops > 0) {
    const location = `?${queryOf({ ...manner, hops: hops - 1 })}`
    return response.writeHead(302, { location, 'content-length': 0 }).end()
  }
  if (hold === 'head') await visit.released()
  const hasBody = request.method !== 'HEAD' && ![204, 304].includes(status)
  response.writeHead(status, {
    'content-type': 'application/octet-stream',
    ...(hasBody ? { 'content-length': bytes } : {}),
    ...(cache === undefined ? {} : { 'cache-control': cache })
  })
  response.flushHeaders()
  if (hasBody) await sendBody({ response, manner, visit })
  return response.end()
}

/** Sends the body as fast as it is taken, until nobody takes it any more. */
async function sendBody({ response, manner, visit }: Omit<Question, 'request'>) {
  const { bytes = 2, hold, dripMs } = manner
  for (let at = 0; at < bytes && !response.destroyed; ) {
    if (dripMs !== undefined) await clock.until(clock.now() + dripMs)
    if (hold === 'body' && at === 1) await visit.released()
    const isSingle = dripMs !== undefined || (hold === 'body' && at === 0)
    const part = payload(at, isSingle ? 1 : Math.min(chunkBytes, bytes - at))
    at += part.length
    visit.sent(part.length)
    if (!response.write(part) && !response.destroyed) await drained(response)
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
