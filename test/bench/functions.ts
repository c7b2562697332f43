// What it costs to run a function in an isolate: requests a second and latency beside a bare
// server, the same handler in the server, and behind a process and a thread that enforce nothing;
// starting; memory; large bodies.
// `node functions.ts [rounds] [seconds]`; `node functions.ts beside FOLDER [rounds] [requests]` has
// isolates of another checkout beside those of this one, in turn; `node functions.ts starts
// [rounds]` is about starting only.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import autocannon from 'autocannon'
import type { Invocation } from '../../src/platform/functions/isolate/contract.ts'
import { hodgesLehmann } from '../../src/statistics/hodges-lehmann.ts'
import { signedRankInterval } from '../../src/statistics/signed-rank.ts'
import { openTestIsolates, specOf } from '../platform/functions/isolate/isolates.ts'
import { machine } from './machine.ts'
import { spreadOf, spreadText } from './spread.ts'
import { openUnenforced } from './unenforced.ts'

const modes = ['bare', 'handler', 'unenforced', 'isolate'] as const
type Mode = (typeof modes)[number]

const limits = {
  ...specOf('').limits,
  cpuMs: { fetch: 60_000, scheduled: 1, queue: 1, alarm: 1 }
}
const trivial = `export default {
  fetch: () => new Response('hello', { headers: { 'content-type': 'text/plain' } })
}`
const reading = `export default { async fetch(request) {
  if (request.method === 'PUT') return new Response(request.body)
  if (request.method === 'PATCH')
    return new Response(request.body.pipeThrough(new TransformStream()))
  let bytes = 0
  for await (const chunk of request.body) bytes += chunk.length
  return new Response(String(bytes))
} }`

type Answering = (message: IncomingMessage, response: ServerResponse) => Promise<void> | void

const pairsOf = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1]!]] : []
  )

/** What answers in each mode; the same five bytes from all of them. */
async function answering(mode: Mode): Promise<Answering> {
  if (mode === 'bare')
    return (_message, response) =>
      void response.writeHead(200, { 'content-type': 'text/plain' }).end('hello')
  if (mode === 'handler') {
    const { default: handler } = await import(`data:text/javascript,${encodeURIComponent(trivial)}`)
    return async (message, response) => {
      const url = `http://function.test${message.url}`
      const answer: Response = await handler.fetch(
        new Request(url, { method: message.method!, headers: pairsOf(message) })
      )
      response.writeHead(answer.status, [...answer.headers].flat())
      response.end(Buffer.from(await answer.arrayBuffer()))
    }
  }
  if (mode === 'unenforced') {
    const ask = openUnenforced(trivial)
    return async (message, response) => {
      const url = `http://function.test${message.url}`
      const asked = { method: message.method!, url, headers: pairsOf(message) }
      const { status, headers, body } = await ask(asked)
      response.writeHead(status, headers.flat()).end(body)
    }
  }
  const { run, check } = openTestIsolates()
  const spec = specOf(trivial, { limits })
  await check(spec)
  return async (message, response) => {
    const url = `http://function.test${message.url}`
    const event = { method: message.method!, url, headers: pairsOf(message), body: null }
    const { status, headers, body } = await run(spec, event as Partial<Invocation>).answer
    response.writeHead(status, headers.flat())
    if (body) await pipeline(body, response)
    else response.end()
  }
}

