import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../../../src/platform/gateway/anvil.ts'
import { networks } from '../../../src/platform/gateway/network.ts'

const chainId = async (url: string) => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}'
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return ((await response.json()) as any).result
}

test('a chain is what it was asked to be, and answers until it is stopped', async () => {
  const { url, ended, stop } = await startAnvil({ chainId: 77, genesisSeconds: 5 })
  expect(await chainId(url)).toBe('0x4d')
  await stop()
  await ended
  await expect(chainId(url)).rejects.toThrow()
  await stop()
})

test('many start at once, each at a place of its own', async () => {
  const anvils = await Promise.all([1, 2, 3].map(() => startAnvil(networks.sepolia)))
  expect(new Set(anvils.map(({ url }) => url)).size).toBe(3)
  await Promise.all(anvils.map(({ stop }) => stop()))
})

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a chain ends with the process that started it: %s',
  async (signal) => {
    const child = fork(join(import.meta.dirname, 'anvil-program.ts'))
    onTestFinished(() => void child.kill('SIGKILL'))
    const [url] = (await once(child, 'message')) as [string]
    expect(await chainId(url)).toBe('0xaa36a7')
    child.kill(signal)
    const isUp = () => chainId(url).then(Boolean, () => false)
    while (await isUp()) await wait(10)
  }
)
