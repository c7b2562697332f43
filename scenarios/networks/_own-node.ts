import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { canonical, type Item, isItem } from '../_reply.ts'

declare module 'plimsoll' {
  interface Adapter {
    /** Has the JSON-RPC node at this URL behind a network; resolves to where that is called. */
    network?: (url: string) => Promise<string>
  }
}

/** A call as it comes to a node. */
export type Call = { method?: unknown; params?: unknown; id?: unknown }

/** What the node says to a call: what that asked for, and of a block of transactions many. */
function resultOf({ method, params = [] }: Call): unknown {
  const [block, isFull] = params as unknown[]
  if (method !== 'eth_getBlockByNumber') return `${method} ${canonical(params)}`
  return { number: block, size: '0x1f40', transactions: isFull ? Array(500).fill('"é\\') : [] }
}

/** Whether a result is that one, be it in another writing, or with more in it. */
export function isResultOf(result: unknown, call: Call): boolean {
  const due = resultOf(call)
  if (!isItem(due)) return `${result}`.toLowerCase() === `${due}`.toLowerCase()
  const { number, transactions }: Item = isItem(result) ? result : {}
  return (
    Number(number) === Number(due.number) && canonical(transactions) === canonical(due.transactions)
  )
}

const responseTo = (call: Call) => ({ jsonrpc: '2.0', id: call.id, result: resultOf(call) })

/** A node of the harness, which knows what it was asked; it ends with the scope it was made in. */
export type OwnNode = AsyncDisposable & { port: number; calls: Call[] }

/** Starts a node that takes calls one by one or several in one body. */
export async function openNode(): Promise<OwnNode> {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const said = (await json(request)) as Call | Call[]
    calls.push(...[said].flat())
    const answer = Array.isArray(said) ? said.map(responseTo) : responseTo(said)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    calls,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    }
  }
}
