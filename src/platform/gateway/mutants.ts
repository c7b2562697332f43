import { Failure } from '../kernel/api/failure.ts'
import type { Mutant, Unenforced } from '../kernel/mutant.ts'
import type { Override } from '../kernel/override.ts'
import type { Call } from './call.ts'
import { invalidRequest } from './fault.ts'
import { wording } from './json-rpc.ts'
import { networkOf, networks } from './network.ts'
import { failed } from './node.ts'
import type { GatewayRules } from './rules.ts'

type Break = Mutant<GatewayRules>

/** A defect, as whoever asks sees it. */
const breakDown = (): never => {
  throw new Failure(500, [{ code: 0, message: 'a mutant breaks down' }])
}

/** Nodes that are asked something else than callers ask. */
const passing = (change: (call: Call) => Call): Override<GatewayRules> => ({
  ask: (node, call, gone) => node.ask(change(call), gone)
})

/** Answers with another id than the call's. */
const identified = (change: (id: string) => string): Override<GatewayRules> => ({
  wording: {
    result: (id, result) => wording.result(change(id), result),
    error: (id, error) => wording.error(change(id), error)
  }
})

/** The block query with other parameters than those it was sent with. */
const asking =
  (change: (params: unknown[]) => unknown[]) =>
  (call: Call): Call => {
    if (call.method !== 'eth_getBlockByNumber' || call.params === undefined) return call
    return { ...call, params: JSON.stringify(change(JSON.parse(call.params))) }
  }

const inOrder = ({ params, ...call }: Call): Call => ({
  ...call,
  params: params && JSON.stringify(Object.values(JSON.parse(params)))
})

const paths: Break[] = [
  {
    name: 'gateway-without-version',
    clause: 'versioning.gateway-v1',
    description: 'Networks are at /{network}, without /v1.',
    change: { networkOf: (path) => /^\/([^/]+)$/.exec(path)?.[1] }
  },
  {
    name: 'gateway-of-version-2',
    clause: 'versioning.gateway-v1',
    description: 'Networks are at /v2/{network}.',
    change: { networkOf: (path) => /^\/v2\/([^/]+)$/.exec(path)?.[1] }
  },
  {
    name: 'gateway-network-ignored',
    clause: 'gateway.network-last-segment',
    description: 'Every path below /v1 leads to the same network.',
    change: { networkOf: (path) => networkOf(path) && 'sepolia' }
  },
  {
    name: 'gateway-breaks-down-over-network',
    clause: 'gateway.network-last-segment',
    description: 'A path that names no network there is gets a 500.',
    change: {
      networkOf(path) {
        const name = networkOf(path)
        return name === undefined || Object.hasOwn(networks, name) ? name : breakDown()
      }
    }
  },
  {
    name: 'gateway-network-before-last',
    clause: 'gateway.network-last-segment',
    description: 'The network is selected by the segment before the last: /{network}/v1.',
    change: { networkOf: (path) => /^\/([^/]+)\/v1$/.exec(path)?.[1] }
  },
  {
    name: 'gateway-sepolia-unknown',
    clause: 'gateway.network-sepolia',
    description: 'The network sepolia is answered like one nobody knows.',
    change: { networkOf: (path) => (path === '/v1/sepolia' ? undefined : networkOf(path)) }
  },
  {
    name: 'gateway-rinkeby-is-sepolia',
    clause: 'gateway.network-rinkeby',
    description: 'Calls to rinkeby are answered by sepolia, without a word.',
    change: { networkOf: (path) => networkOf(path)?.replace('rinkeby', 'sepolia') }
  },
  {
    name: 'gateway-sepolia-under-version-2',
    clause: 'gateway.migrate-last-segment-only',
    description: 'Who migrates from /v1/rinkeby has to call /v2/sepolia.',
    change: {
      networkOf: (path) => /^\/(?:v1\/(rinkeby)|v2\/(sepolia))$/.exec(path)?.find(isName)
    }
  },
  {
    name: 'gateway-sepolia-deprecated',
    clause: 'versioning.rinkeby-deprecated',
    description: 'The network sepolia is said to be deprecated, too.',
    change: { networks: { sepolia: { deprecated: { sinceSeconds: 1, successor: 'rinkeby' } } } }
  },
  {
    name: 'gateway-rinkeby-deprecated-later',
    clause: 'versioning.rinkeby-deprecated',
    description: 'The network rinkeby is said to be deprecated since 2024-01-30.',
    change: {
      networks: { rinkeby: { deprecated: { sinceSeconds: Date.UTC(2024, 0, 30) / 1_000 } } }
    }
  },
  {
    name: 'gateway-rinkeby-deprecated-the-day-after',
    clause: 'versioning.rinkeby-deprecated',
    description: 'The network rinkeby is said to be deprecated since 2023-01-31.',
    change: {
      networks: { rinkeby: { deprecated: { sinceSeconds: Date.UTC(2023, 0, 31) / 1_000 } } }
    }
  }
]

