import { type Anvil, startAnvil } from './anvil.ts'
import type { Call, Outcome } from './call.ts'
import { unavailable } from './fault.ts'
import { beginning, mine } from './genesis.ts'
import type { Network } from './network.ts'
import { failed, type Node, type NodeLimits, nodeAt } from './node.ts'
import type { TransactionLog } from './transactions.ts'

/** What a chain is made of. */
export type ChainParts = {
  limits: NodeLimits
  transactions: TransactionLog
  start?: (network: Network) => Promise<Anvil>
  /** Is told where each chain listens. */
  onStart?: (url: string) => void
}

type Running = { node: Node; anvil: Anvil }

const payIn = 'eth_sendRawTransaction'

/**
 * A development chain, started by the first call and again after it has ended: the same blocks each
 * time, and then those of the transactions in the transactions.
 */
export function chain(
  network: Network,
  { limits, transactions, start = startAnvil, onStart }: ChainParts
): Node {
  let running: Promise<Running> | undefined
  let turn: Promise<unknown> = Promise.resolve()

  async function begin(): Promise<Running> {
    const anvil = await start(network)
    onStart?.(anvil.url)
    const node = nodeAt(anvil.url, limits)
    anvil.ended.then(node.close)
    const past = transactions.noted().flatMap((params): Call[] => [{ method: payIn, params }, mine])
    for (const call of [...beginning(), ...past]) {
      const outcome = await node.ask(call)
      if ('result' in outcome) continue
      await anvil.stop()
      throw new Error(`the development chain refuses ${call.method}: ${outcome.error}`)
    }
    return { node, anvil }
  }

  function started(): Promise<Running> {
    if (running) return running
    const starting = begin()
    const forget = () => {
      if (running === starting) running = undefined
    }
    starting.then(({ anvil }) => anvil.ended.then(forget), forget)
    running = starting
    return starting
  }

  /**
   * Each payment gets a block of its own, one after the other, whether or not anybody waits for
   * it: only so does the same transactions always make the same blocks.
   */
  function pay(node: Node, call: Call): Promise<Outcome> {
    const paid = turn.then(async () => {
      const outcome = await node.ask(call)
      if ('error' in outcome) return outcome
      transactions.note(call.params ?? '[]')
      const mined = await node.ask(mine)
      return 'error' in mined ? mined : outcome
    })
    turn = paid.catch(() => {})
    return paid
  }

  return {
    async ask(call, gone) {
      try {
        const { node } = await started()
        return await (call.method === payIn ? pay(node, call) : node.ask(call, gone))
      } catch (error) {
        return failed(unavailable((error as Error).message))
      }
    },
    async close() {
      const { anvil } = (await running?.catch(() => undefined)) ?? {}
      await anvil?.stop()
    }
  }
}
