// Scenarios against the honest platform behind a proxy that replaces a share of the exchanges by a
// fault: no clause may fail, and none may pass by made-up answers alone. Prints a table; exit 1
// when something was judged wrongly.
//
//   npm run sweep:faults [-- FLAGS] [SCENARIOS]
//
//   --faults A,B      those of these names, not all
//   --modes S/N,S/N   shares that are replaced, each after how many exchanges of a listener
//                     (1/0,1/500,0.2/0,0.2/500,0.05/0)
//   --seed N          seed of all chance (1)
//   --workers N       worker threads (6)
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { allowEgress, targetOf } from '../../src/cli/targets/embedded.ts'
import { standOf } from '../../src/verdict/attempt.ts'
import type { Outcome } from '../../src/verdict/outcome.ts'
import type { Observation, Verdict } from '../../src/verdict/verdict.ts'
import { flagsOf } from '../usage.ts'
import { type Fault, type FaultyProxy, faults, startFaultyProxy } from './faulty-proxy.ts'

const launcher = resolve(import.meta.dirname, '../../src/launch.js')
const adapter = resolve(import.meta.dirname, '../../scenarios/_adapter.ts')

/** Listeners that a proxy is put before; the control listener is the harness's own way in. */
const proxied = ['management', 'gateway', 'edge']

/** What came of all scenarios while one fault replaced a share of the exchanges. */
export type Swept = {
  fault: Fault
  share: number
  after: number
  exchanges: number
  replaced: number
  counts: Partial<Record<Outcome, number>>
  /** Verdicts that the honest platform cannot have earned, in words. */
  wrong: string[]
  seconds: number
}

/** Passes that rest on answers the proxies made up, and on no others. */
function isUnfounded({ evidence, outcome, clause }: Verdict, proxies: FaultyProxy[]): boolean {
  // An accept within a limit is proven by an echo, which no proxy here can make up.
  if (outcome !== 'pass' || evidence.kind !== 'observations') return false
  const exchanges = (evidence.attempts as Observation[][])
    .filter((attempt) => standOf(clause, attempt) === 'seen')
    .flatMap((attempt) => attempt.flatMap((note) => note.exchanges))
  return exchanges.every(
    ({ kind, request, excerpt }) =>
      kind !== 'answered' ||
      proxies.some((proxy) => proxy.isReplaced(request.method, request.url, excerpt))
  )
}

/** Runs scenarios against the honest platform, with a faulty proxy before each listener. */
export async function sweep(options: {
  fault: Fault
  share: number
  /** Exchanges of each listener that are left as they are before any is replaced. */
  after?: number
  seed: number
  ids?: readonly string[]
  workers?: number
}): Promise<Swept> {
  const { fault, share, after = 0, seed, ids = [], workers = 6 } = options
  const began = performance.now()
  const ways = allowEgress.flatMap((place) => ['--allow-egress', place])
  const started = [launcher, 'platform', '--json', '--port', '0', ...ways]
  const platform = spawn(process.execPath, started, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PLIMSOLL_PARENT: String(process.pid) }
  })
  const [line] = await once(createInterface({ input: platform.stdout }), 'line')
  const target = targetOf(JSON.parse(line), { name: 'faulty', adapter })
  const proxies: FaultyProxy[] = []
  for (const name of proxied) {
    const endpoint = target.endpoints[name]!
    const { host } = new URL(endpoint.url)
    const proxy = await startFaultyProxy({ upstream: host, fault, share, after, seed })
    proxies.push(proxy)
    endpoint.url = endpoint.url.replace(host, proxy.origin)
  }
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-faults-'))
  const file = join(folder, 'target.json')
  writeFileSync(file, JSON.stringify(target))
  const flags = ['--target', file, '--out', folder, '--seed', `${seed}`, '--workers', `${workers}`]
  const child = spawn(process.execPath, [launcher, 'run', ...ids, ...flags, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  const report = JSON.parse(await text(child.stdout))
  const verdicts = report.verdicts as Verdict[]
  const tell = ({ outcome, clause, observed, because }: Verdict) =>
    `${outcome} ${clause}: ${observed} (${because})`
  const wrong = [
    ...verdicts.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning'),
    ...verdicts.filter((verdict) => isUnfounded(verdict, proxies))
  ].map(tell)
  const counted = proxies.map((proxy) => proxy.counts())
  const sum = (of: 'exchanges' | 'replaced') => counted.reduce((all, one) => all + one[of], 0)
  for (const proxy of proxies) proxy.close()
  platform.kill('SIGTERM')
  await once(platform, 'exit')
  return {
    ...{ fault, share, after, counts: report.counts, wrong },
    exchanges: sum('exchanges'),
    replaced: sum('replaced'),
    seconds: (performance.now() - began) / 1_000
  }
}

const columns = ['pass', 'observed', 'inconclusive', 'blocked', 'error', 'fail'] as const

/** One line of the table. */
function row({ fault, share, after, exchanges, replaced, counts, wrong, seconds }: Swept): string {
  const cells = [
    ...[fault, share === 1 ? 'always' : `${share * 100} %`, after || 'start'],
    `${replaced} of ${exchanges}`,
    ...columns.map((outcome) => counts[outcome] ?? 0),
    ...[wrong.length, seconds.toFixed(0)]
  ]
  return `| ${cells.join(' | ')} |`
}

/** The share that is replaced, and after how many exchanges of a listener that begins. */
const modes = ['1/0', '1/500', '0.2/0', '0.2/500', '0.05/0']

/** The sweep as a command: every fault, in every mode, over every quick scenario. */
async function main(): Promise<void> {
  const { values, positionals } = flagsOf(import.meta.url, {
    allowPositionals: true,
    options: {
      faults: { type: 'string', default: faults.join(',') },
      modes: { type: 'string', default: modes.join(',') },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '6' }
    }
  })
  const head = ['fault', 'share', 'from', 'replaced', ...columns, 'wrong', 's']
  console.log(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`)
  let wrong = 0
  // A sweep that is cut short has met every fault, each in the modes that came first.
  for (const mode of values.modes.split(',')) {
    const [share, after] = mode.split('/').map(Number) as [number, number]
    for (const fault of values.faults.split(',') as Fault[]) {
      const common = { seed: Number(values.seed), workers: Number(values.workers) }
      const swept = await sweep({ fault, share, after, ids: positionals, ...common })
      wrong += swept.wrong.length
      console.log(row(swept))
      for (const one of swept.wrong) console.log(`  ${one}`)
    }
  }
  console.log(wrong === 0 ? '\nNothing was judged wrongly.' : `\n${wrong} judged wrongly.`)
  process.exitCode = wrong === 0 ? 0 : 1
}

if (import.meta.main) await main()
