// How closely the engine keeps to an arrival rate: one worker on one core, an nginx on the other.
// `node pacing.ts [rounds] [seconds]`
import { loadavg } from 'node:os'
import { numbersOf } from '../usage.ts'
import { machine, pinned, run } from './machine.ts'
import { startNginx } from './nginx.ts'
import { spreadOf, spreadText } from './spread.ts'

const [rounds, seconds] = numbersOf(import.meta.url, [5, 5])
const rates = [100, 1_000, 10_000, 40_000]
/** How a load sleeps until arrivals are due: woken by a ticker, or a ring, or not at all. */
const ways = ['woken', 'ring', 'precise'] as const
const client = new URL('paced.ts', import.meta.url).pathname

/** Our own goals: arrivals let go, beside those asked for; lag p99 and cores where it is woken. */
const goal = 0.001
const goals: Record<number, { cores: number; p99Us?: number }> = {
  100: { cores: 0.03 },
  1000: { cores: 0.12, p99Us: 300 },
  10000: { cores: 0.6, p99Us: 1_000 }
}

type Stretch = {
  requests: number
  durationMs: number
  lost: number
  lag: { p50: number; p90: number; p99: number; p999: number; max: number }
  cpu: number
  generator: { valid: boolean; reasons: string[] }
}

async function measure(url: string, rate: number, way: string): Promise<Stretch> {
  const command = [process.execPath, client, url, `${rate}`, `${seconds}`, way]
  return JSON.parse((await run(pinned(0, command))).output)
}

const met = (holds: boolean) => (holds ? 'met' : 'missed')

/** Prints what came of the rounds at a rate in one way; returns the cores it took. */
function tell(rate: number, way: (typeof ways)[number], stretches: readonly Stretch[]): number {
  const off = stretches.map(({ requests, lost }) => (requests - lost) / (rate * seconds) - 1)
  const worst = Math.max(...off.map(Math.abs))
  const { cores: most, p99Us } = (way !== 'precise' && goals[rate]) || {}
  console.log(`\n${rate} arrivals a second, ${way}, ${rounds} × ${seconds} s`)
  console.log(`  off by at most ${(worst * 100).toFixed(3)} %: goal ${met(worst <= goal)}`)
  for (const at of ['p50', 'p90', 'p99', 'p999', 'max'] as const) {
    const lags = spreadOf(stretches.map(({ lag }) => lag[at]))
    const aim = at === 'p99' && p99Us ? `: goal ${p99Us} ${met(lags.median <= p99Us)}` : ''
    console.log(`  lag ${at.padEnd(5)} ${spreadText(lags, 0)} µs${aim}`)
  }
  const cores = spreadOf(stretches.map(({ cpu }) => cpu))
  const aim = most ? `: goal ${most} ${met(cores.median <= most)}` : ''
  console.log(`  CPU       ${spreadText(cores, 3)} cores${aim}`)
  for (const { generator } of stretches) {
    if (!generator.valid) console.log(`  not valid: ${generator.reasons.join('; ')}`)
  }
  return cores.median
}

console.log(`${machine()}, load average ${loadavg()[0]!.toFixed(1)}`)
const { url, stop } = await startNginx()
try {
  for (const rate of rates) {
    const stretches = { woken: [] as Stretch[], ring: [] as Stretch[], precise: [] as Stretch[] }
    for (let round = 0; round < rounds; round++) {
      for (const way of ways) stretches[way].push(await measure(url, rate, way))
    }
    const [woken, ring, precise] = ways.map((way) => tell(rate, way, stretches[way])) as number[]
    const ofPrecise = (cores: number) => (cores / precise!).toFixed(2)
    console.log(`  of the cores of precise: woken ${ofPrecise(woken!)}, ring ${ofPrecise(ring!)}`)
  }
} finally {
  await stop()
}
