// Whether `probe` finds what is there: servers with limits drawn at random, the truth beside what
// was found, and how long it took. Exit 1 where anything is wrong.
// `node probe.ts [--seed 1] [--only nginx] [--shard 1/4] [--together 4] [--minutes 20] [--busy 2]`:
// each has two minutes, beside so many processes that keep a core busy
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { text } from 'node:stream/consumers'
import PQueue from 'p-queue'
import { flagsOf } from '../usage.ts'
import { machine } from './machine.ts'
import { startProbed } from './probed.ts'
import type { Probed } from './probed-programs.ts'
import { spinner } from './spinner.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    shard: { type: 'string', default: '1/1' },
    busy: { type: 'string', default: '0' },
    together: { type: 'string', default: '4' },
    minutes: { type: 'string', default: '20' }
  }
})
const until = performance.now() + Number(values.minutes) * 60_000
const launch = new URL('../../src/launch.js', import.meta.url).pathname

type Fields = Record<string, unknown>
type Judgement = 'right' | 'unclear' | 'WRONG'

/** Numbers of what was measured are to be right to 3 %; all others are counted. */
const measured = ['perSecond', 'windowMs', 'delayMs', 'endsMs', 'banMs']

/** What an entry says of each field of the truth. */
function saidOf(entry: Fields, truth: Fields): Fields {
  const [way] = (entry.ways ?? []) as Fields[]
  const all: Fields = { ...entry, endsMs: way?.ms }
  const names = Object.keys(truth)
  return Object.fromEntries(
    (names.length === 0 ? ['algorithm', 'burst', 'windowMs'] : names).map((name) => [
      name,
      all[name]
    ])
  )
}

function holds(name: string, said: unknown, stated: unknown): boolean {
  if (Array.isArray(stated)) {
    const [what, number] = stated as [string, number]
    const written = number % 1_024 === 0 ? `${number / 1_024} KiB` : number.toLocaleString('en')
    // Up to 31 is less than 32.
    const same = `${what.replace('up to', 'less than')} ${(number + 1).toLocaleString('en')}`
    return said === `${what} ${written}` || said === same
  }
  if (stated instanceof RegExp) return stated.test(String(said))
  if (!measured.includes(name)) return said === stated
  return Math.abs(Number(said) / Number(stated) - 1) < 0.03
}

function judge(entry: Fields | undefined, truth: Fields): Judgement {
  if (entry === undefined) return 'unclear'
  const [way] = (entry.ways ?? []) as Fields[]
  const kind = entry.algorithm ?? entry.kind ?? way?.kind ?? 'unclear'
  // What takes longer than there is time for is told for what it may be.
  const isTold = truth.because instanceof RegExp && truth.because.test(String(entry.because))
  if (isTold && kind === 'unclear') return 'right'
  // A line without a reading claims nothing of what is counted.
  if (kind === 'unclear' || ('reading' in truth && entry.reading === null)) return 'unclear'
  const names = Object.keys(truth)
  const said = saidOf(entry, truth)
  // What is not said is not wrong.
  const isPart = names.some((name) => said[name] === null || said[name] === undefined)
  const isRest = names.every((name) => said[name] == null || holds(name, said[name], truth[name]))
  if (isPart && isRest) return 'unclear'
  const isTrue = names.length > 0 && names.every((name) => holds(name, said[name], truth[name]))
  return isTrue ? 'right' : 'WRONG'
}

function words(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const number = typeof value === 'number' ? Number(value.toPrecision(5)) : value
      return `${name} ${Array.isArray(number) ? number.join(' ') : number}`
    })
    .join(', ')
}

async function ask({ url, limits }: Probed): Promise<Fields | undefined> {
  const args = [launch, 'probe', url, '--limits', limits, '--json', '--time', '2m']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [printed] = await Promise.all([text(child.stdout), once(child, 'exit')])
  try {
    const { limits: found, because } = JSON.parse(printed)
    return found[0] ?? { because }
  } catch {
    return undefined
  }
}

const [shard = 1, shards = 1] = values.shard.split('/').map(Number)
const servers = await startProbed(Number(values.seed), values.only)
const probed = servers.probed.filter((_, index) => index % shards === shard - 1)
const others = Array.from({ length: Number(values.busy) }, spinner)
// What was started would outlive it.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void servers.stop().finally(() => process.exit(130)))
const counts: Record<Judgement, number> = { right: 0, unclear: 0, WRONG: 0 }
const taken: number[] = []
const beside = `${values.together} together beside ${others.length} busy processes`
console.log(`${machine()}; seed ${values.seed}, shard ${values.shard}, ${beside}`)
try {
  const queue = new PQueue({ concurrency: Number(values.together) })
  for (const one of probed) {
    void queue.add(async () => {
      if (performance.now() > until) return console.log(`not asked, the time is up: ${one.name}`)
      const begun = performance.now()
      const entry = await ask(one)
      const seconds = (performance.now() - begun) / 1_000
      const judgement = judge(entry, one.truth)
      counts[judgement]++
      if (one.limits === 'rate') taken.push(seconds)
      const found = saidOf(entry ?? {}, one.truth)
      const truth = words(one.truth) || 'nothing that has a name yet'
      console.log(`${judgement.padEnd(8)} ${seconds.toFixed(0).padStart(4)} s  ${one.name}`)
      console.log(`${''.padEnd(17)}truth: ${truth}\n${''.padEnd(17)}found: ${words(found)}`)
      if (judgement !== 'right') console.log(`${''.padEnd(17)}${entry?.because ?? 'no answer'}`)
    })
  }
  await queue.onIdle()
} finally {
  for (const one of others) one.kill()
  await servers.stop()
}
const middle = taken.sort((a, b) => a - b)[taken.length >> 1] ?? 0
console.log(`\n${words(counts)}; a rate in ${middle.toFixed(0)} s, at the median`)
console.log(`load average at the end: ${loadavg().map((load) => load.toFixed(1))}`)
if (counts.WRONG > 0) process.exitCode = 1
