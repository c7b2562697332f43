// JSON-RPC servers of other makes: the document shows a call, and says nothing of responses.

import type { Call } from '../../../src/platform/gateway/call.ts'
import { wording } from '../../../src/platform/gateway/json-rpc.ts'
import type { announcement } from '../../../src/platform/gateway/network.ts'
import { failed, type Node } from '../../../src/platform/gateway/node.ts'
import type { Variant } from './variant.ts'
import type { Asked, Way } from './way.ts'
import { typed } from './wire.ts'

const areas = ['gateway', 'networks', 'not-shown/gateway-response', 'not-shown/gateway-batch']

const about = (name: string, allowed: string, rules: Variant['rules']): Variant => ({
  ...{ name, allowed, rules, areas }
})
const spoken = (name: string, allowed: string, way: Way): Variant => ({
  ...{ name, allowed, areas },
  ways: { gateway: way }
})

const responseAllowed = 'the shape of the response body is not shown'
const isRinkeby = ({ target }: Asked) => target.endsWith('/rinkeby')

/** Errors of JSON-RPC in other words. */
const errors = (change: (error: Record<string, any>) => object) => ({
  gateway: {
    wording: {
      error: (id: string, error: string) =>
        wording.error(id, JSON.stringify(change(JSON.parse(error))))
    }
  }
})

/** A network that is ended: whatever it is asked, it says so by HTTP. */
const ended = (status: number): Way => ({
  head: (head, { asked }) => ({ ...head, status: isRinkeby(asked) ? status : head.status }),
  json: (value, { asked }) =>
    JSON.stringify(isRinkeby(asked) ? { error: 'This network is no more.' } : value)
})

type Told = { error?: { code: number } }

/** Failed calls are failures of HTTP as well, by the code of their error. */
const failing = (status: (code: number) => number): Way => ({
  status(value: Told | Told[], { head }) {
    const error = Array.isArray(value) ? undefined : value.error
    return error && head.status === 200 ? status(error.code) : head.status
  }
})

const statusAllowed = 'with which status a call fails is not said'

/** Statuses of a draft for JSON-RPC over HTTP. */
const drafted = (code: number) => ({ [-32_600]: 400, [-32_601]: 404 })[code] ?? 500

/** Platforms whose gateway is another. */
export const gatewayVariants: readonly Variant[] = [
  about(
    'errors-of-another-server',
    responseAllowed,
    errors(({ code }) => ({ code, message: 'Nope' }))
  ),
  about(
    'errors-with-data',
    responseAllowed,
    errors(({ code, message }) => ({
      ...{ code: code === -32_601 ? -32_001 : code, message, data: { trace: ['a', 'b'] } }
    }))
  ),
  about('members-in-another-order', responseAllowed, {
    gateway: {
      wording: {
        result: (id, result) => `{"id":${id},"result":${result},"jsonrpc":"2.0"}`,
        error: (id, error) => `{"error":${error},"id":${id},"jsonrpc":"2.0"}`
      }
    }
  }),
  about('error-null-beside-a-result', responseAllowed, {
    gateway: {
      wording: {
        result: (id, result) => `{"jsonrpc":"2.0","id":${id},"error":null,"result":${result}}`
      }
    }
  }),
  spoken(
    'calls-fail-with-400',
    statusAllowed,
    failing(() => 400)
  ),
  spoken(
    'calls-fail-with-422',
    statusAllowed,
    failing(() => 422)
  ),
  spoken('calls-fail-by-their-codes', statusAllowed, failing(drafted)),
  spoken('more-members-of-responses', responseAllowed, {
    json: (value) => {
      const more = (one: object) => ({ ...one, meta: { node: 'n7', error: null }, tookMs: 3 })
      return JSON.stringify(Array.isArray(value) ? value.map(more) : more(value))
    }
  }),
  spoken('hex-in-upper-case', 'of which case hexadecimal digits are is not said', {
    json: (value) =>
      JSON.stringify(value).replace(/"0x[\da-f]+"/g, (hex) => `"0x${hex.slice(3).toUpperCase()}`)
  }),
  // A management API all of whose bodies are JSON cannot say that they are something else.
  spoken('json-as-plain-text', responseAllowed, typed([['Content-Type', 'text/plain']])),
  about(
    'calls-with-stacks',
    responseAllowed,
    errors(({ code, message }) => ({
      ...{ code, message: `Error: ${message}\n    at handle (/srv/rpc.js:41:7)\n<b>Sorry</b>` },
      data: 'Error\n    at process.processTicksAndRejections'
    }))
  ),
  spoken('rinkeby-is-410', 'rinkeby is deprecated, and need not be there', ended(410)),
  spoken('rinkeby-is-404', 'rinkeby is deprecated, and need not be there', ended(404)),
  spoken('rinkeby-is-403', 'rinkeby is deprecated, and need not be there', ended(403)),
  spoken('rinkeby-answers-with-an-error', 'rinkeby is deprecated, and need not be there', {
    json: (value, { asked }) => {
      const error = { code: -32_601, message: 'use sepolia' }
      return JSON.stringify(isRinkeby(asked) ? { jsonrpc: '2.0', id: value.id, error } : value)
    }
  }),
  spoken('unknown-networks-are-400', 'which status a name has that is no network’s is not said', {
    head: (head) => ({ ...head, status: head.status === 404 ? 400 : head.status })
  }),
  spoken('other-methods-are-404', 'which status a call by another method has is not said', {
    head: (head) => ({ ...head, status: head.status === 405 ? 404 : head.status })
  }),
  about('nothing-announced', 'how a deprecation is told is not said', {
    gateway: { announcement: (() => ({})) as unknown as typeof announcement }
  }),
  about('any-media-type', 'that other types are refused is not said', {
    gateway: { isType: () => true }
  }),
  about('few-methods', 'the block query is an example of a method', {
    gateway: { isOpen: (method) => /^eth_(getBlockByNumber|blockNumber|chainId)$/.test(method) }
  }),
  about('bare-failures', responseAllowed, {
    gateway: {
      ask: async (node: Node, call: Call, gone?: AbortSignal) => {
        const outcome = await node.ask(call, gone)
        return 'error' in outcome ? failed({ code: -32_000, message: 'execution failed' }) : outcome
      }
    }
  })
]
