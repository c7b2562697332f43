// How near `capacity` comes to servers whose limit is known: a token bucket that refuses what is
// beyond it, and lanes that each serve one request at a time.
// `node capacity.ts [--runs 1] [--time 120] [--server NAME]`; for the record: `--runs 20`
import { clock } from '../../src/clock.ts'
import { searchCapacity } from '../../src/engine/capacity-search.ts'
import { createDeadline, stopAt } from '../../src/engine/deadline.ts'
import { createSender } from '../../src/engine/send-load.ts'
import { createSenderThreads } from '../../src/engine/sender-threads.ts'
import { createStop } from '../../src/engine/stop.ts'
import type { Capacity } from '../../src/verdict/capacity.ts'
import { flagsOf } from '../usage.ts'
import { machine } from './machine.ts'
import { startServer } from './served.ts'
import { spreadOf, spreadText } from './spread.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    runs: { type: 'string', default: '1' },
    time: { type: 'string', default: '120' },
    server: { type: 'string', default: '' }
  }
})
const runs = Number(values.runs)
const seconds = Number(values.time)

/** Tokens flow in at a rate, and at most a tenth of a second's worth of them is kept. */
const bucket = (rate: number) => `
  let tokens = ${rate / 10}
  let filled = performance.now()
  const respond = (_, reply) => {
    const now = performance.now()
    tokens = Math.min(${rate / 10}, tokens + (now - filled) * ${rate / 1_000})
    filled = now
    if (tokens < 1) return reply.writeHead(429).end()
    tokens--
    reply.end('ok')
  }`

/** A request leaves so long after the one before it in its lane; late timers cost no capacity. */
const lanes = (count: number, ms: number) => `
  const free = new Array(${count}).fill(0)
  const respond = (_, reply) => {
    const now = performance.now()
    const lane = free.indexOf(Math.min(...free))
    free[lane] = Math.max(now, free[lane]) + ${ms}
    setTimeout(() => reply.end('ok'), free[lane] - now)
  }`

type Known = { name: string; program: string; capacity: number }

const servers: Known[] = [
  { name: 'token bucket', program: bucket(400), capacity: 400 },
  { name: 'one lane', program: lanes(1, 5), capacity: 200 },
  { name: 'four lanes', program: lanes(4, 10), capacity: 400 }
]

/** Searches the capacity of a fresh server. */
async function searched(program: string, seed: number): Promise<Capacity> {
  const server = await startServer(program)
  const shape = { connections: 50, pipelining: 1, timeoutMs: 5_000 }
  const source = { requests: [{ url: `${server.url}/` }] }
  const destination = { ...shape, source, transport: 'wire' as const }
  const stop = createStop()
  const deadline = createDeadline(seconds, { clock })
  const letGo = stopAt(deadline, stop)
  const threads = createSenderThreads(1)
  const sender = createSender(threads, stop)
  try {
    await sender.open([destination])
    const found = await searchCapacity({
      ...{ shape, deadline, seed, clock, highest: 1e5, stopped: stop.requested },
      trial: (load) => sender.trial(0, { load, seed }),
      objective: { p99Us: 100_000, errorRatio: 0.001 },
      onTrial() {}
    })
    if (found.ended === 'searched') return found.capacity
    throw new Error(`${found.ended}: ${found.because}`)
  } finally {
    letGo()
    await threads.close()
    server.stop()
  }
}

console.log(machine())
console.log(`${runs} searches each of at most ${seconds} s\n`)
console.log(`${'server'.padEnd(14)}truth  inside    width in %              confirmed in %`)
for (const { name, program, capacity } of servers.filter(({ name }) =>
  name.includes(values.server)
)) {
  const found: Capacity[] = []
  for (let run = 1; run <= runs; run++) {
    const one = await searched(program, run)
    console.error(`  ${name}, ${run} of ${runs}: ${one.interval?.map(Math.round).join(' … ')}`)
    found.push(one)
  }
  const intervals = found.flatMap(({ interval }) => (interval ? [interval] : []))
  const inside = intervals.filter(([low, high]) => low <= capacity && capacity <= high).length
  const widths = intervals.map(([low, high]) => 100 * (high / low - 1))
  const confirmed = found.flatMap(({ confirmed }) => {
    return confirmed === undefined ? [] : [(100 * confirmed) / capacity]
  })
  const text = (some: readonly number[]) => (some.length > 0 ? spreadText(spreadOf(some), 1) : '–')
  console.log(
    name.padEnd(14) +
      `${capacity}    ${`${inside} of ${found.length}`.padEnd(10)}` +
      `${text(widths).padEnd(24)}${text(confirmed)}`
  )
}