async function serve(mode: Mode) {
  const answer = await answering(mode)
  const server = createServer(async (message, response) => {
    try {
      await answer(message, response)
    } catch {
      // The client leaves in the middle when its time is up.
      response.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send!((server.address() as AddressInfo).port)
  process.on('disconnect', () => process.exit())
}

async function throughput(rounds: number, seconds: number) {
  const servers = await Promise.all(
    modes.map(async (mode) => {
      const child = fork(import.meta.filename, ['serve', mode])
      const [port] = await once(child, 'message')
      return { mode, child, url: `http://127.0.0.1:${port}/` }
    })
  )
  const rates = new Map<Mode, number[]>(modes.map((mode) => [mode, []]))
  const latencies = new Map<Mode, number[]>(modes.map((mode) => [mode, []]))
  for (let round = 0; round <= rounds; round++)
    for (const { mode, url } of servers) {
      const result = await autocannon({ url, connections: 32, duration: seconds })
      if (result.non2xx + result.errors > 0) throw new Error(`${mode}: not all were answered`)
      // The first round warms everything up.
      if (round === 0) continue
      rates.get(mode)!.push(result.requests.total / result.duration)
      latencies.get(mode)!.push(result.latency.average)
    }
  for (const { child } of servers) child.disconnect()
  console.log(`\n32 connections, ${rounds} × ${seconds} s each`)
  for (const mode of modes) {
    const own = rates.get(mode)!
    console.log(
      `${mode.padEnd(12)}${spreadText(spreadOf(own), 0).padEnd(28)}requests a second  ` +
        `${spreadText(spreadOf(latencies.get(mode)!), 1).padEnd(20)}ms on average`
    )
  }
  console.log()
  for (const [mode, of] of [
    ['handler', 'bare'],
    ['unenforced', 'handler'],
    ['isolate', 'unenforced'],
    ['isolate', 'handler'],
    ['isolate', 'bare']
  ] as const) {
    const ratios = rates.get(mode)!.map((rate, round) => rate / rates.get(of)![round]!)
    console.log(`${mode.padEnd(12)}${spreadText(spreadOf(ratios), 2)} of ${of}`)
  }
}

/** Bytes that belong to one process alone. */
function privateBytes(id: number): number {
  const rollup = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')
  const sizes = [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].map(([, size]) => Number(size))
  return sizes.reduce((sum, size) => sum + size, 0) * 1_024
}

const childrenOf = (id: number) =>
  readdirSync(`/proc/${id}/task/${id}`).includes('children')
    ? readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ').map(Number)
    : []

/** Processor time of all threads of a process, to the microsecond. */
const processUs = (id: number) =>
  readdirSync(`/proc/${id}/task`)
    .map((thread) => readFileSync(`/proc/${id}/task/${thread}/schedstat`, 'utf8'))
    .reduce((sum, schedstat) => sum + Number(schedstat.split(' ')[0]) / 1_000, 0)

/** Processor time of a server and the processes it has started, in microseconds. */
const treeUs = (id: number) => [id, ...childrenOf(id)].reduce((sum, one) => sum + processUs(one), 0)

/**
 * Isolates of two checkouts in turn, as many requests each: each round begins with the other one.
 * Rounds are short, so that what else a machine does is beside both.
 */
async function beside(folder: string, rounds: number, amount: number) {
  const files = [resolve(folder, 'test/bench/functions.ts'), import.meta.filename]
  const servers = await Promise.all(
    files.map(async (file) => {
      const child = fork(file, ['serve', 'isolate'])
      const [port] = await once(child, 'message')
      return { child, url: `http://127.0.0.1:${port}/` }
    })
  )
  const taken = async (which: number) => {
    const { child, url } = servers[which]!
    const before = treeUs(child.pid!)
    const { requests } = await autocannon({ url, connections: 32, amount })
    return (treeUs(child.pid!) - before) / requests.total
  }
  for (let warming = 0; warming < 10; warming++) for (const which of [0, 1]) await taken(which)
  const logarithms: number[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2
    const found = [await taken(first), await taken(1 - first)]
    const [before, now] = first === 0 ? found : found.toReversed()
    logarithms.push(Math.log(now! / before!))
  }
  for (const { child } of servers) child.disconnect()
  const { low, high } = signedRankInterval(logarithms, 0.95)
  const [ratio, ...ends] = [hodgesLehmann(logarithms), low, high].map((one) =>
    Math.exp(one).toFixed(3)
  )
  console.log(`\n32 connections, ${rounds} rounds of ${amount} requests each, beside ${folder}`)
  console.log(`processor time of each: ${ratio} of before (95 %: ${ends.join(' … ')})`)
}

async function starting(rounds: number) {
  const cold: number[] = []
  const warm: number[] = []
  const memory: number[] = []
  const worked: number[] = []
  const charged: number[] = []
  for (let round = 0; round < rounds; round++) {
    await using isolates = openTestIsolates({ spares: 1 })
    const timed = async (times: number[]) => {
      const spec = specOf(trivial, { limits })
      const begun = performance.now()
      await isolates.check(spec)
      times.push(performance.now() - begun)
      return spec
    }
    const spec = await timed(cold)
    const [id] = childrenOf(process.pid)
    if (id !== undefined) worked.push(processUs(id) / 1_000)
    for (let n = 0; n < 200; n++) {
      const { record } = await isolates.ask(spec)
      if (n >= 100) charged.push(record.cpuUs)
    }
    if (id !== undefined) memory.push(privateBytes(id) / 1e6)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await timed(warm)
  }
  console.log(`\n${rounds} starts each`)
  console.log(`cold       ${spreadText(spreadOf(cold), 0)} ms`)
  console.log(`pre-warmed ${spreadText(spreadOf(warm), 1)} ms`)
  if (memory.length > 0) {
    console.log(`processor  ${spreadText(spreadOf(worked), 0)} ms for a cold one`)
    console.log(`memory     ${spreadText(spreadOf(memory), 0)} MB of its own`)
  }
  console.log(`charged    ${spreadText(spreadOf(charged), 0)} µs for a request that does nothing`)
}

async function bodies(rounds: number) {
  await using isolates = openTestIsolates()
  const spec = specOf(reading, { limits })
  await isolates.check(spec)
  const chunk = Buffer.alloc(65_536, 'x')
  async function* hundred() {
    for (let n = 0; n < 1_600; n++) yield chunk
  }
  const pass = async (method: string) => {
    const begun = performance.now()
    const event = { method, body: hundred() } as Partial<Invocation>
    const { answer, record } = isolates.run(spec, event)
    let bytes = 0
    for await (const part of (await answer).body!) bytes += part.length
    const seconds = (performance.now() - begun) / 1_000
    return { bytes, rate: 104.8576 / seconds, cpuMs: (await record).cpuUs / 1_000 }
  }
  console.log(`\n100 MiB of body, ${rounds} times`)
  for (const [method, what] of [
    ['POST', 'read'],
    ['PATCH', 'passed through'],
    ['PUT', 'handed on']
  ] as const) {
    const passes = []
    for (let round = 0; round <= rounds; round++) passes.push(await pass(method))
    const kept = passes.slice(1)
    const rate = spreadText(spreadOf(kept.map(({ rate }) => rate)), 0)
    const cpu = spreadText(spreadOf(kept.map(({ cpuMs }) => cpuMs)), 0)
    console.log(`${what.padEnd(15)}${rate} MB/s, ${cpu} ms of processor time`)
  }
}

const [first, second, third, fourth] = process.argv.slice(2)
if (first === 'serve') await serve(second as Mode)
else if (first === 'beside') await beside(second!, Number(third ?? 200), Number(fourth ?? 500))
else if (first === 'starts') await starting(Number(second ?? 5))
else {
  const [rounds, seconds] = [Number(first ?? 5), Number(second ?? 3)]
  console.log(machine())
  await throughput(rounds, seconds)
  await starting(rounds)
  await bodies(rounds)
}
