import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  Server
} from 'node:http'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createClient } from '../client/client.ts'
import type { Reply } from '../client/reply.ts'

type FetchHandler = (request: Request) => Response | Promise<Response>

/**
 * What can be asked about its limits: a URL on this machine, a server of `node:http` that need not
 * listen, a handler of its requests (as an Express app is), or a function from `Request` to
 * `Response`, alone or as `fetch` of something (as a Hono app has). Whatever is in this process is
 * asked there, without a port.
 */
export type App = string | URL | Server | RequestListener | FetchHandler | { fetch: FetchHandler }

/** One question to an app. */
export type AppQuestion = {
  method: string
  /** Path and query. */
  path: string
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer>
}

/** A way to ask an app, until it is closed. */
export type AppAsker = {
  /** Path and query of its URL; `/` where it has none. */
  path: string
  ask: (question: AppQuestion) => Promise<Reply>
  close: () => Promise<void>
}

// As it is when this is loaded: a test may have it moved by hand by the time it asks.
const nextTurn = globalThis.setImmediate

/** Where something in this process seems to be. */
const origin = 'http://127.0.0.1'

/** A way to ask `app`; throws a TypeError for what is none. */
export function askerOf(app: App): AppAsker {
  if (typeof app === 'string' || app instanceof URL) return overNetwork(String(app))
  if (app instanceof Server) return inTurns(inMemory(app))
  if (typeof app === 'object' && typeof app?.fetch === 'function') {
    return inTurns(byFetch((request) => app.fetch(request)))
  }
  if (typeof app !== 'function') throw new TypeError('neither a URL nor a server nor a handler')
  // A handler of node:http is called with a request and a response, and perhaps with what is next.
  return inTurns(
    app.length >= 2 ? inMemory(createServer(app as RequestListener)) : byFetch(app as never)
  )
}

/**
 * Hands each request over in a turn of the event loop of its own, as a socket does: a limiter that
 * reads its count a microtask later would see that of all that came in the same turn.
 */
function inTurns(asker: AppAsker): AppAsker {
  let last = Promise.resolve()
  return {
    ...asker,
    async ask(question) {
      const before = last
      last = before.then(() => new Promise((done) => void nextTurn(done)))
      await before
      return asker.ask(question)
    }
  }
}

function overNetwork(url: string): AppAsker {
  const { origin, pathname, search } = new URL(url)
  const client = createClient({ endpoint: { url: origin } })
  return {
    path: `${pathname}${search}`,
    async ask({ method, path, headers = {}, body }) {
      const verb = method.toLowerCase() as 'get'
      const asked = client.with(headers)
      return asked[verb](path, body ? { body: Buffer.from(body) } : {})
    },
    close: client.close
  }
}

function byFetch(handle: FetchHandler): AppAsker {
  return {
    path: '/',
    async ask({ method, path, headers = {}, body }) {
      const asked = { method, url: `${origin}${path}`, bodyBytes: body?.length ?? 0 }
      try {
        const init = { method, headers, ...(body && { body }) }
        const response = await handle(new Request(asked.url, init))
        const fields = Object.fromEntries(response.headers)
        return answered(
          { status: response.status, headers: fields, body: await response.text() },
          asked
        )
      } catch (cause) {
        // What a server answers to the exception of a handler.
        return answered({ status: 500, headers: {}, body: String(cause) }, asked)
      }
    },
    close: async () => {}
  }
}

/** Asks a server over connections that lead through memory only. */
function inMemory(server: Server): AppAsker {
  return {
    path: '/',
    ask({ method, path, headers = {}, body }) {
      const asked = { method, url: `${origin}${path}`, bodyBytes: body?.length ?? 0 }
      const [near, far] = duplexPair()
      // Limiters count by address.
      Object.assign(far, { remoteAddress: '127.0.0.1', remotePort: 1, encrypted: false })
      server.emit('connection', far)
      const fields = { host: '127.0.0.1', ...headers, connection: 'close' }
      return new Promise((resolve) => {
        const sent = request({
          method,
          path,
          headers: fields,
          createConnection: () => near as never
        })
        const failed = (because: string) => resolve(broken(because, asked))
        sent.on('error', (cause) => failed(cause.message))
        sent.on('response', (response: IncomingMessage) => {
          const { statusCode = 0, headers } = response
          const said = Object.entries(headers).map(([name, value]) => [name, String(value)])
          const of = { status: statusCode, headers: Object.fromEntries(said) }
          text(response).then(
            (body) => resolve(answered({ ...of, body }, asked)),
            (cause: Error) => failed(cause.message)
          )
        })
        sent.end(body)
      })
    },
    close: async () => {}
  }
}

type Said = Pick<Reply, 'status' | 'headers' | 'body'>

function answered({ status, headers, body }: Said, request: Reply['request']): Reply {
  return {
    ...{ kind: 'answered', status, headers, body, json: jsonIn(body), received: body.length },
    ...{ sent: request.bodyBytes, phase: 'end', ms: 0, because: `HTTP ${status}`, request }
  }
}

function broken(because: string, request: Reply['request']): Reply {
  const none = { status: 0, headers: {}, body: '', json: undefined, received: 0, sent: 0 }
  return { kind: 'closed', ...none, phase: 'body', ms: 0, because, request }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}
