import { expect, onTestFinished, test } from 'vitest'
import { type Anvil, startAnvil } from '../../../src/platform/gateway/anvil.ts'
import { chain } from '../../../src/platform/gateway/chain.ts'
import { gatewayLimits as limits } from '../../../src/platform/gateway/limits.ts'
import { networks } from '../../../src/platform/gateway/network.ts'
import { transactionsOf } from '../../../src/platform/gateway/transactions.ts'
import { openStore } from '../store.ts'
import { signedPayment } from './payment.ts'

/** A chain that is ended with the test, and the processes it started. */
function chainOf(name: keyof typeof networks, store = openStore()) {
  const started: Anvil[] = []
  const node = chain(networks[name], {
    limits: limits.node,
    transactions: transactionsOf(store, name),
    async start(network) {
      const anvil = await startAnvil(network)
      started.push(anvil)
      return anvil
    }
  })
  const ask = async (method: string, ...params: unknown[]) => {
    const outcome = await node.ask({ method, params: JSON.stringify(params) })
    return 'result' in outcome ? JSON.parse(outcome.result) : JSON.parse(outcome.error)
  }
  onTestFinished(node.close)
  return { ask, close: node.close, started }
}

const latest = (ask: ReturnType<typeof chainOf>['ask']) =>
  ask('eth_getBlockByNumber', 'latest', true)

test('a chain starts with its first call, once for all who ask', async () => {
  const { ask, started } = chainOf('sepolia')
  expect(started).toHaveLength(0)
  const ids = await Promise.all([1, 2, 3].map(() => ask('eth_chainId')))
  expect(new Set(ids)).toEqual(new Set(['0xaa36a7']))
  expect(started).toHaveLength(1)
})

test('one that was never asked closes, and so does one that is just starting', async () => {
  const { close } = chainOf('sepolia')
  await close()
  const { ask, close: end, started } = chainOf('sepolia')
  const asked = ask('eth_chainId')
  await end()
  await asked
  await Promise.all(started.map(({ ended }) => ended))
})

test('each time it is the same chain, and each network has its own', async () => {
  const [one, same, other] = [chainOf('sepolia'), chainOf('sepolia'), chainOf('rinkeby')]
  const block = await latest(one.ask)
  expect(await latest(same.ask)).toEqual(block)
  expect(block).toMatchObject({ number: '0x8', timestamp: expect.any(String) })
  const different = await latest(other.ask)
  expect(different.number).toBe(block.number)
  expect(different.hash).not.toBe(block.hash)
  expect(await other.ask('eth_chainId')).toBe('0x4')
})

test('there is something to read: blocks with payments, one without, and a contract', async () => {
  const { ask } = chainOf('sepolia')
  const numbers = Array.from({ length: 9 }, (_, number) => `0x${number.toString(16)}`)
  const blocks = await Promise.all(
    numbers.map((number) => ask('eth_getBlockByNumber', number, false))
  )
  const counts = blocks.map(({ transactions }) => transactions.length)
  expect(counts).toEqual([0, 1, 2, 0, 3, 1, 0, 2, 1])
  const seconds = blocks.map(({ timestamp }) => Number(timestamp) - Number(blocks[0].timestamp))
  expect(seconds).toEqual([0, 12, 24, 36, 48, 60, 72, 84, 96])
  const receipt = await ask('eth_getTransactionReceipt', blocks[8].transactions[0])
  const answer = await ask('eth_call', { to: receipt.contractAddress }, 'latest')
  expect(Number(answer)).toBe(42)
})

test('payments that were taken are there again, in the same blocks, when it is', async () => {
  const store = openStore()
  const { ask, started } = chainOf('sepolia', store)
  const payments = await Promise.all([0, 1, 2].map((nonce) => signedPayment({ nonce })))
  const hashes = await Promise.all(
    payments.map((payment) => ask('eth_sendRawTransaction', payment))
  )
  expect(hashes).toEqual(Array(3).fill(expect.stringMatching(/^0x[0-9a-f]{64}$/)))
  expect(await ask('eth_sendRawTransaction', payments[0])).toHaveProperty('code')
  const before = await latest(ask)
  expect(before.number).toBe('0xb')

  await started[0]!.stop()
  expect(await latest(ask)).toEqual(before)
  expect(started).toHaveLength(2)

  // Another chain with the same ledger, as when the platform starts again, and one with another.
  expect(await latest(chainOf('sepolia', store).ask)).toEqual(before)
  expect((await latest(chainOf('sepolia').ask)).number).toBe('0x8')
  expect((await latest(chainOf('rinkeby', store).ask)).number).toBe('0x8')
})

test('without a program an error says so, and the next call is another attempt', async () => {
  let attempts = 0
  const node = chain(networks.sepolia, {
    limits: limits.node,
    transactions: { note() {}, noted: () => [] },
    async start() {
      attempts++
      throw new Error('there is no development chain for a sundial')
    }
  })
  const error = expect.stringMatching(/-32002.*sundial/)
  expect(await node.ask({ method: 'eth_chainId' })).toEqual({ error })
  expect(await node.ask({ method: 'eth_chainId' })).toEqual({ error })
  expect(attempts).toBe(2)
  await node.close()
})

test('a chain that refuses what is in the ledger does not run', async () => {
  const { note, noted } = transactionsOf(openStore(), 'sepolia')
  note('["0x00"]')
  const node = chain(networks.sepolia, {
    limits: limits.node,
    transactions: { note, noted }
  })
  onTestFinished(node.close)
  const error = expect.stringMatching(/-32002.*refuses eth_sendRawTransaction/)
  expect(await node.ask({ method: 'eth_chainId' })).toEqual({ error })
})
