// How `compare` judges real servers by commands, alike and with planted changes, beside what k6's
// thresholds and two runs of autocannon say of the same pair in the same minutes: tables by server
// and change, with 95 % intervals. Each comparison is kept as a line, so that a second call goes on
// where the first ended; rounds go through all servers and changes, so that any part of one is a
// sample. `node corpus.ts --file F [--alike 40] [--each 10] [--time 60] [--budget 3]
// [--minutes 60] [--only json] [--planted stall] [--first 0] [--peers 10]`
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { carryOut } from '../../src/cli/commands/comparison.ts'
import type { PairFlags } from '../../src/cli/flags/compare-flags.ts'
import { clock } from '../../src/clock.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import { createSenderThreads } from '../../src/engine/sender-threads.ts'
import { createStop } from '../../src/engine/stop.ts'
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import { type PeerVerdicts, peerVerdicts } from './corpus-peers.ts'
import { corpus, corpusSides } from './corpus-side.ts'
import { machine } from './machine.ts'

const { values } = parseArgs({
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
    peers: { type: 'string', default: '10' }
  }
})

const until = performance.now() + Number(values.minutes) * 60_000
const [time, budget, peerSeconds] = [values.time, values.budget, values.peers].map(Number) as [
  number,
  number,
  number
]

type Task = { server: string; planted: string; seed: number }

/** One comparison; `load` is the load average before it, `peers` what others say of the pair. */
type Line = Task & { time: number; budget: number } & {
  verdict: string
  because: string
  seconds: number
  load: number
  peers?: PeerVerdicts
}

/** One comparison of a server with itself, of which B has something planted. */
async function compared({ server, planted, seed }: Task): Promise<Line> {
  const { sides, header, close } = await corpusSides(server, planted)
  const flags: PairFlags = {
    ...{ connections: 1, pipelining: 1, workers: 1, timeout: 10, method: 'GET', insecure: false },
    ...{ header, transport: 'wire', open: false, metric: [{ metric: 'p50' }], seed, time, budget },
    ...{ authorisation: '', json: false }
  }
  const load = loadavg()[0]!
  const workers = createSenderThreads(1)
  const began = performance.now()
  try {
    const { conclusion, ended, because } = await carryOut({
      ...{ sides, flags, workers, deadline: createDeadline(time, { clock }), stop: createStop() },
      onProgress() {}
    })
    const verdict = ended === 'decided' ? conclusion!.verdict : ended
    const seconds = Math.round((performance.now() - began) / 1_000)
    const given = { budget: budget / 100, seconds: peerSeconds, header }
    const peers = peerSeconds > 0 && { peers: await peerVerdicts(sides, given) }
    return { server, planted, seed, time, budget, verdict, because, seconds, load, ...peers }
  } finally {
    await workers.close()
    close()
  }
}

/** Everything that is to be compared: rounds of which each has every server and change once. */
function tasks(): Task[] {
  const servers = Object.entries(corpus).filter(([name]) => name.includes(values.only))
  const changes = [...new Set(servers.flatMap(([, some]) => some))]
  const planted = changes.filter((one) => (values.planted ?? one) === one)
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

const { file } = values
const kept: Line[] =
  file !== undefined && existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : []

/** A comparison: the one in the file, or a new one while there is time. */
async function lineOf(task: Task): Promise<Line | undefined> {
  const known = kept.find(
    (line) =>
      line.server === task.server &&
      line.planted === task.planted &&
      line.seed === task.seed &&
      line.time === time &&
      line.budget === budget
  )
  if (known || performance.now() > until) return known
  const line = await compared(task)
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`)
  return line
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`

/** The verdicts that a change should have; of none, those that it should not have. */
function wantedOf(planted: string): string[] {
  if (planted === 'none') return ['regressed', 'improved']
  return planted.startsWith('-') ? ['improved'] : ['regressed']
}

function share(verdicts: readonly string[], planted: string): string {
  const draws = verdicts.length
  const events = verdicts.filter((verdict) => wantedOf(planted).includes(verdict)).length
  const { low, high } = clopperPearson({ events, draws, confidence: 0.95 })
  return `${`${events} of ${draws}`.padEnd(10)}${percent(low)} … ${percent(high)}`.padEnd(28)
}

/** How many of them came out otherwise than they should, or as they should, in words. */
function told(lines: readonly Line[], planted: string): string {
  const others = Object.entries(Object.groupBy(lines, ({ verdict }) => verdict))
  const each = others.map(([verdict, some]) => `${some!.length} ${verdict}`).join(', ')
  const verdicts = lines.map(({ verdict }) => verdict)
  return share(verdicts, planted) + each
}

const lines: Line[] = []
for (const task of tasks()) {
  const line = await lineOf(task)
  if (line) lines.push(line)
}

console.log(machine())
console.log(`by commands, ${time} s each, budget ${budget} %; "none": false alarms`)
const loads = lines.map(({ load }) => load).sort((one, other) => one - other)
console.log(`load averages ${loads[0]} … ${loads.at(-1)}, median ${loads[loads.length >> 1]}\n`)
const by = Object.groupBy(lines, ({ server, planted }) => server.padEnd(11) + planted.padEnd(8))
for (const [name, some] of Object.entries(by).sort(([one], [other]) => (one < other ? -1 : 1))) {
  console.log(name + told(some!, some![0]!.planted))
}
console.log(`\n${'all'.padEnd(19)}${'compare'.padEnd(28)}${'k6 thresholds'.padEnd(28)}autocannon`)
for (const [change, some] of Object.entries(Object.groupBy(lines, ({ planted }) => planted))) {
  const beside = some!.flatMap(({ peers }) => peers ?? [])
  const peers = (['k6', 'autocannon'] as const).map((peer) =>
    beside.length === 0
      ? ''
      : share(
          beside.map((one) => one[peer]),
          change
        )
  )
  const ours = share(
    some!.map(({ verdict }) => verdict),
    change
  )
  console.log(`${'all'.padEnd(11)}${change.padEnd(8)}${ours}${peers.join('')}`)
}
