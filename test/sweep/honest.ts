// Scenarios against honest platforms of other makes: what those do otherwise, the document leaves
// open, so that nothing may fail or warn, and no scenario be at fault. Prints a table; exit 1 when
// something was judged wrongly.
//
//   npm run sweep:honest [-- FLAGS] [SCENARIOS]
//
//   --variants A,B  those of these names, not all
//   --shard K/N     every N-th of them, beginning with the K-th, as 2/8
//   --seed N        seed of all chance (1)
//   --workers N     worker threads (2)
//   --at-once N     variants at a time (1)
//   --open          tells also what nothing was concluded of
//   --list          only names them, and says why they may be so
import { type Document, openDocument } from '../../src/cli/document.ts'
import { adapterIn, allowEgress, targetOf } from '../../src/cli/targets/embedded.ts'
import { createPool, type Pool } from '../../src/engine/pool.ts'
import { run } from '../../src/engine/run.ts'
import { createStop } from '../../src/engine/stop.ts'
import { nearest } from '../../src/platform/kernel/nearest.ts'
import { startPlatform } from '../../src/platform/platform.ts'
import type { Outcome } from '../../src/verdict/outcome.ts'
import type { Verdict } from '../../src/verdict/verdict.ts'
import { flagsOf } from '../usage.ts'
import { type HonestProxy, startHonestProxy } from './honest/proxy.ts'
import type { Variant } from './honest/variant.ts'
import { variants } from './honest/variants.ts'

/** What came of the scenarios of one variant. */
export type Swept = {
  variant: Variant
  counts: Partial<Record<Outcome, number>>
  /** Verdicts that an honest platform cannot have earned, in words. */
  wrong: string[]
  /** Clauses that nothing could be concluded of, in words. */
  open: string[]
  answers: number
  seconds: number
}

const wrongOutcomes: readonly Outcome[] = ['fail', 'warning', 'error']
const openOutcomes: readonly Outcome[] = ['inconclusive', 'blocked', 'inapplicable']

const told = ({ outcome, scenario, clause, observed, because }: Verdict) =>
  `${outcome} ${clause} (${scenario}): ${observed} (${because})`

/** Runs the scenarios of a variant, or those of them that are named, against it. */
export async function sweepHonest(options: {
  variant: Variant
  document: Document
  seed: number
  pool: Pool
  ids?: readonly string[]
}): Promise<Swept> {
  const { variant, document, seed, pool, ids = [] } = options
  const began = performance.now()
  const platform = await startPlatform({ port: 0, allowEgress, otherwise: variant.rules })
  const { name } = variant
  const target = targetOf(platform.announcement, { name, adapter: adapterIn(document.folder) })
  const proxies: HonestProxy[] = []
  for (const [listener, way] of Object.entries(variant.ways ?? {})) {
    const endpoint = target.endpoints[listener]!
    const { host } = new URL(endpoint.url)
    const proxy = await startHonestProxy({ upstream: host, way, seed })
    proxies.push(proxy)
    endpoint.url = endpoint.url.replace(host, proxy.origin)
  }
  if (variant.aheadMs) {
    const { url, headers } = target.endpoints.control!
    await fetch(`${url}/clock`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ forwardMs: variant.aheadMs })
    })
  }
  const isIn = (places: readonly string[]) => (scenario: string) =>
    places.some((place) => `${scenario}/`.startsWith(`${place}/`))
  const units = document.plan.units.filter(
    ({ scenario }) => isIn(variant.areas)(scenario) && (ids.length === 0 || isIn(ids)(scenario))
  )
  try {
    const verdicts = await run({
      ...{ units, inventory: document.inventory, target, pool, seed },
      ...{ stop: createStop(), onProgress() {} }
    })
    const counts = Map.groupBy(verdicts, ({ outcome }) => outcome)
    const those = (outcomes: readonly Outcome[]) =>
      verdicts.filter(({ outcome }) => outcomes.includes(outcome)).map(told)
    return {
      variant,
      counts: Object.fromEntries([...counts].map(([outcome, { length }]) => [outcome, length])),
      wrong:
        units.length + ids.length > 0 ? those(wrongOutcomes) : [`no scenario asks about ${name}`],
      open: those(openOutcomes),
      answers: proxies.reduce((sum, proxy) => sum + proxy.answers(), 0),
      seconds: (performance.now() - began) / 1_000
    }
  } finally {
    for (const proxy of proxies) proxy.close()
    await platform.close()
  }
}

const columns = ['pass', 'observed', 'inconclusive', 'blocked', 'inapplicable', 'error'] as const

/** One line of the table. */
function row({ variant, counts, wrong, seconds }: Swept): string {
  const cells = columns.map((outcome) => counts[outcome] ?? 0)
  return `| ${[variant.name, ...cells, wrong.length, seconds.toFixed(0)].join(' | ')} |`
}

function chosen(names: string | undefined): readonly Variant[] {
  if (names === undefined) return variants
  return names.split(',').map((name) => {
    const found = variants.find((one) => one.name === name)
    if (found) return found
    const near = nearest(
      name,
      variants.map((one) => one.name)
    )
    throw new Error(`no variant is named ${name}; the nearest are ${near.join(', ')}`)
  })
}

/** Every N-th of them, beginning with the K-th, for a `K/N`: what N runs together come to. */
export function inShard<Item>(all: readonly Item[], shard: string | undefined): readonly Item[] {
  if (shard === undefined) return all
  const [, own, count] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number)
  if (!own || !count || own > count) throw new Error(`--shard is K/N, as 2/8, and not ${shard}`)
  return all.filter((_, at) => at % count === own - 1)
}

/** The sweep as a command. */
async function main(): Promise<void> {
  const { values, positionals: ids } = flagsOf(import.meta.url, {
    allowPositionals: true,
    options: {
      variants: { type: 'string' },
      shard: { type: 'string' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' },
      'at-once': { type: 'string', default: '1' },
      open: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false }
    }
  })
  const wanted = inShard(chosen(values.variants), values.shard)
  if (values.list) {
    for (const { name, allowed } of wanted) console.log(`${name}: ${allowed}`)
    return
  }
  const document = await openDocument({ ids: [], tier: 'quick' })
  const common = { document, ids, seed: Number(values.seed) }
  const head = ['variant', ...columns, 'wrong', 's']
  console.log(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`)
  let wrong = 0
  const waiting = wanted.values()
  const lane = async () => {
    // Its own, since a run waits until nothing is under way in its pool any more.
    const pool = createPool({ workers: Number(values.workers), onQuestion() {} })
    for (const variant of waiting) {
      const swept = await sweepHonest({ variant, pool, ...common })
      wrong += swept.wrong.length
      const notes = [...swept.wrong, ...(values.open ? swept.open : [])]
      console.log([row(swept), ...notes.map((note) => `  ${note}`)].join('\n'))
    }
    await pool.close()
  }
  await Promise.all(Array.from({ length: Number(values['at-once']) }, lane))
  const sum = wrong === 0 ? 'Nothing was judged wrongly' : `${wrong} verdicts are wrong`
  console.log(`\n${sum}, of ${wanted.length} honest platforms, seed ${values.seed}.`)
  process.exitCode = wrong === 0 ? 0 : 1
}

if (import.meta.main) await main()
