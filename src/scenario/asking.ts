import type { Request } from '../load/request.ts'
import type { Endpoint, Target } from '../target/target.ts'
import { Undeclared } from './context.ts'

type Options = { headers?: Record<string, string>; json?: unknown; body?: string; route?: string }

type Build = (path: string, options?: Options) => Request

/** Builds requests to one endpoint, with the headers the target gives it; sends nothing. */
export type Asking = Record<'get' | 'post' | 'put' | 'patch' | 'delete' | 'head', Build>

/** What a load scenario describes its requests with. */
export type AskingContext = Pick<Target, 'zones' | 'hosts' | 'credentials'> & {
  endpoint: (name: string) => Asking
  readonly management: Asking
  readonly gateway: Asking
  /** The edge listener; `zone` speaks to the zone of a plan. */
  readonly edge: Asking & { zone: (plan: string) => Asking }
  readonly service: Asking
}

function createAsking(endpoint: Endpoint, more: Record<string, string> = {}): Asking {
  const build =
    (method: string): Build =>
    (path, { headers = {}, json, body, route } = {}) => {
      const typed: Record<string, string> =
        json === undefined ? {} : { 'content-type': 'application/json' }
      return {
        url: `${endpoint.url}${path}`,
        method,
        headers: { ...endpoint.headers, ...more, ...typed, ...headers },
        body: json === undefined ? body : JSON.stringify(json),
        route
      }
    }
  return {
    get: build('GET'),
    post: build('POST'),
    put: build('PUT'),
    patch: build('PATCH'),
    delete: build('DELETE'),
    head: build('HEAD')
  }
}

/** The context of a load scenario; like `createContext`, it insists on what `needs` declares. */
export function createAskingContext(target: Target, needs: readonly string[]): AskingContext {
  const { zones, hosts, credentials } = target
  const found = (name: string): Endpoint => {
    if (!needs.includes(name)) throw new Undeclared(name)
    return target.endpoints[name]!
  }
  const endpoint = (name: string) => createAsking(found(name))
  return {
    zones,
    hosts,
    credentials,
    endpoint,
    get management() {
      return endpoint('management')
    },
    get gateway() {
      return endpoint('gateway')
    },
    get edge() {
      const zone = (plan: string) => createAsking(found('edge'), { host: hosts[plan] ?? plan })
      return { ...endpoint('edge'), zone }
    },
    get service() {
      return endpoint('service')
    }
  }
}
