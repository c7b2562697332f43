import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { payload } from '../client/payload.ts'
import { clock } from '../clock.ts'
import { type AnswerOptions, answerOptionsOf, queryOf } from './answer-options.ts'
import { type Channel, type ChannelRequest, createChannel } from './channel.ts'
import { createSocketChannel, type SocketChannel } from './socket-channel.ts'

/**
 * A server of the harness on loopback, for the target to call: it counts for itself what others
 * only say they did. Closed by `await using`, or by `close`.
 */
export type Backend = AsyncDisposable & {
  port: number
  /** The requests of one label, apart from all others; the target calls them below `base`. */
  channel(label: string, base?: string): Channel
  /** A TCP server beside it, for connections that are no HTTP. */
  sockets(): Promise<SocketChannel>
  close(): Promise<void>
}

const chunkBytes = 65_536

/** Starts a backend on a free port of loopback. */
export async function backend(): Promise<Backend> {
  // Imported when a server is wanted: that takes 40 ms, and most scenarios want none.
  const { createServer } = await import('node:http')
  const channels = new Map<string, ReturnType<typeof createChannel>>()
  const beside: { close(): void }[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://backend')
    const wanted = answerOptionsOf(searchParams)
    const asked = channels.get(pathname.slice(1))?.admit(wanted.name ?? '')
    if (!asked) return void response.writeHead(404).end()
    response.once('close', () => asked.end(response.writableFinished))
    request.on('data', (bytes: Buffer) => asked.received(bytes.length))
    request.on('error', () => {})
    answer({ request, response, wanted, asked })
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
    channel(label, base = `http://127.0.0.1:${port}`) {
      const name = encodeURIComponent(label)
      const made = channels.get(name) ?? createChannel(`${base}/${name}`)
      channels.set(name, made)
      return made.channel
    },
    async sockets() {
      const { channel, close } = await createSocketChannel()
      beside.push({ close })
      return channel
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

type Question = {
  request: IncomingMessage
  response: ServerResponse
  wanted: AnswerOptions
  asked: ChannelRequest
}

async function answer({ request, response, wanted, asked }: Question) {
  const {
    status = 200,
    bytes = 2,
    delayMs = 0,
    hold,
    cuts = 0,
    hops = 0,
    via = 302,
    cache,
    framing,
    returned,
    type = 'application/octet-stream'
  } = wanted
  const whole = read(request)
  if (delayMs > 0) await clock.until(clock.now() + delayMs)
  if (asked.nth <= cuts) return response.destroy()
  await whole
  if (hops > 0) {
    const location = nextOf(request, { ...wanted, hops: hops - 1 })
    return response.writeHead(via, { location, 'content-length': 0 }).end()
  }
  if (hold === 'head') await asked.released()
  const hasBody = request.method !== 'HEAD' && ![204, 304].includes(status)
  response.writeHead(status, {
    'content-type': type,
    ...(hasBody && framing !== 'chunked' ? { 'content-length': bytes } : {}),
    ...(cache === undefined ? {} : { 'cache-control': cache }),
    ...(returned === undefined ? {} : { [returned]: request.headers[returned] ?? '' })
  })
  response.flushHeaders()
  if (hasBody) await sendBody({ response, wanted, asked })
  return response.end()
}

/**
 * Until all of a request has come, or no more will: whoever is answered before may leave the rest
 * of a body unsent, and what of it is counted would be chance.
 */
function read(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => void request.once('end', resolve).once('close', resolve))
}

/** Where a request is sent on to, by what is left of what was wanted. */
function nextOf({ url, headers }: IncomingMessage, { to, ...left }: AnswerOptions): string {
  if (to === undefined) return `?${queryOf(left)}`
  const [here, there] = [`http://${headers.host}${url}`, to].map((one) => one.replace(/\?.*/, ''))
  return `${there}?${queryOf({ ...left, to: here! })}`
}

/** Sends the body as fast as it is taken, until nobody takes it any more. */
async function sendBody({ response, wanted, asked }: Omit<Question, 'request'>) {
  const { bytes = 2, hold, dripMs } = wanted
  for (let at = 0; at < bytes && !response.destroyed; ) {
    if (dripMs !== undefined) await clock.until(clock.now() + dripMs)
    if (hold === 'body' && at === 1) await asked.released()
    const isSingle = dripMs !== undefined || (hold === 'body' && at === 0)
    const part = payload(at, isSingle ? 1 : Math.min(chunkBytes, bytes - at))
    at += part.length
    asked.sent(part.length)
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
