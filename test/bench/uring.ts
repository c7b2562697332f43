// Whether the transport uring holds out: at full rate, against a server that kills connections and
// answers with nonsense by chance, for a long time. `node uring.ts [minutes] [seed]`
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mergeShares } from '../../src/load/figures/result.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { closed } from '../../src/load/load.ts'
import { sendPart } from '../load/ask.ts'
import { numbersOf } from '../usage.ts'
import { machine, pinned } from './machine.ts'
import { spreadOf } from './spread.ts'

const [minutes, seed] = numbersOf(import.meta.url, [10, 1])
const server = new URL('hostile-server.ts', import.meta.url).pathname
const everyMs = 1_000

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

console.log(machine())
const [program, ...args] = pinned(1, [process.execPath, server, `${seed}`]) as [string, ...string[]]
const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const [told] = await once(child.stdout, 'data')
  const url = `http://127.0.0.1:${Number(`${told}`)}/`
  const resident: number[] = []
  const timer = setInterval(() => resident.push(process.memoryUsage().rss), everyMs)
  const load = closed({ connections: 50, seconds: minutes * 60, timeoutMs: 500 })
  const result = mergeShares([await sendPart({ url }, load, { transport: 'uring' })])
  clearInterval(timer)
  const { requests, rps, errors, timeouts, transport, connections, statuses } = summary(result)
  console.log(`${minutes} minutes by ${transport}, seed ${seed}: ${requests} requests, ${rps}/s`)
  console.log(`  answers ${JSON.stringify(statuses)}`)
  console.log(`  failures ${JSON.stringify({ ...errors, timeouts })}`)
  console.log(`  connections ${connections.opened} opened, ${connections.lost} lost`)
  // The first fifth is the compiler's and the heap's to settle.
  const warm = resident.slice(Math.ceil(resident.length / 5))
  const half = warm.length >> 1
  const [early, late] = [warm.slice(0, half), warm.slice(half)].map(spreadOf)
  console.log(
    `  RSS ${megabytes(early!.median)} in the first half after warm-up, ` +
      `${megabytes(late!.median)} in the second (at most ${megabytes(late!.highest)})`
  )
  if (transport !== 'uring') process.exitCode = 1
} finally {
  child.kill('SIGTERM')
}
