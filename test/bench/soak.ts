// How often `soak` is wrong on real servers: memory that leaks by so many margins, a collector that
// lets garbage pile up, a cache that fills. An hour is scaled down to `--seconds`.
// `node soak.ts [--runs 1] [--leaks 1] [--seconds 60] [--server NAME]`
// For the record: `--runs 20 --leaks 10`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { flagsOf } from '../usage.ts'
import { machine } from './machine.ts'
import { startServer } from './served.ts'
import { spreadOf, spreadText } from './spread.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    runs: { type: 'string', default: '1' },
    leaks: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '60' },
    server: { type: 'string', default: '' }
  }
})
/** Soaks of each server that leaks nothing, and of each that leaks. */
const counts = { honest: Number(values.runs), leaking: Number(values.leaks) }
const seconds = Number(values.seconds)

/** The level a server is at in the middle of what is judged, and what Node has of it. */
const levelMb = 100
const ownMb = 5

/** One margin: so much more until the end, which is a second's growth times all of them. */
const grownMb = 10
const marginMb = grownMb / seconds

/** What is judged is what follows the first third: the middle of it is at two thirds. */
const grownByThen = (2 / 3) * grownMb

type Habit = { leak?: number; pileMb?: number; cacheMb?: number }

/** A server that keeps memory as told and says on `/metrics` how much it has. */
const program = ({ leak = 0, pileMb = 0, cacheMb = 0 }: Habit) => `
  const megabyte = () => Array.from({ length: 16 }, () => new Array(7810).fill(0.5))
  const kept = Array.from({ length: ${Math.round(levelMb - ownMb - leak * grownByThen)} }, megabyte)
  const began = performance.now()
  let pile = []
  let leaked = 0
  const grow = (mb) => { while (leaked < mb) { kept.push(megabyte()); leaked++ } }
  setInterval(() => {
    const seconds = (performance.now() - began) / 1000
    grow(${leak * marginMb} * seconds + ${cacheMb} * (1 - Math.exp(-4 * seconds / ${seconds})))
    if (${pileMb} > 0 && pile.push(megabyte()) > ${pileMb}) { pile = []; global.gc() }
  }, 25)
  const respond = (request, reply) => {
    if (request.url !== '/metrics') return reply.end('ok')
    reply.end('nodejs_heap_size_used_bytes ' + process.memoryUsage().heapUsed + '\\n')
  }`

const launcher = resolve(import.meta.dirname, '../../src/launch.js')

type Found = { verdict: string; margins: number }

/** Soaks a fresh server for as long as an hour stands for. */
async function soak(habit: Habit, seed: number): Promise<Found> {
  const out = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
  const server = await startServer(program(habit), ['--max-semi-space-size=1', '--expose-gc'])
  const budget = (100 * 3_600 * marginMb) / levelMb
  const flags = ['-r', '50', '-c', '2', '-d', `${seconds}s`, '--metrics', 'heap', '--json']
  const child = spawn(
    process.execPath,
    [
      ...[launcher, 'soak', `${server.url}/`, '--metrics-url', `${server.url}/metrics`],
      ...[...flags, '--budget', `${budget}`, '--seed', `${seed}`, '--out', out]
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  const [said] = await Promise.all([text(child.stdout), once(child, 'exit')])
  server.stop()
  rmSync(out, { recursive: true })
  const { verdict, metrics } = JSON.parse(said)
  return { verdict, margins: metrics.heap.slope / metrics.heap.margin }
}

const habits: [string, Habit][] = [
  ['steady', {}],
  // Four piles a second are what one in 15 s is in an hour.
  ['collector', { pileMb: 10 }],
  ['filling cache', { cacheMb: 15 }],
  ...[1, 2, 4].map((leak): [string, Habit] => [`leak of ${leak}`, { leak }])
]

console.log(machine())
console.log(`soaks of ${seconds} s; a margin is ${marginMb.toFixed(3)} MB a second\n`)
console.log(`${'server'.padEnd(15)}margins found              verdicts`)
for (const [name, habit] of habits.filter(([name]) => name.includes(values.server))) {
  const found: Found[] = []
  const runs = habit.leak === undefined ? counts.honest : counts.leaking
  for (let run = 1; run <= runs; run++) {
    found.push(await soak(habit, run))
    const { verdict, margins } = found.at(-1)!
    console.error(`  ${name}, ${run} of ${runs}: ${margins.toFixed(2)} margins, ${verdict}`)
  }
  if (runs === 0) continue
  const margins = spreadText(spreadOf(found.map(({ margins }) => margins)), 2)
  const kinds = Object.entries(Object.groupBy(found, ({ verdict }) => verdict))
  const verdicts = kinds.map(([verdict, some]) => `${some!.length} ${verdict}`).join(', ')
  console.log(`${name.padEnd(15)}${margins.padEnd(27)}${verdicts}`)
}
