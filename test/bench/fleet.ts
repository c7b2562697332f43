// What it costs to send from several processes through a Redis: the same load by two threads of one
// process and by one thread of each of two agents, in turn; how evenly the parts interleave at the
// target shows how far the machines' starts are apart.
// `node fleet.ts [rounds]`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { resolve } from 'node:path'
import { numbersOf } from '../usage.ts'
import { startAgents } from './local-fleet.ts'
import { machine } from './machine.ts'
import { spreadOf, spreadText } from './spread.ts'

const [rounds] = numbersOf(import.meta.url, [5])
const [rate, seconds] = [200, 5]
const gapMs = 1_000 / rate
const launcher = resolve(import.meta.dirname, '../../src/launch.js')

let arrivals: number[] = []
const server = createServer((_, reply) => {
  arrivals.push(performance.now())
  reply.end('ok')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`

const { redisUrl, stop } = await startAgents(2)
const plimsoll = (args: string[]) =>
  spawn(process.execPath, [launcher, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Sends the load; how far the two parts are from interleaving, and what was measured. */
async function measure(flags: string[]) {
  arrivals = []
  const load = [url, '-r', `${rate}`, '-d', `${seconds}s`, '-c', '4']
  const child = plimsoll(['load', ...load, '--json', ...flags])
  let output = ''
  child.stdout!.on('data', (text) => {
    output += text
  })
  await once(child, 'close')
  const gaps = arrivals.slice(1).map((at, index) => at - arrivals[index]!)
  const every = (odd: number) => median(gaps.filter((_, index) => index % 2 === odd))
  const { requests, response } = JSON.parse(output)
  // Null when other work on this machine made the run invalid.
  const p50: number | null = response.p50
  return { requests, p50, skewMs: Math.abs(every(0) - every(1)) / 2 }
}

console.log(machine())
try {
  const [own, fleet] = [[], []] as Awaited<ReturnType<typeof measure>>[][]
  for (let round = 0; round < rounds; round++) {
    own!.push(await measure(['-w', '2']))
    fleet!.push(await measure(['--fleet', redisUrl, '--agents', '2']))
  }
  console.log(`\n${rate} a second for ${seconds} s, ${rounds} rounds; ${gapMs} ms between two`)
  for (const [name, found] of Object.entries({ 'two threads': own!, 'two agents': fleet! })) {
    const sent = found.map(({ requests }) => requests / (rate * seconds))
    const skew = found.map(({ skewMs }) => skewMs * 1_000)
    console.log(
      `  ${name.padEnd(12)} sent ${Math.min(...sent)} … ${Math.max(...sent)} of what was asked, ` +
        `starts ${spreadText(spreadOf(skew), 0)} µs apart`
    )
  }
  const ratios = fleet!.flatMap(({ p50 }, round) => {
    const beside = own![round]!.p50
    return p50 === null || beside === null ? [] : [p50 / beside]
  })
  const text = ratios.length > 0 ? spreadText(spreadOf(ratios), 2) : 'unknown'
  console.log(`  median response, agents to threads, ${ratios.length} rounds valid: ${text}`)
} finally {
  stop()
  server.close()
}
