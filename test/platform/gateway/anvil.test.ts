import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
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

/** Ids of the processes that a process has started, and those that they have. */
async function below(id: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'ppid=,pid='])
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number))
  const children = pairs.flatMap(([parent, child]) => (parent === id ? [child!] : []))
  return [...children, ...(await Promise.all(children.map(below))).flat()]
}

/** Whether a process is there and has not ended. */
async function isRunning(id: number): Promise<boolean> {
  const asked = promisify(execFile)('ps', ['-p', `${id}`, '-o', 'stat='])
  const { stdout } = await asked.catch(() => ({ stdout: 'Z' }))
  return !stdout.startsWith('Z')
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'no chain outlives a platform that ends by %s',
  async (signal) => {
    const child = fork(resolve(import.meta.dirname, '../program.ts'))
    onTestFinished(() => void child.kill('SIGKILL'))
    const [{ announcement }] = (await once(child, 'message')) as any[]
    for (const network of ['sepolia', 'rinkeby'])
      expect(await chainId(`${announcement.gateway}/v1/${network}`)).toMatch(/^0x/)
    const chains = await below(child.pid!)
    expect(chains.length).toBeGreaterThanOrEqual(2)
    child.kill(signal)
    await once(child, 'exit')
    while ((await Promise.all(chains.map(isRunning))).includes(true)) await wait(20)
  }
)
