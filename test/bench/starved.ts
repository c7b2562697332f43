// How often a load is judged wrongly that a starved generator made, or a healthy one: closed and
// open loads of two seconds on a server of 5 ms; starved ones share a core with programs that spin,
// or are stopped by a signal for half of the time.
// Healthy ones are given precedence, which takes a privileged user where others use the machine.
// `node starved.ts [--each 20]`; with `--one URL MODEL` it is one load, and says what came of it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { mergeShares } from '../../src/load/figures/result.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { closed, hold, open } from '../../src/load/load.ts'
import { clopperPearson } from '../../src/statistics/clopper-pearson.ts'
import { sendPart } from '../load/ask.ts'
import { flagsOf } from '../usage.ts'
import { machine, pinned } from './machine.ts'
import { startServer } from './served.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    each: { type: 'string', default: '20' },
    one: { type: 'string' },
    model: { type: 'string' }
  }
})
const seconds = 2

/** One load from this process, whose outcome goes to stdout. */
async function loadOnce(url: string): Promise<void> {
  const load =
    values.model === 'open'
      ? open(hold({ rate: 200, seconds }))
      : closed({ connections: 10, seconds })
  const { generator, response } = summary(mergeShares([await sendPart({ url }, load)]))
  console.log(JSON.stringify({ generator, p50: response.p50 }))
}

type Kind = 'healthy' | 'starved' | 'stopped'

/** Stops a program for 60 ms of each 120 until it ends. */
async function stopping(child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    child.kill('SIGSTOP')
    await sleep(60)
    child.kill('SIGCONT')
    await sleep(60)
  }
}

/** What a load of that kind came to that was sent from the first core. */
async function judged(url: string, model: string, kind: Kind) {
  const spinners = Array.from({ length: kind === 'starved' ? spinning : 0 }, () => {
    const [program, ...args] = pinned(0, [process.execPath, '-e', 'for (;;);'])
    return spawn(program!, args, { stdio: 'ignore' })
  })
  try {
    const own = [import.meta.filename, '--one', url, '--model', model]
    // A healthy one comes before whatever else this machine does, where this user may say so.
    const before = kind === 'healthy' ? ['nice', '-n', '-15'] : []
    const [program, ...args] = [...before, ...pinned(0, [process.execPath, ...own])]
    const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    if (kind === 'stopped') void stopping(child)
    await once(child, 'close')
    return JSON.parse(text) as { generator: ReturnType<typeof summary>['generator'] }
  } finally {
    for (const spinner of spinners) spinner.kill()
  }
}

/** Programs on the generator's core in a starved load. */
const spinning = 6

const text = (events: number, draws: number) => {
  const { low, high } = clopperPearson({ events, draws, confidence: 0.95 })
  return `${events} of ${draws} (${(100 * low).toFixed(0)} … ${(100 * high).toFixed(0)} %)`
}

async function all(): Promise<void> {
  console.log(machine())
  const each = Number(values.each)
  const server = await startServer('const respond = (_, reply) => setTimeout(() => reply.end(), 5)')
  const wrong = { healthy: 0, starved: 0, stopped: 0 }
  const kinds: Kind[] = ['healthy', 'starved', 'stopped']
  try {
    for (let nth = 0; nth < kinds.length * each; nth++) {
      const kind = kinds[nth % kinds.length]!
      const model = Math.floor(nth / kinds.length) % 2 === 0 ? 'closed' : 'open'
      const { generator } = await judged(server.url, model, kind)
      const isWrong = generator.valid === (kind !== 'healthy')
      if (isWrong) wrong[kind]++
      const { waitShare = 0, standstillShare = 0, lagP99Us } = generator
      const still = `stood still ${(100 * standstillShare).toFixed(0)} %`
      const found = `waited ${(100 * waitShare).toFixed(0)} %, ${still}, lag p99 ${lagP99Us} µs`
      console.log(`${kind} ${model}: ${isWrong ? 'WRONG' : 'right'}, ${found}`, generator.reasons)
    }
  } finally {
    server.stop()
  }
  console.log(`healthy ones refused: ${text(wrong.healthy, each)}`)
  console.log(`starved ones believed: ${text(wrong.starved, each)}`)
  console.log(`stopped ones believed: ${text(wrong.stopped, each)}`)
}

await (values.one === undefined ? all() : loadOnce(values.one))
