import { parseAddress, type RequestFacts } from '../expression/expression.ts'
import type { EdgeRequest } from './request.ts'
import { valuesOf } from './served.ts'

type Pairs = readonly (readonly [name: string, value: string])[]

/**
 * What expressions can ask about a request: what its head says. Its body, and what one would have
 * to look up, is not known; each fact is only found out when it is asked for, and then once.
 */
export function factsOf(
  request: EdgeRequest,
  { zone, now }: { zone: { host: string }; now: number }
): RequestFacts {
  const { method, uri, path, host, headers, version, from } = request
  const header = (name: string) => valuesOf(headers, name).join(', ')
  const query = uri.slice(path.length).replace(/^\?/, '')
  const uriFacts = {
    'http.request.uri': uri,
    'http.request.uri.path': path,
    'http.request.uri.query': query,
    'http.request.full_uri': `http://${host}${uri}`,
    get 'http.request.uri.path.extension'() {
      return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
    },
    get 'http.request.uri.args'() {
      return grouped(argumentsIn(query))
    },
    get 'http.request.uri.args.names'() {
      return argumentsIn(query).map(([name]) => name)
    },
    get 'http.request.uri.args.values'() {
      return argumentsIn(query).map(([, value]) => value)
    }
  }
  const facts = Object.defineProperties(
    {
      ssl: false,
      'http.host': host,
      'http.request.method': method,
      'http.request.version': `HTTP/${version}`,
      'http.request.timestamp.sec': Math.floor(now / 1_000),
      'http.request.timestamp.msec': now % 1_000,
      'http.request.headers.truncated': false,
      'cf.edge.client_port': from.port,
      'cf.edge.server_port': from.to,
      'cf.zone.name': zone.host,
      get 'ip.src'() {
        return parseAddress(from.address.replace(/^::ffff:(?=\d+\.)/, ''))
      },
      get 'http.cookie'() {
        return header('cookie')
      },
      get 'http.referer'() {
        return header('referer')
      },
      get 'http.user_agent'() {
        return header('user-agent')
      },
      get 'http.x_forwarded_for'() {
        return header('x-forwarded-for')
      },
      get 'http.request.headers'() {
        return grouped(headers.map(([name, value]) => [name.toLowerCase(), value]))
      },
      get 'http.request.headers.names'() {
        return headers.map(([name]) => name.toLowerCase())
      },
      get 'http.request.headers.values'() {
        return headers.map(([, value]) => value)
      },
      get 'http.request.cookies'() {
        return grouped(splitAt(/; */, valuesOf(headers, 'cookie').join('; ')))
      }
    },
    Object.getOwnPropertyDescriptors(uriFacts)
  )
  return once(facts)
}

/** The same, whose getters are asked once: hundreds of expressions may ask for the same fact. */
function once<Facts extends object>(facts: Facts): Facts {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(facts))) {
    if (get === undefined) continue
    Object.defineProperty(facts, name, {
      configurable: true,
      enumerable: true,
      get() {
        const value = get.call(facts)
        Object.defineProperty(facts, name, { value, enumerable: true })
        return value
      }
    })
  }
  return facts
}

function argumentsIn(query: string): Pairs {
  return splitAt(/&/, query)
}

function splitAt(between: RegExp, text: string): Pairs {
  return text
    .split(between)
    .filter((part) => part !== '')
    .map((part) => {
      const [name] = part.split('=', 1)
      return [name!.trim(), part.slice(name!.length + 1)] as const
    })
}

function grouped(pairs: Pairs): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(pairs, ([name]) => name)
  return new Map([...groups].map(([name, those]) => [name, those.map(([, value]) => value)]))
}
