// What the gateway costs: calls a second through it beside calls to the node behind it, which is
// the same development chain, and how much processor time the gateway spends on each.
// `node gateway.ts [rounds] [seconds]`
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Pool } from 'undici'
import { startAnvil } from '../../src/platform/gateway/anvil.ts'
import { beginning } from '../../src/platform/gateway/genesis.ts'
import { networks } from '../../src/platform/gateway/network.ts'
import { numbersOf } from '../usage.ts'
import { machine } from './machine.ts'
import { spreadOf, spreadText } from './spread.ts'

const [rounds, seconds] = numbersOf(import.meta.url, [7, 2])
const lanes = 16

const call = (method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params })
const bodies: Record<string, unknown> = {
  'chain id': call('eth_chainId'),
  'block, hashes': call('eth_getBlockByNumber', '0x4', false),
  'block, in full': call('eth_getBlockByNumber', '0x4', true),
  'batch of 20 blocks': Array.from({ length: 20 }, () => call('eth_getBlockByNumber', '0x4', true))
}

/** Asks the same for a while over so many connections; resolves to requests a second. */
async function rate(url: string, body: string): Promise<number> {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: lanes, allowH2: false })
  const began = performance.now()
  const end = began + seconds * 1_000
  let count = 0
  const lane = async () => {
    while (performance.now() < end) {
      const headers = { 'content-type': 'application/json' }
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body })
      const text = await answer.body.text()
      if (!text.includes('"result"')) throw new Error(`${url}: ${text}`)
      count++
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const passedSeconds = (performance.now() - began) / 1_000
  await pool.close()
  return count / passedSeconds
}

const anvil = await startAnvil(networks.sepolia)
for (const { method, params = '[]' } of beginning()) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: JSON.parse(params) })
  await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}
const child = fork(join(import.meta.dirname, 'gateway-program.ts'), [anvil.url])
const [gateway] = (await once(child, 'message')) as [string]

async function cpuUs(): Promise<number> {
  child.send('how much?')
  return (await once(child, 'message'))[0]
}

console.log(machine())
console.log(`\n${lanes} connections, ${rounds} × ${seconds} s each: median (lowest … highest)`)
console.log(
  `${'call'.padEnd(20)}${'node/s'.padEnd(23)}${'through the gateway/s'.padEnd(25)}` +
    `${'ratio'.padEnd(21)}gateway CPU µs`
)
for (const [name, body] of Object.entries(bodies)) {
  const text = JSON.stringify(body)
  const measured: { alone: number; through: number; us: number }[] = []
  for (let round = -1; round < rounds; round++) {
    const alone = await rate(anvil.url, text)
    const before = await cpuUs()
    const through = await rate(gateway, text)
    const us = ((await cpuUs()) - before) / (through * seconds)
    if (round >= 0) measured.push({ alone, through, us })
  }
  const ratios = spreadOf(measured.map(({ alone, through }) => through / alone))
  console.log(
    name.padEnd(20) +
      spreadText(spreadOf(measured.map(({ alone }) => alone)), 0).padEnd(23) +
      spreadText(spreadOf(measured.map(({ through }) => through)), 0).padEnd(25) +
      spreadText(ratios, 2).padEnd(21) +
      spreadText(spreadOf(measured.map(({ us }) => us)), 0)
  )
}
child.kill()
await anvil.stop()
