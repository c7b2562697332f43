// What telling others of a load costs, side by side: the same load on one nginx with and without,
// client and server on a core each. What a request costs is the processor time of the whole
// program without that of its start, which is measured by a load of one request.
// `node telemetry.ts [rounds] [seconds]`
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../free-ports.ts'
import { numbersOf } from '../usage.ts'
import { machine, pinned, run } from './machine.ts'
import { startNginx } from './nginx.ts'
import { spreadOf, spreadText } from './spread.ts'

const [rounds, seconds] = numbersOf(import.meta.url, [7, 3])
const launcher = new URL('../../src/launch.js', import.meta.url).pathname

/** One round of one way to be told: requests, and processor time in milliseconds. */
type Stretch = { requests: number; cpuMs: number; startMs: number }

async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

async function load(url: string, words: string[]) {
  const command = [
    process.execPath,
    launcher,
    'load',
    url,
    ...words,
    '--transport',
    'wire',
    '--json',
    '--no-config'
  ]
  // A client that is slower than the server says that it set the pace.
  const { output, cpuMs } = await run(pinned(0, command), [0, 3])
  return { requests: JSON.parse(output).requests as number, cpuMs }
}

// Before a port is looked for that nobody has.
const { url, stop } = await startNginx()
let told = 0
const collector = await serve((request, response) => {
  request.on('data', (part) => (told += part.length)).on('end', () => response.end('{}'))
})
const port = await freePorts(1)
let isOver = false
const scraping = (async () => {
  while (!isOver) {
    await sleep(1_000)
    const page = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined)
    await page?.text()
  }
})()

const ways: Record<string, string[]> = {
  nobody: [],
  '--otlp': ['--otlp', collector.url],
  '… --traces 1': ['--otlp', collector.url, '--traces', '1'],
  '--prometheus': ['--prometheus', `${port}`],
  '--remote-write': ['--remote-write', `${collector.url}/api/v1/write`]
}

console.log(
  `${machine()}, wire, 50 connections, 4 in flight on each, ${rounds} × ${seconds} s each`
)
const stretches = new Map<string, Stretch[]>(Object.keys(ways).map((name) => [name, []]))
const names = Object.keys(ways)
for (let round = 0; round < rounds; round++) {
  // Whoever comes first would otherwise always meet the same weather.
  const first = round % names.length
  for (const name of [...names.slice(first), ...names.slice(0, first)]) {
    const words = ways[name]!
    const { cpuMs: startMs } = await load(url, ['-c', '50', '-p', '4', '-n', '50', ...words])
    const whole = await load(url, ['-c', '50', '-p', '4', '-d', `${seconds}s`, ...words])
    stretches.get(name)!.push({ ...whole, startMs })
  }
}
await stop()
isOver = true
await scraping
collector.server.close()
collector.server.closeAllConnections()
if (told === 0) throw new Error('nobody was told of anything')

const requestUs = ({ requests, cpuMs, startMs }: Stretch) => ((cpuMs - startMs) * 1_000) / requests
const plain = stretches.get('nobody')!
console.log(
  `${'told'.padEnd(16)}${'CPU µs a request'.padEnd(24)}${'÷ nobody'.padEnd(24)}` +
    `${'requests/s'.padEnd(28)}CPU ms of the start`
)
for (const [name, all] of stretches) {
  const ratios = all.map((one, round) => requestUs(one) / requestUs(plain[round]!))
  console.log(
    name.padEnd(16) +
      spreadText(spreadOf(all.map(requestUs)), 2).padEnd(24) +
      spreadText(spreadOf(ratios), 3).padEnd(24) +
      spreadText(spreadOf(all.map(({ requests }) => requests / seconds)), 0).padEnd(28) +
      spreadText(spreadOf(all.map(({ startMs }) => startMs)), 0)
  )
}
