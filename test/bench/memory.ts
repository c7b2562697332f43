// Whether memory stays where it is: many connections, and many requests for a long time.
// `node memory.ts [minutes] [arrivals a second] [connections]`
import { numbersOf } from '../usage.ts'
import { machine, pinned, run } from './machine.ts'
import { startNginx } from './nginx.ts'
import { spreadOf } from './spread.ts'

const [minutes, rate, connections] = numbersOf(import.meta.url, [10, 20_000, 10_000])
const client = new URL('sustained.ts', import.meta.url).pathname
const every = Math.max(1, (minutes * 60) / 60)

type Told = { atSeconds: number; rss: number; heapUsed: number; external: number }

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/**
 * Carries out one long load and says how memory went, beginning with the second fifth of the time.
 */
async function watchMemory(
  url: string,
  given: { connections: number; rate: number; seconds: number }
) {
  const settings = [given.connections, given.rate, given.seconds, every].map(String)
  const { output } = await run(pinned(0, [process.execPath, client, url, ...settings]))
  const lines = output.trim().split('\n')
  const told = lines.slice(0, -1).map((line) => JSON.parse(line) as Told)
  const { requests, rps, errors, timeouts, dropped, generator } = JSON.parse(lines.at(-1)!)
  const warm = told.filter(({ atSeconds }) => atSeconds >= given.seconds / 5)
  const half = warm.length >> 1
  console.log(
    `\n${given.connections} connections, ${given.rate} arrivals a second, ${given.seconds} s`
  )
  console.log(
    `  ${requests} requests, ${rps} a second; ${timeouts} timeouts, ${dropped} dropped, ` +
      `errors ${JSON.stringify(errors)}`
  )
  for (const what of ['rss', 'heapUsed', 'external'] as const) {
    const [early, late] = [warm.slice(0, half), warm.slice(half)].map((part) =>
      spreadOf(part.map((one) => one[what]))
    )
    console.log(
      `  ${what.padEnd(9)} ${megabytes(early!.median)} in the first half after warm-up, ` +
        `${megabytes(late!.median)} in the second (at most ${megabytes(late!.highest)})`
    )
  }
  if (!generator.valid) console.log(`  not valid: ${generator.reasons.join('; ')}`)
}

console.log(machine())
const { url, stop } = await startNginx()
try {
  await watchMemory(url, { connections: 50, rate, seconds: minutes * 60 })
  await watchMemory(url, { connections, rate: rate / 10, seconds: Math.min(60, minutes * 60) })
} finally {
  await stop()
}
