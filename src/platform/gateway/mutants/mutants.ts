import { Failure } from '../../kernel/api/failure.ts'
import type { Mutant, Unenforced } from '../../kernel/mutant.ts'
import { invalidRequest } from '../fault.ts'
import { wording } from '../json-rpc.ts'
import { networkOf, networks } from '../network.ts'
import { failed } from '../node.ts'
import type { GatewayRules } from '../rules.ts'
import { calls } from './field.ts'

type Break = Mutant<GatewayRules>

/** A defect, as whoever asks sees it. */
const breakDown = (): never => {
  throw new Failure(500, [{ code: 0, message: 'a mutant breaks down' }])
}

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
