// What log push costs the edge, and how much it delivers: the edge at full rate with a job and
// without one, in turns, on a platform in a process of its own.
// `node log-push.ts [blocks] [seconds a trial]`
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Announcement } from '../../src/platform/platform.ts'
import { sink } from '../../src/servers/sink.ts'
import { keyTo } from '../platform/api.ts'
import { numbersOf } from '../usage.ts'
import { machine, run } from './machine.ts'
import { spreadOf, spreadText } from './spread.ts'

const [blocks, seconds] = numbersOf(import.meta.url, [6, 3])
const connections = 50
const attempts = 5

const folder = mkdtempSync(join(tmpdir(), 'log-push-'))
const child = fork(resolve(import.meta.dirname, '../platform/program.ts'), [folder])
const [{ announcement }] = (await once(child, 'message')) as [{ announcement: Announcement }]
const { management, control, edge, token, zones, hosts } = announcement
await using logs = await sink()

async function ask(method: string, url: string, body?: object): Promise<any> {
  const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const headers = url.startsWith(control) ? keyTo(announcement) : own
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.json()
}

type Trial = { rps: number; requests: number; p99Us: number; cpuUs: number }

/** Processor time of the platform so far, in milliseconds; the kernel counts in hundredths. */
function platformCpuMs(): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** As many requests as the edge answers, and what each costs it. */
async function loaded(host: string): Promise<Trial> {
  const program = resolve(import.meta.dirname, '../../src/main.ts')
  const flags = ['-c', `${connections}`, '-d', `${seconds}`, '-H', `host: ${host}`, '--json']
  const before = platformCpuMs()
  const { output } = await run([process.execPath, program, 'load', `${edge}/echo`, ...flags])
  const { rps, requests, response } = JSON.parse(output)
  const cpuUs = ((platformCpuMs() - before) * 1_000) / requests
  return { rps, requests, p99Us: response.p99, cpuUs }
}

/** A trial in which the generator was held up is made again. */
async function retried<Result>(trial: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await trial()
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}

/** The same with a job on every field of what the edge does; `refused` batches do not arrive. */
async function withJob(host: string, refused = 0) {
  const jobs = `${management}/zones/${zones.pro}/logpush/jobs`
  const inbox = logs.inbox(`${performance.now()}`)
  inbox.refuse({ batches: refused, status: 503 })
  const body = { dataset: 'http_requests', destination_conf: inbox.url }
  const { result } = await ask('POST', jobs, body)
  try {
    const trial = await loaded(host)
    inbox.refuse({ batches: 0, status: 503 })
    const began = performance.now()
    await ask('POST', `${control}/zones/${zones.pro}/logpush/deliver`)
    const drainSeconds = (performance.now() - began) / 1_000
    const { records_lost: lost } = (await ask('GET', `${jobs}/${result.id}`)).result
    const records = inbox.records().length
    const lineBytes = inbox.batches.reduce((sum, { bytes }) => sum + bytes, 0) / records
    return { ...trial, records, lost, lineBytes, drainSeconds }
  } finally {
    await ask('DELETE', `${jobs}/${result.id}`)
  }
}

console.log(machine())
console.log(`${blocks} blocks of two trials, ${seconds} s and ${connections} connections each\n`)
const host = hosts.pro!
await retried(() => loaded(host))
const bare: Trial[] = []
const logged: Awaited<ReturnType<typeof withJob>>[] = []
for (let block = 0; block < blocks; block++) {
  const without = async () => void bare.push(await retried(() => loaded(host)))
  const withOne = async () => void logged.push(await retried(() => withJob(host)))
  // Which of the two comes first changes from block to block.
  for (const trial of block % 2 ? [withOne, without] : [without, withOne]) await trial()
}
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const show = (name: string, numbers: number[], digits: number) =>
  console.log(`${name.padEnd(34)}${spreadText(spreadOf(numbers), digits)}`)
const figures: [name: string, of: (trial: Trial) => number, digits: number][] = [
  ['requests a second', ({ rps }) => rps, 0],
  ['CPU µs a request', ({ cpuUs }) => cpuUs, 0],
  ['p99, ms', ({ p99Us }) => p99Us / 1_000, 2]
]
for (const [name, of, digits] of figures) {
  const [without, withOne] = [bare.map(of), logged.map(of)]
  show(`${name}, without a job`, without, digits)
  show(`${name}, with a job`, withOne, digits)
  // Of each block, so that what else the machine does is the same for both as far as it can be.
  show(
    '  with / without',
    withOne.map((number, block) => number / without[block]!),
    3
  )
}
show(
  'records delivered a second',
  logged.map(
    ({ records, requests, rps, drainSeconds }) => records / (requests / rps + drainSeconds)
  ),
  0
)
const [asked, records, lost] = [
  sum(logged.map(({ requests }) => requests)),
  sum(logged.map((one) => one.records)),
  sum(logged.map((one) => one.lost))
]
console.log(`${asked} requests, ${records} records delivered, ${lost} lost for want of room`)

const backlog = await retried(() => withJob(host, Infinity))
const perSecond = backlog.records / backlog.drainSeconds
const MBs = (perSecond * backlog.lineBytes) / 1e6
console.log(
  `a backlog of ${backlog.records} records is delivered at ${perSecond.toFixed(0)} a second, ` +
    `which is ${MBs.toFixed(1)} MB of lines`
)
child.kill()
rmSync(folder, { recursive: true })
