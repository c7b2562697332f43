import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import { type Call, members } from '../call.ts'
import { wording } from '../json-rpc.ts'
import type { GatewayRules } from '../rules.ts'

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

const isEmptyArray = (value: unknown) => Array.isArray(value) && value.length === 0

/** What can be wrong with the fields of a call. */
export const calls: readonly Mutant<GatewayRules>[] = [
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
    name: 'gateway-capital-digits-refused',
    clause: 'gateway.request.field.params',
    description: 'A block number is refused that has capital letters among its digits.',
    change: {
      isProper: {
        params: (value) => members.params(value) && !/^0x.*[A-F]/.test(`${[value].flat()[0]}`)
      }
    }
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
    name: 'gateway-id-zero-taken-for-none',
    clause: 'gateway.request.field.id',
    description: 'A call with the id 0 is refused as one whose id is missing.',
    change: { isProper: { id: (value) => Boolean(value) && members.id(value) } }
  },
  {
    name: 'gateway-third-param-lost',
    clause: 'gateway.json-rpc-call',
    description: 'A node is told the first two params of a call, and none behind them.',
    change: passing(({ params, ...call }) => {
      const given: unknown = params && JSON.parse(params)
      return Array.isArray(given)
        ? { ...call, params: JSON.stringify(given.slice(0, 2)) }
        : { ...call, params }
    })
  },
  {
    name: 'gateway-empty-params-refused',
    clause: 'gateway.request.field.params',
    description: 'An empty array of params is refused.',
    change: {
      isProper: { params: (value) => members.params(value) && !isEmptyArray(value) }
    }
  },
  {
    name: 'gateway-id-of-32-bits',
    clause: 'gateway.request.field.id',
    description: 'An id beyond 32 bits comes back without its upper bits.',
    change: identified((id) => (/^\d+$/.test(id) ? `${Number(id) | 0}` : id))
  }
]
