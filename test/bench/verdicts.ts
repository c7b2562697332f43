// How often `compare` is wrong, and how soon it is right: comparisons of a server with itself, and
// with copies whose handler keeps the core busy for longer by a known part of the median service
// time. `node verdicts.ts [--short] [--loaded] [--open] [--alike 60] [--each 20] [--minutes 60]`
import { carryOut } from '../../src/cli/commands/comparison.ts'
import type { PairFlags } from '../../src/cli/flags/compare-flags.ts'
import { clock } from '../../src/clock.ts'
import type { Comparison } from '../../src/engine/comparison.ts'
import { createDeadline } from '../../src/engine/deadline.ts'
import { createSenderThreads } from '../../src/engine/sender-threads.ts'
import { createStop } from '../../src/engine/stop.ts'
import { clopperPearson, upperBound } from '../../src/statistics/clopper-pearson.ts'
import { flagsOf } from '../usage.ts'
import { startBusy } from './busy.ts'
import { machine } from './machine.ts'
import { spinner } from './spinner.ts'
import { spreadOf, spreadText } from './spread.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    short: { type: 'boolean', default: false },
    loaded: { type: 'boolean', default: false },
    open: { type: 'boolean', default: false },
    alike: { type: 'string' },
    each: { type: 'string' },
    minutes: { type: 'string' },
    time: { type: 'string' },
    budget: { type: 'string', default: '3' },
    connections: { type: 'string', default: '1' }
  }
})
const alike = Number(values.alike ?? (values.short ? 3 : 60))
const each = Number(values.each ?? (values.short ? 1 : 20))
const minutes = Number(values.minutes ?? (values.short ? 3 : 120))
const time = Number(values.time ?? (values.short ? 20 : 60))
const budget = Number(values.budget)
const effects = [3, 5, 7.5, 10]

/** What the handler does for a request before anything is added to it. */
const serviceUs = 500
const confidence = 0.95

const flags: PairFlags = {
  ...{ connections: Number(values.connections), pipelining: 1, workers: 1, timeout: 10 },
  ...{ method: 'GET', header: [], insecure: false, transport: 'wire' },
  ...{
    open: values.open,
    metric: [{ metric: 'p50' }],
    budget,
    time,
    seed: 1,
    authorisation: '',
    json: false
  }
}

type Outcome = { verdict: string; seconds: number; comparison: Comparison }

/** Compares two servers that did not exist before. */
async function compare(addedUs: number, seed: number): Promise<Outcome> {
  const [a, b] = [await startBusy({ us: serviceUs }), await startBusy({ us: serviceUs + addedUs })]
  const began = performance.now()
  const workers = createSenderThreads(flags.workers ?? 1)
  try {
    const sides = { a: { url: a.url }, b: { url: b.url } }
    const given = { deadline: createDeadline(time, { clock }), stop: createStop() }
    const own = { ...flags, seed }
    const comparison = await carryOut({ sides, flags: own, workers, ...given, onProgress() {} })
    const { conclusion, ended } = comparison
    const seconds = (performance.now() - began) / 1_000
    return { verdict: conclusion?.verdict ?? ended, seconds, comparison }
  } finally {
    await workers.close()
    a.stop()
    b.stop()
  }
}

const deadline = performance.now() + minutes * 60_000

/** So many comparisons, or as many as there is time for. */
async function comparisons(addedUs: number, count: number, until = deadline): Promise<Outcome[]> {
  const found: Outcome[] = []
  while (found.length < count && performance.now() < until) {
    found.push(await compare(addedUs, 1_000 * Math.round(addedUs) + found.length))
  }
  return found
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

function print(name: string, outcomes: readonly Outcome[]): void {
  const draws = outcomes.length
  if (draws === 0) {
    console.log(`${name.padEnd(8)} no time left`)
    return
  }
  const counts = Object.entries(Object.groupBy(outcomes, ({ verdict }) => verdict))
  const events = outcomes.filter(({ verdict }) => verdict === 'regressed').length
  const { low, high } = clopperPearson({ events, draws, confidence })
  const ratios = outcomes.flatMap(({ comparison }) => comparison.conclusion?.ratio ?? [])
  const seconds = spreadText(spreadOf(outcomes.map((outcome) => outcome.seconds)), 0)
  console.log(
    `${name.padEnd(8)} ${`${events} of ${draws}`.padEnd(9)} ${percent(low)} … ${percent(high)}`,
    `  ${seconds} s  `,
    ratios.length > 0 ? `B/A ${spreadText(spreadOf(ratios), 3)}` : '',
    `  ${counts.map(([verdict, some]) => `${some!.length} ${verdict}`).join(', ')}`
  )
}

const load = values.loaded ? spinner() : undefined
console.log(machine())
console.log(
  `budget ${budget} %, at most ${time} s each, ${flags.connections} connections` +
    `${flags.open ? ', arrivals at a rate both hold' : ''}` +
    `${load ? ', while another process keeps a core busy' : ''}\n`
)
console.log('B slower regressed 95 % bounds      time to verdict')
try {
  // The same server against itself comes first, since it says what its median service time is.
  const same = await comparisons(0, alike, performance.now() + minutes * 30_000)
  print('alike', same)
  const medians = same.flatMap(({ comparison }) => comparison.conclusion?.metrics.p50?.a ?? [])
  const medianUs = medians.length > 0 ? spreadOf(medians).median : serviceUs
  for (const effect of effects) {
    print(`+${effect} %`, await comparisons((medianUs * effect) / 100, each))
  }
  const wrong = same.filter(({ verdict }) => verdict === 'regressed' || verdict === 'improved')
  const bound = upperBound({ events: wrong.length, draws: same.length, confidence })
  console.log(`\nmedian service time ${(medianUs / 1_000).toFixed(3)} ms`)
  console.log(`false alarms: ${wrong.length} of ${same.length}, at most ${percent(bound)}`)
} finally {
  load?.kill()
}
