import type { Route } from '../route.ts'

/** Where an endpoint's connections go, taken from its URL. */
export type Address = {
  /** Scheme, host and port: `http://127.0.0.1:8080`. */
  origin: string
  /** The same without the scheme, and without a port that is the scheme's own. */
  host: string
  isSecure: boolean
  /** False takes whoever answers there for `host`. Default: true. */
  verifyTls?: boolean
  /** The addresses its connections lead to; absent where nobody has checked them yet. */
  route?: Route
  /** Host without a port; an IPv6 address stands in brackets. */
  hostname: string
  port: number
  /** What stands in front of every path; '' for an endpoint at the root. */
  prefix: string
}

const defaultPorts: Record<string, number> = { 'http:': 80, 'https:': 443 }

/** The address in an endpoint's URL; throws a TypeError for one that nothing can be sent to. */
export function parseAddress(endpoint: string): Address {
  if (!URL.canParse(endpoint)) throw new TypeError(`"${endpoint}" is not a URL`)
  const url = new URL(endpoint)
  const defaultPort = defaultPorts[url.protocol]
  if (defaultPort === undefined) throw new TypeError(`"${endpoint}" is neither http: nor https:`)
  if (url.username !== '' || url.password !== '') {
    throw new TypeError(`the URL of ${url.host} holds a password: send an authorization header`)
  }
  if (/[?#]/.test(endpoint)) throw new TypeError(`"${endpoint}" goes on after its path`)
  return {
    origin: url.origin,
    host: url.host,
    isSecure: url.protocol === 'https:',
    hostname: url.hostname,
    port: Number(url.port) || defaultPort,
    prefix: url.pathname.replace(/\/$/, '')
  }
}

/** The request target for `path` below an address; throws a TypeError where it cannot be sent. */
export function targetOf({ prefix }: Address, path: string): string {
  if (!/^([/?]|$)/.test(path)) throw new TypeError(`path "${path}" does not begin with /`)
  const target = `${prefix}${path}`
  if (!/^[!-~\x80-\xff]*$/.test(target))
    throw new TypeError(`path ${JSON.stringify(path)} is not encoded`)
  return target.startsWith('/') ? target : `/${target}`
}
