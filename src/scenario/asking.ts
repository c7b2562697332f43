import type { EventsAsked } from '../load/events/events-asked.ts'
import { type RpcOptions, type RpcRequest, rpcRequest } from '../load/grpc/call.ts'
import type { RpcMethod } from '../load/grpc/method.ts'
import type { Request } from '../load/requests/request.ts'
import { type Endpoint, isPartOf, type Tables, type Target, tablesOf } from '../target/target.ts'
import { Undeclared } from './context.ts'
import { type EndpointParts, type Endpoints, withEndpoints } from './endpoints.ts'
import { demanding } from './named.ts'

type Options = {
  headers?: Record<string, string>
  json?: unknown
  body?: string
  route?: string
  events?: EventsAsked
}

type MessageOptions = Pick<Options, 'headers' | 'route'> & { message?: string; answer?: RegExp }

type Build = (path: string, options?: Options) => Request

/** Builds requests to one endpoint, with the headers the target gives it; sends nothing. */
export type Asking = Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'head', Build> & {
  /** Builds what opens a WebSocket, or what sends a message over one that is kept open. */
  socket: (path: string, options?: MessageOptions) => Request
  /** Builds a call of a method of gRPC, with all its messages. */
  rpc: (method: RpcMethod, messages: object | readonly object[], options?: RpcOptions) => RpcRequest
  /** The same endpoint, asked for another host. */
  as: (host: string) => Asking
}

/** What a load scenario describes its requests with. */
export type AskingContext = Readonly<Endpoints<Asking>> &
  Readonly<Tables> & { endpoint: (name: string) => Asking }

function createAsking(endpoint: Endpoint, more: Record<string, string> = {}): Asking {
  const build =
    (method: string): Build =>
    (path, { headers = {}, json, body, route, events } = {}) => {
      const typed: Record<string, string> =
        json === undefined ? {} : { 'content-type': 'application/json' }
      return {
        url: `${endpoint.url}${path}`,
        method,
        headers: { ...endpoint.headers, ...more, ...typed, ...headers },
        body: json === undefined ? body : JSON.stringify(json),
        route,
        events
      }
    }
  return {
    get: build('GET'),
    post: build('POST'),
    put: build('PUT'),
    patch: build('PATCH'),
    delete: build('DELETE'),
    head: build('HEAD'),
    socket: (path, { headers = {}, message, answer, route } = {}) => ({
      url: `${endpoint.url.replace(/^http/, 'ws')}${path}`,
      headers: { ...endpoint.headers, ...more, ...headers },
      body: message,
      answer: answer?.source,
      route
    }),
    rpc: (method, messages, options) =>
      rpcRequest(build('POST')(method.path), method, messages, options),
    as: (host) => createAsking(endpoint, { ...more, host })
  }
}

/** The context of a load scenario; like `createContext`, it insists on what `needs` declares. */
export function createAskingContext(
  given: Target,
  needs: readonly string[],
  parts: EndpointParts = {}
): AskingContext {
  const target = demanding(given)
  const endpoint = (name: string) => {
    if (!needs.includes(name) && !isPartOf(name, given, needs)) throw new Undeclared(name)
    return createAsking(target.endpoints[name]!)
  }
  return withEndpoints({ ...tablesOf(target), endpoint }, { target, parts, speak: endpoint })
}
