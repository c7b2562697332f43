// How closely the engine keeps to an arrival rate: one worker on one core, an nginx on the other.
import { machine, pinned, run } from './machine.ts'
import { startNginx } from './nginx.ts'
import { spreadOf, spreadText } from './spread.ts'

const [rounds, seconds] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 5)]
const rates = [1_000, 10_000, 40_000]
const client = new URL('paced.ts', import.meta.url).pathname

/** The project's own goal: arrivals let go, beside those asked for. */
const goal = 0.001

type Stretch = {
  requests: number
  durationMs: number
  lost: number
  lag: { p50: number; p90: number; p99: number; p999: number; max: number }
  cpu: number
  generator: { valid: boolean; reasons: string[] }
}

async function measure(url: string, rate: number): Promise<Stretch> {
  const command = [process.execPath, client, url, `${rate}`, `${seconds}`]
  return JSON.parse((await run(pinned(0, command))).output)
}

console.log(machine())
const { url, stop } = await startNginx()
try {
  for (const rate of rates) {
    const stretches: Stretch[] = []
    for (let round = 0; round < rounds; round++) stretches.push(await measure(url, rate))
    const off = stretches.map(({ requests, lost }) => (requests - lost) / (rate * seconds) - 1)
    const worst = Math.max(...off.map(Math.abs))
    console.log(`\n${rate} arrivals a second, ${rounds} × ${seconds} s`)
    console.log(
      `  off by at most ${(worst * 100).toFixed(3)} %: goal ${worst <= goal ? 'met' : 'missed'}`
    )
    for (const at of ['p50', 'p90', 'p99', 'p999', 'max'] as const) {
      const lags = spreadOf(stretches.map(({ lag }) => lag[at]))
      console.log(`  lag ${at.padEnd(5)} ${spreadText(lags, 0)} µs`)
    }
    console.log(`  CPU       ${spreadText(spreadOf(stretches.map(({ cpu }) => cpu)), 2)} cores`)
    for (const { generator } of stretches) {
      if (!generator.valid) console.log(`  not valid: ${generator.reasons.join('; ')}`)
    }
  }
} finally {
  await stop()
}
