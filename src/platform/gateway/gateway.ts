import { setMaxListeners } from 'node:events'
import { bytesOf } from '../kernel/api/body.ts'
import { Failure } from '../kernel/api/failure.ts'
import { type Egress, placeOf } from '../kernel/egress/egress.ts'
import { send } from '../kernel/http/answer.ts'
import type { Service } from '../kernel/http/listener.ts'
import type { Received, Response } from '../kernel/http/message.ts'
import type { Store } from '../kernel/store.ts'
import type { Call, Outcome } from './call.ts'
import { chain } from './chain.ts'
import { internal, invalidRequest, unknownMethod } from './fault.ts'
import { answerJsonRpc } from './json-rpc.ts'
import type { Network } from './network.ts'
import { failed, type Node, nodeAt } from './node.ts'
import { answerTo, type GatewayRefusal, noNetwork, refusalOf } from './refusal.ts'
import type { GatewayRules } from './rules.ts'
import { forgetTransactions, transactionsOf } from './transactions.ts'

/** What the gateway is made of. */
export type GatewayParts = {
  rules: GatewayRules
  store: Store
  /** Addresses of nodes by network; they take the place of development chains. */
  upstreams?: Record<string, string>
  /** The guard of the way to those; they are named to it. */
  egress: Egress
}

/** The gateway's listener, and what can be done about the nodes behind it. */
export type Gateway = Service & {
  /** Has the node at an address behind a network of this name; why not, where it cannot be. */
  place(name: string, address: string): string | undefined
  /** Has its chains as they were in the beginning, and no node that was placed. */
  reset(): Promise<void>
}

/** Web pages of any origin may call: nobody is given anything here for who they are. */
const shared = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': '*' }
const preflight = {
  ...shared,
  Allow: 'POST, OPTIONS',
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '86400'
}

/**
 * The blockchain gateway: JSON-RPC 2.0 over HTTP, the network by the path. HTTP statuses speak of
 * HTTP; what becomes of a call is told in JSON-RPC, with a 200.
 */
export function gateway(parts: GatewayParts): Gateway {
  const { rules } = parts
  const { limits } = rules
  const nodes = nodesOf(parts)

  function refuse(response: Response, objection: GatewayRefusal) {
    const { headers, ...answer } = answerTo(objection, rules)
    send(response, { ...answer, headers: { ...shared, ...headers } })
  }

  async function serve(message: Received, response: Response, proceed: () => void) {
    const name = rules.networkOf(pathOf(message))
    const node = nodes.behind(name ?? '')
    if (node === undefined) return refuse(response, noNetwork(name, nodes.names()))
    if (message.method === 'OPTIONS') return response.writeHead(204, preflight).end()
    const objection = refusalOf(message, rules)
    if (objection) return refuse(response, objection)
    proceed()
    const body = await bytesOf(message, limits.bodyBytes)
    const gone = departure(response)
    const ask = async (call: Call): Promise<Outcome> => {
      if (!rules.isOpen(call.method)) return failed(unknownMethod(call.method))
      return rules.ask(node, call, gone)
    }
    const text = await answerJsonRpc(body, { ...rules, ...limits, ask })
    const known: Record<string, Network | undefined> = rules.networks
    const headers = { ...shared, ...rules.announcement(known[name!]) }
    if (text === undefined) return response.writeHead(204, headers).end()
    send(response, { status: 200, type: 'application/json', body: text, headers })
  }

  return {
    onRequest(message, response, proceed) {
      serve(message, response, proceed).catch((error) => {
        if (!(error instanceof Failure)) process.emitWarning(error)
        if (!response.headersSent) refuse(response, objectionOf(error))
      })
    },
    onMalformed: (status) =>
      answerTo({ status, fault: invalidRequest('this is not HTTP/1.1') }, rules),
    close: nodes.close,
    place: nodes.place,
    reset() {
      forgetTransactions(parts.store)
      return nodes.reset()
    }
  }
}

/** The nodes behind the networks, by name: chains, what the start named, and what was placed. */
function nodesOf(parts: GatewayParts) {
  const chains = chainsOf(parts)
  const nodes = new Map([...chains, ...upstreamsOf(parts)])
  const placed = new Map<string, Node>()
  return {
    behind: (name: string) => nodes.get(name) ?? placed.get(name),
    names: () => nodes.keys(),
    place(name: string, address: string) {
      const { egress, rules } = parts
      if (nodes.has(name) || placed.has(name)) return 'there is a network of this name'
      const refusal = egress.refusal(placeOf(address))
      if (refusal === undefined) placed.set(name, nodeAt(address, rules.limits.node, egress))
      return refusal
    },
    reset() {
      const gone = [...chains.values(), ...placed.values()]
      placed.clear()
      // A chain that has ended starts again with the next call.
      return closed(gone)
    },
    close: () => closed([...nodes.values(), ...placed.values()])
  }
}

/** A chain for each network that is known; none of them has been started. */
function chainsOf({ rules, store, egress }: GatewayParts): Map<string, Node> {
  const limits = rules.limits.node
  return new Map(
    Object.entries(rules.networks).map(([name, network]) => [
      name,
      chain(network, {
        limits,
        transactions: transactionsOf(store, name),
        onStart: egress.keepFrom
      })
    ])
  )
}

/** Who starts the platform with a node has named it, and may still not name the platform itself. */
function upstreamsOf({ rules, upstreams = {}, egress }: GatewayParts): Map<string, Node> {
  const limits = rules.limits.node
  return new Map(
    Object.entries(upstreams).map(([name, address]) => [
      name,
      nodeAt(address, limits, egress.naming(placeOf(address)))
    ])
  )
}

async function closed(nodes: readonly Node[]) {
  await Promise.all(nodes.map((node) => node.close()))
}

function pathOf({ url = '' }: Received): string {
  return URL.parse(url, 'http://gateway')?.pathname ?? ''
}

/** A signal for when the client is gone before it has its answer. */
function departure(response: Response): AbortSignal {
  const gone = new AbortController()
  // Every call of a batch listens.
  setMaxListeners(0, gone.signal)
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Why a body could not be read, and with it the rest of the connection; or our own defect. */
function objectionOf(error: unknown): GatewayRefusal {
  if (!(error instanceof Failure)) return { status: 500, fault: internal('the gateway failed') }
  const { status, message } = error
  return { status, fault: invalidRequest(message), headers: { Connection: 'close' } }
}
