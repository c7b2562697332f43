// How `compare` judges real servers by commands, alike and with planted changes, beside what k6's
// thresholds and two runs of autocannon say of the same pair in the same minutes: tables by change,
// load and server, with 95 % intervals, of what was found, of false alarms, and of what nothing was
// told of. Each comparison is a process of its own and is kept as a line, so that a second call
// goes on where the first ended; rounds go through all servers and changes, so that any part of one
// is a sample. `--together 2` keeps two cores busy with two comparisons at a time, `--busy 2` with
// processes that spin; `--agents 2` sends from two agents behind a Redis (`--fleet`).
// `node corpus.ts --file F [--alike 40] [--each 10] [--time 60] [--budget 3] [--minutes 60]
// [--only json] [--planted stall,tail] [--first 0] [--peers 10] [--together 1] [--busy 0]
// [--connections 1] [--agents 0]`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import PQueue from 'p-queue'
import { flagsOf } from '../usage.ts'
import { type Line, openLines, type Task, type Terms } from './corpus-line.ts'
import { corpus } from './corpus-side.ts'
import { corpusTable } from './corpus-table.ts'
import { machine } from './machine.ts'
import { spinner } from './spinner.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    file: { type: 'string' },
    alike: { type: 'string', default: '40' },
    each: { type: 'string', default: '10' },
    first: { type: 'string', default: '0' },
    time: { type: 'string', default: '60' },
    budget: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    planted: { type: 'string' },
    peers: { type: 'string', default: '10' },
    together: { type: 'string', default: '1' },
    busy: { type: 'string', default: '0' },
    connections: { type: 'string' },
    agents: { type: 'string', default: '0' }
  }
})

const until = performance.now() + Number(values.minutes) * 60_000
const agents = Number(values.agents)
const terms: Terms = {
  ...{ time: Number(values.time), budget: Number(values.budget), peers: Number(values.peers) },
  ...{ together: Number(values.together), busy: Number(values.busy), agents },
  // Each agent takes a connection at least.
  connections: Number(values.connections ?? Math.max(1, agents))
}
const program = resolve(import.meta.dirname, 'corpus-comparison.ts')

/** One comparison, or nothing when its process failed, which says why. */
async function compared(task: Task): Promise<Line | undefined> {
  const args = [program, JSON.stringify({ ...task, ...terms })]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return printed === '' ? undefined : JSON.parse(printed)
}

/** Everything that is to be compared: rounds of which each has every server and change once. */
function tasks(): Task[] {
  const servers = Object.entries(corpus).filter(([name]) => name.includes(values.only))
  const changes = [...new Set(servers.flatMap(([, some]) => some))]
  const planted = changes.filter((one) => (values.planted ?? one).split(',').includes(one))
  const most = Math.max(Number(values.alike), Number(values.each))
  return Array.from({ length: most }, (_, round) =>
    servers.flatMap((_, shift) =>
      planted.flatMap((change, at): Task[] => {
        const [server, possible] = servers[(shift + at + round) % servers.length]!
        const count = Number(change === 'none' ? values.alike : values.each)
        const isPart = possible.includes(change) && round < count
        return isPart ? [{ server, planted: change, seed: Number(values.first) + round }] : []
      })
    )
  ).flat()
}

const kept = openLines(values.file, terms)
const lines: Line[] = []
const others = Array.from({ length: terms.busy }, spinner)
const queue = new PQueue({ concurrency: terms.together })
for (const task of tasks()) {
  void queue.add(async () => {
    const known = kept.find(task)
    if (known === undefined && performance.now() > until) return
    const line = known ?? (await compared(task))
    if (line === undefined) return console.error(`${task.server} ${task.planted}: no result`)
    if (known === undefined) kept.add(line)
    lines.push(line)
  })
}
await queue.onIdle()
for (const one of others) one.stdin?.end()

console.log(machine())
const { time, budget, together, busy, connections } = terms
const sent = agents > 0 ? `${agents} agents` : 'a thread'
console.log(
  `by commands, ${time} s each, budget ${budget} %, ${connections} connections by ${sent}; ` +
    `${together} at a time beside ${busy} busy processes`
)
console.log(lines.length > 0 ? corpusTable(lines) : 'nothing was compared: call it again')
