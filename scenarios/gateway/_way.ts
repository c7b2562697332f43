import { type Client, type Context, isOk, type Reply } from 'plimsoll'
import { type Carried, carrying } from '../_carried.ts'
import { anonymous, bearing } from '../_credential.ts'
import { canonical, isBesideThePoint, isItem } from '../_reply.ts'

/** The networks the document shows, the supported one first. */
export const shownNetworks = ['sepolia', 'rinkeby']

/** The block query, and what it is asked with. */
export type Query = {
  network: string
  /** Hexadecimal; the first block by default, which every chain has. */
  block?: string
  full?: boolean
  id?: number
  /** Another method than the block query. */
  method?: string
  /** What that is asked with; `none` is a call without the field. */
  params?: unknown[] | 'none'
} & Carried

/** A way to put the query: as documented, or departing from it in what one clause says. */
export type Way = {
  /** The clause a target contradicts that is only served this way. */
  departure?: string
  ask: (query: Query) => Promise<Reply>
  /** The same query over another HTTP method. */
  over: (method: 'get' | 'put' | 'patch' | 'delete', query: Query) => Promise<Reply>
}

type Parts = {
  path: (network: string) => string
  client: Client
  method: 'post' | 'put'
  /** Makes the documented body another one. */
  body: (call: Record<string, unknown>) => Record<string, unknown>
}
type Asking = Pick<Context, 'credentials'> & { gateway: Client }

function way({ path, client, method, body }: Parts, departure?: string): Way {
  const over: Way['over'] = (verb, query) => {
    const { network, block = '0x0', full = false, id = 1, method = 'eth_getBlockByNumber' } = query
    const { params = [block, full] } = query
    const given = params === 'none' ? {} : { params }
    const json = body({ jsonrpc: '2.0', method, ...given, id })
    return client[verb](path(network), carrying(json, query))
  }
  const ask = (query: Query) => over(method as 'put', query)
  return { departure, ask, over }
}

/** What clients send besides, without being asked to. */
const usual = {
  ...{ accept: 'application/json, */*', 'accept-encoding': 'identity', 'accept-language': 'en' },
  ...{ 'user-agent': 'Mozilla/5.0 (compatible; plimsoll)', origin: 'http://localhost' }
}

/** The documented way first, then all others by which a target might be served instead. */
function ways({ gateway, credentials }: Asking): [Way, ...Way[]] {
  const documented: Parts = {
    path: (network) => `/v1/${network}`,
    client: anonymous(gateway),
    method: 'post',
    body: (call) => call
  }
  const departing = (departure: string, change: Partial<Parts>) =>
    way({ ...documented, ...change }, departure)
  const known = [
    ...[gateway, ...('token' in credentials ? [bearing(credentials.token!, gateway)] : [])],
    anonymous(gateway).with(usual)
  ]
  return [
    way(documented),
    departing('versioning.gateway-v1', { path: (network) => `/${network}` }),
    departing('versioning.gateway-v1', { path: (network) => `/v2/${network}` }),
    departing('gateway.network-last-segment', { path: (network) => `/${network}/v1` }),
    departing('gateway.post-only', { method: 'put' }),
    ...known.map((client) => departing('gateway.no-auth-shown', { client })),
    departing('gateway.request.field.jsonrpc', {
      body: ({ method, params, id }) => ({ method, params, id })
    }),
    departing('gateway.request.field.jsonrpc', { body: (call) => ({ ...call, jsonrpc: 2 }) }),
    departing('gateway.request.field.params', {
      body: ({ params, ...call }) => {
        const [Block, Full] = (params ?? []) as unknown[]
        return { ...call, params: { Block, 'Hydrated transactions': Full } }
      }
    }),
    departing('gateway.request.field.id', { body: (call) => ({ ...call, id: `${call.id}` }) })
  ]
}

/** The documented way, whether or not it leads anywhere. */
export function documentedWay(asking: Asking): Way {
  return ways(asking)[0]
}

/** The first way by which a network tells its first block; undefined when none does. */
export async function wayTo(network: string, asking: Asking): Promise<Way | undefined> {
  for (const way of ways(asking)) {
    const block = resultOf(await way.ask({ network }))
    // A block of which nothing is told is none.
    if (isItem(block) && Object.keys(block).length > 0) return way
  }
  return undefined
}

/** The first of the shown networks there is a way to. */
export async function anyWay(asking: Asking): Promise<{ network: string; way: Way } | undefined> {
  for (const network of shownNetworks) {
    const way = await wayTo(network, asking)
    if (way) return { network, way }
  }
  return undefined
}

/**
 * Which clause every way departs from that leads to a shown network; '' when one leads there as
 * documented, and undefined when none does: then nothing can be said of a single clause.
 */
export async function commonDeparture(asking: Asking): Promise<string | undefined> {
  const found = await Promise.all(shownNetworks.map((network) => wayTo(network, asking)))
  const departures = found.flatMap((way) => (way ? [way.departure ?? ''] : []))
  return departures.includes('') ? '' : departures[0]
}

/** What a call came to; undefined when it was refused, or the answer is none of JSON-RPC. */
export function resultOf(reply: Reply): unknown {
  const { json } = reply
  const isSaid = isItem(json) && (json.error === undefined || json.error === null)
  return isOk(reply) && isSaid ? json.result : undefined
}

/**
 * What tells one network from another: the hash of the block they begin with, as nodes of several
 * makes may tell more or less of it; where it has none, the whole of it, or that there is none.
 */
export function chainOf(reply: Reply): string {
  const block = resultOf(reply)
  return isItem(block) && block.hash ? `${block.hash}`.toLowerCase() : canonical(block)
}

/** Whether HTTP succeeded, and brought a response of JSON-RPC 2.0: a result, or a coded error. */
export function isResponse(reply: Reply): boolean {
  const { json } = reply
  if (!isOk(reply) || !isItem(json) || json.jsonrpc !== '2.0') return false
  return Number.isInteger(json.error?.code) || 'result' in json
}

/** Codes of a node that is not there, and of a limit (EIP-1474): what 503 and 429 are to HTTP. */
const unavailable = [-32_002, -32_005]

/** Whether an answer says how the service is, by HTTP or by JSON-RPC, and nothing of the call. */
export function isAboutService(reply: Reply): boolean {
  return isBesideThePoint(reply) || unavailable.includes(reply.json?.error?.code)
}

/** Whether an answer is the internal error of JSON-RPC. */
export function isInternal({ json }: Reply): boolean {
  return json?.error?.code === -32_603
}

/** Whether an answer tells of a defect of the gateway, by HTTP or by JSON-RPC. */
export function isDefect(reply: Reply): boolean {
  return reply.status === 500 || isInternal(reply)
}
