import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type Announcement, startPlatform } from '../../../src/platform/platform.ts'
import { door } from '../api.ts'
import { signedPayment } from './payment.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-chain-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Asks the network sepolia of a platform, and resolves to the result. */
function asker({ gateway }: Announcement) {
  return async (method: string, ...params: unknown[]) => {
    const response = await fetch(`${gateway}/v1/sepolia`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    })
    return ((await response.json()) as any).result
  }
}

/** A platform that keeps its data in the folder, and is killed rather than ended. */
async function start() {
  const child = fork(join(import.meta.dirname, '../program.ts'), [folder])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [{ announcement }] = (await once(child, 'message')) as [{ announcement: Announcement }]
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { ask: asker(announcement), kill }
}

test('a payment that was taken outlives a killed platform', async () => {
  const first = await start()
  const hash = await first.ask('eth_sendRawTransaction', await signedPayment({ nonce: 0 }))
  const receipt = await first.ask('eth_getTransactionReceipt', hash)
  expect(receipt).toMatchObject({ transactionHash: hash, blockNumber: '0x9' })
  await first.kill()
  const second = await start()
  expect(await second.ask('eth_getTransactionReceipt', hash)).toEqual(receipt)
  await second.kill()
})

test('a reset leaves nothing of it', async () => {
  const { announcement, close } = await startPlatform({ port: 0 })
  onTestFinished(close)
  const ask = asker(announcement)
  const pay = async () => ask('eth_sendRawTransaction', await signedPayment({ nonce: 0 }))
  const hash = await pay()
  expect(await ask('eth_blockNumber')).toBe('0x9')
  await door(announcement)('POST', '/reset')
  expect(await ask('eth_blockNumber')).toBe('0x8')
  expect(await ask('eth_getTransactionByHash', hash)).toBeNull()
  expect(await pay()).toBe(hash)
})
