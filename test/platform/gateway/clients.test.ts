import { FetchRequest, JsonRpcProvider, Wallet } from 'ethers'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { sepolia } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { publicKey } from './payment.ts'

let platform: Platform
let url: string

beforeAll(async () => {
  platform = await startPlatform({ port: 0 })
  url = `${platform.announcement.gateway}/v1/sepolia`
})
afterAll(() => platform.close())

const receiver = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

test('viem reads blocks, batches calls, and pays', async () => {
  const transport = http(url, { batch: true })
  const reader = createPublicClient({ chain: sepolia, transport, pollingInterval: 10 })
  const [chainId, block, hashes, number] = await Promise.all([
    reader.getChainId(),
    reader.getBlock({ blockNumber: 2n, includeTransactions: true }),
    reader.getBlock({ blockNumber: 2n }),
    reader.getBlockNumber()
  ])
  expect(chainId).toBe(sepolia.id)
  expect(block.transactions.map(({ value }) => value)).toEqual([2n, 3n])
  expect(hashes.transactions).toEqual(block.transactions.map(({ hash }) => hash))
  expect(number).toBeGreaterThanOrEqual(8n)

  const account = privateKeyToAccount(publicKey)
  const payer = createWalletClient({ account, chain: sepolia, transport })
  const before = await reader.getBalance({ address: receiver })
  const hash = await payer.sendTransaction({ to: receiver, value: 5n })
  const receipt = await reader.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  expect((await reader.getBalance({ address: receiver })) - before).toBe(5n)
  await expect(reader.request({ method: 'eth_nothing' as never })).rejects.toThrow(/not found/i)
})

test('ethers reads blocks, batches calls, and pays', async () => {
  const provider = new JsonRpcProvider(new FetchRequest(url), undefined, {
    pollingInterval: 10,
    cacheTimeout: -1
  })
  const [{ chainId }, block, missing] = await Promise.all([
    provider.getNetwork(),
    provider.getBlock(4, true),
    provider.getBlock(1_000_000)
  ])
  expect(chainId).toBe(11_155_111n)
  expect(block!.prefetchedTransactions.map(({ value }) => value)).toEqual([4n, 5n, 6n])
  expect(missing).toBeNull()

  const payer = new Wallet(publicKey, provider)
  const before = await provider.getBalance(receiver)
  const receipt = await (await payer.sendTransaction({ to: receiver, value: 7n })).wait()
  expect(receipt!.status).toBe(1)
  expect((await provider.getBalance(receiver)) - before).toBe(7n)
  await expect(provider.send('eth_nothing', [])).rejects.toThrow(/not found/i)
  provider.destroy()
})