const requests: Break[] = [
  {
    name: 'gateway-get-answered',
    clause: 'gateway.post-only',
    description: 'A call made with GET is answered.',
    change: { isMethod: (method) => method === 'POST' || method === 'GET' }
  },
  {
    name: 'gateway-any-method-answered',
    clause: 'gateway.post-only',
    description: 'A call is answered whatever HTTP method it is made with.',
    change: { isMethod: () => true }
  },
  {
    name: 'gateway-breaks-down-over-method',
    clause: 'gateway.post-only',
    description: 'A call made with another HTTP method than POST gets a 500.',
    change: { isMethod: (method) => method === 'POST' || breakDown() }
  },
  {
    name: 'gateway-put-instead-of-post',
    clause: 'gateway.post-only',
    description: 'Calls are made with PUT, and refused with POST.',
    change: { isMethod: (method) => method === 'PUT' }
  },
  {
    name: 'gateway-credential-demanded',
    clause: 'gateway.no-auth-shown',
    description: 'Calls without an Authorization header are answered with 401.',
    change: { isLetIn: (authorization) => authorization !== undefined }
  },
  {
    name: 'gateway-type-refused',
    clause: 'gateway.json-rpc-call',
    description: 'Bodies of type application/json are answered with 415.',
    change: { isType: (type) => type.startsWith('application/json-rpc') }
  }
]

const calls: Break[] = [
  {
    name: 'gateway-jsonrpc-number',
    clause: 'gateway.request.field.jsonrpc',
    description: 'The field jsonrpc must be the number 2, and the string "2.0" is refused.',
    change: { isProper: { jsonrpc: (value) => value === 2 } }
  },
  {
    name: 'gateway-method-ignored',
    clause: 'gateway.request.field.method',
    description: 'Every call is taken for the block query.',
    change: {
      isOpen: () => true,
      ...passing((call) => ({ ...call, method: 'eth_getBlockByNumber' }))
    }
  },
  {
    name: 'gateway-block-query-answers-number',
    clause: 'gateway.request.field.method',
    description: 'The block query answers the number of the latest block.',
    change: passing((call) =>
      call.method === 'eth_getBlockByNumber' ? { method: 'eth_blockNumber' } : call
    )
  },
  {
    name: 'gateway-params-by-name-only',
    clause: 'gateway.request.field.params',
    description: 'The field params must be an object, and an array is refused.',
    change: {
      isProper: { params: (value) => typeof value === 'object' && !Array.isArray(value) },
      ...passing(inOrder)
    }
  },
  {
    name: 'gateway-block-number-ignored',
    clause: 'gateway.request.field.params',
    description: 'The block query answers the latest block whatever number it is given.',
    change: passing(asking(([, full]) => ['latest', full]))
  },
  {
    name: 'gateway-full-transactions-ignored',
    clause: 'gateway.request.field.params',
    description: 'Blocks have hashes of transactions, even where full ones are asked for.',
    change: passing(asking(([block]) => [block, false]))
  },
  {
    name: 'gateway-full-transactions-always',
    clause: 'gateway.request.field.params',
    description: 'Blocks have full transactions, even where hashes are asked for.',
    change: passing(asking(([block]) => [block, true]))
  },
  {
    name: 'gateway-integer-id-refused',
    clause: 'gateway.request.field.id',
    description: 'The field id must be a string, and an integer is refused.',
    change: { isProper: { id: (value) => typeof value === 'string' } }
  },
  {
    name: 'gateway-id-always-one',
    clause: 'gateway.request.field.id',
    description: 'Every response has the id 1.',
    change: identified(() => '1')
  },
  {
    name: 'gateway-id-as-string',
    clause: 'gateway.request.field.id',
    description: 'An id of 7 comes back as "7".',
    change: identified((id) => (/^\d+$/.test(id) ? `"${id}"` : id))
  },
  {
    name: 'gateway-id-of-32-bits',
    clause: 'gateway.request.field.id',
    description: 'An id beyond 32 bits comes back without its upper bits.',
    change: identified((id) => (/^\d+$/.test(id) ? `${Number(id) | 0}` : id))
  }
]

const answers: Break[] = [
  {
    name: 'gateway-result-bare',
    clause: 'gateway.json-rpc-call',
    description: 'A call is answered with its result alone.',
    change: { wording: { result: (_id, result) => result } }
  },
  {
    name: 'gateway-answer-of-version-1',
    clause: 'gateway.json-rpc-call',
    description: 'Responses are those of JSON-RPC 1.0.',
    change: {
      wording: { result: (id, result) => `{"result":${result},"error":null,"id":${id}}` }
    }
  },
  {
    name: 'gateway-error-of-version-1',
    clause: 'gateway.json-rpc-call',
    description: 'Errors are those of JSON-RPC 1.0.',
    change: { wording: { error: (id, error) => `{"result":null,"error":${error},"id":${id}}` } }
  },
  {
    name: 'gateway-params-demanded',
    clause: 'gateway.json-rpc-call',
    description: 'A call without params is an error, even of a method that needs none.',
    change: {
      ask: (node, call, gone) =>
        call.params === undefined
          ? Promise.resolve(failed(invalidRequest('params are demanded')))
          : node.ask(call, gone)
    }
  },
  {
    name: 'gateway-error-of-nobody',
    clause: 'gateway.json-rpc-call',
    description: 'Errors do not tell which call they are about.',
    change: { wording: { error: (_id, error) => wording.error('null', error) } }
  }
]

function isName(part: string | undefined, index: number): part is string {
  return index > 0 && part !== undefined
}

/** Every known way to break the gateway. */
export const mutants: readonly Break[] = [...paths, ...requests, ...calls, ...answers]

/** A gateway that takes any call of anybody. */
export const unenforced: Unenforced<GatewayRules> = {
  limits: {
    bodyBytes: Infinity,
    batchCalls: Infinity,
    answerCharacters: Infinity,
    node: { pending: Infinity }
  },
  isMethod: () => true,
  isLetIn: () => true,
  isType: () => true,
  isOpen: () => true
}
