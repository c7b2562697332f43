// What neighbours cost: processor time of a request's policies in a zone, by how many policies
// other zones have and by how many it has itself; and how many requests of a client that sends
// 20,000 without waiting are served before one of another client, by a platform of its own.
// `node neighbours.ts [rounds]`
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { insertZone } from '../../src/platform/kernel/zone.ts'
import { pageProtectionLimits as limits } from '../../src/platform/page-protection/limits.ts'
import { applied } from '../../src/platform/page-protection/policy/apply.ts'
import { writePolicy } from '../../src/platform/page-protection/policy/policy.ts'
import type { Announcement } from '../../src/platform/platform.ts'
import { openStore } from '../platform/store.ts'
import { numbersOf } from '../usage.ts'
import { machine } from './machine.ts'
import { spreadOf, spreadText } from './spread.ts'

const [rounds] = numbersOf(import.meta.url, [15])
const requests = 300
const perZone = 500

const store = openStore()
const policy = { description: '', action: 'allow', enabled: true, value: 'script-src a' } as const

function fill(zone: string, count: number) {
  insertZone(store, { id: zone, host: zone, account: 'o', plan: 'free' })
  for (let number = 0; number < count; number++) {
    const expression = `http.request.uri.path eq "/${zone}/${number}"`
    writePolicy(store, zone, { id: `${number}`, ...policy, expression })
  }
}

const apply = applied({ store, limits })
const facts = () => ({ 'http.request.uri.path': '/mine20/0' })

/** Processor time of a request's policies in a zone, after as many in each of the others. */
function costUs(zone: string, others: readonly string[]): number {
  let spentUs = 0
  for (let request = 0; request < requests; request++) {
    const other = others[request % others.length]
    if (other) apply(other, facts)
    const before = process.cpuUsage()
    apply(zone, facts)
    const { user, system } = process.cpuUsage(before)
    spentUs += user + system
  }
  return spentUs / requests
}

const none: string[] = []
const others = Array.from({ length: 10_000 / perZone }, (_, number) => `other${number}`)
store.transaction(() => {
  for (const other of others) fill(other, perZone)
  for (const count of [20, 500, 1_500]) fill(`mine${count}`, count)
})
const asked: [what: string, zone: string, others: string[]][] = [
  ['20, and none elsewhere', 'mine20', none],
  ['20, and 10,000 elsewhere', 'mine20', others],
  ['500, and none elsewhere', 'mine500', none],
  ['500, and 10,000 elsewhere', 'mine500', others],
  ['1,500, and none elsewhere', 'mine1500', none]
]
const costs = asked.map((): number[] => [])
for (const [, zone, beside] of asked) costUs(zone, beside)
for (let round = 0; round < rounds; round++)
  for (const [index, [, zone, beside]] of asked.entries()) costs[index]!.push(costUs(zone, beside))

console.log(machine())
console.log(`\n${rounds} rounds of ${requests} requests: median (lowest … highest)`)
console.log('policies of the zone        µs of processor time      ratio to the first')
for (const [index, [what]] of asked.entries()) {
  const ratios = costs[index]!.map((cost, round) => cost / costs[0]![round]!)
  const cost = spreadText(spreadOf(costs[index]!), 1)
  console.log(what.padEnd(28) + cost.padEnd(26) + spreadText(spreadOf(ratios), 2))
}
store.close()

const child = fork(resolve(import.meta.dirname, 'waf-program.ts'))
const [{ announcement: said }] = (await once(child, 'message')) as [{ announcement: Announcement }]
const { hostname, port } = new URL(said.edge)

/** A connection to the edge, and how many answers came over it. */
async function connected() {
  const socket = connect(Number(port), hostname)
  let text = ''
  let answers = 0
  const heard = new Set<() => void>()
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const parts = text.split('HTTP/1.1 ')
    answers += parts.length - 1
    text = parts.at(-1)!.slice(-8)
    for (const tell of heard) tell()
  })
  await once(socket, 'connect')
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      const tell = () => answers >= count && resolve()
      heard.add(tell)
      tell()
    })
  return { socket, until, answers: () => answers }
}

const ask = `GET /echo HTTP/1.1\r\nHost: ${said.hosts.pro}\r\n\r\n`
const [greedy, modest] = [await connected(), await connected()]
modest.socket.write(ask)
await modest.until(1)
const pipelined = 20_000
greedy.socket.write(ask.repeat(pipelined))
const ahead: number[] = []
for (let request = 0; greedy.answers() < pipelined / 2; request++) {
  const before = greedy.answers()
  modest.socket.write(ask)
  await modest.until(request + 2)
  ahead.push(greedy.answers() - before)
}
console.log(`\nAnswers to a client with ${pipelined} requests on the way between one request`)
console.log(
  `of another client and its answer: ${spreadText(spreadOf(ahead), 0)}, ${ahead.length} times`
)
await greedy.until(pipelined)
for (const { socket } of [greedy, modest]) socket.destroy()
child.kill()
