import { type Call, members, type Outcome } from './call.ts'
import { wording } from './json-rpc.ts'
import { gatewayLimits } from './limits.ts'
import { announcement, networkOf, networks } from './network.ts'
import type { Node } from './node.ts'

/** What the gateway promises, and what can be got wrong about it. */
export const gatewayRules = {
  limits: gatewayLimits,
  networkOf,
  networks,
  announcement,
  /** The HTTP method calls are made with (document: HTTP POST). */
  isMethod: (method: string): boolean => method === 'POST',
  /** Whether a caller with this Authorization header is let in; the document shows none. */
  isLetIn: (_authorization?: string): boolean => true,
  /** Whether a body of this type is read (document: application/json). */
  isType: (type: string) => /^application\/json *(;|$)/i.test(type),
  isProper: members,
  wording,
  /**
   * Whether a method is for callers: what reads a chain and what pays in a signed transaction. The
   * gateway has no keys to sign with, and a node's own controls are its operator's.
   */
  isOpen: (method: string) =>
    /^(eth|net|web3)_/.test(method) && !/^eth_(accounts|sign|send(?!RawTransaction$))/.test(method),
  /** Asks a network's node what its caller asks. */
  ask: (node: Node, call: Call, gone?: AbortSignal): Promise<Outcome> => node.ask(call, gone)
}

/** The shape of `gatewayRules`. */
export type GatewayRules = typeof gatewayRules
