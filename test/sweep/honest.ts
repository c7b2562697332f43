// Scenarios against honest platforms of other makes: what those do otherwise, the document leaves
// open, so that nothing may fail or warn, and no scenario be at fault. Prints a table; exit code 1
// when something was judged wrongly, 2 when nothing was judged at all, 64 for wrong usage.
//
//   npm run sweep:honest [-- FLAGS] [SCENARIOS]
//
//   --variants A,B  those of these names, not all
//   --shard K/N     every N-th of them, beginning with the K-th, as 2/8
//   --tier TIER     scenarios of which tier: quick (the default), full, long
//   --seed N        seed of all chance (1)
//   --workers N     worker threads (2)
//   --at-once N     variants at a time (1)
//   --open          tells also what nothing was concluded of
//   --list          only names them, and says why they may be so
import { type Document, openDocument } from '../../src/cli/document.ts'
import { Failure } from '../../src/cli/failure.ts'
import { seedFlag } from '../../src/cli/flags/load-flags.ts'
import { whole } from '../../src/cli/flags/numbers.ts'
import { adapterIn, allowEgress, targetOf } from '../../src/cli/targets/embedded.ts'
import { createPool, type Pool } from '../../src/engine/pool.ts'
import { run } from '../../src/engine/run.ts'
import { createStop } from '../../src/engine/stop.ts'
import { startPlatform } from '../../src/platform/platform.ts'
import { type Tier, tiers } from '../../src/scenario/tier.ts'
import type { Outcome } from '../../src/verdict/outcome.ts'
import type { Verdict } from '../../src/verdict/verdict.ts'
import { flagsOf, oneOf, orRefused } from '../usage.ts'
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
  /** Clauses that something was concluded of. */
  judged: number
  answers: number
  seconds: number
}

const wrongOutcomes: readonly Outcome[] = ['fail', 'warning', 'error']
const openOutcomes: readonly Outcome[] = ['inconclusive', 'blocked', 'inapplicable', 'untested']

const told = ({ outcome, scenario, clause, observed, because }: Verdict) =>
  `${outcome} ${clause} (${scenario}): ${observed} (${because})`

/** Runs those scenarios of a document that a variant is about against it. */
export async function sweepHonest(options: {
  variant: Variant
  document: Document
  tier?: Tier
  seed: number
  pool: Pool
}): Promise<Swept> {
  const { variant, document, tier, seed, pool } = options
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
  const units = unitsOf(variant, document)
  try {
    const verdicts = await run({
      ...{ units, inventory: document.inventory, target, pool, tier, seed },
      ...{ stop: createStop(), onProgress() {} }
    })
    const counts = Map.groupBy(verdicts, ({ outcome }) => outcome)
    const those = (outcomes: readonly Outcome[]) =>
      verdicts.filter(({ outcome }) => outcomes.includes(outcome)).map(told)
    const open = those(openOutcomes)
    return {
      variant,
      counts: Object.fromEntries([...counts].map(([outcome, { length }]) => [outcome, length])),
      wrong: those(wrongOutcomes),
      open,
      judged: verdicts.length - open.length - (counts.get('error')?.length ?? 0),
      answers: proxies.reduce((sum, proxy) => sum + proxy.answers(), 0),
      seconds: (performance.now() - began) / 1_000
    }
  } finally {
    for (const proxy of proxies) proxy.close()
    await platform.close()
  }
}

/** Those units of a document that a variant is about. */
function unitsOf({ areas }: Variant, { plan }: Document) {
  return plan.units.filter(({ scenario }) =>
    areas.some((area) => `${scenario}/`.startsWith(`${area}/`))
  )
}

const columns = ['pass', 'observed', 'inconclusive', 'blocked', 'inapplicable', 'error'] as const

/** One line of the table. */
function row({ variant, counts, wrong, seconds }: Swept): string {
  const cells = columns.map((outcome) => counts[outcome] ?? 0)
  return `| ${[variant.name, ...cells, wrong.length, seconds.toFixed(0)].join(' | ')} |`
}

function chosen(names: string | undefined): readonly Variant[] {
  if (names === undefined) return variants
  const known = variants.map(({ name }) => name)
  const asked = names.split(',').map((asked) => oneOf(known, { flag: 'variants', asked }))
  return variants.filter(({ name }) => asked.includes(name))
}

/** Every N-th of them, beginning with the K-th, for a `K/N`: what N runs together come to. */
export function inShard<Item>(all: readonly Item[], shard: string | undefined): readonly Item[] {
  if (shard === undefined) return all
  const [, own, count] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).map(Number)
  if (!own || !count || own > count) throw new Failure(`--shard is K/N, as 2/8, and not ${shard}`)
  return all.filter((_, at) => at % count === own - 1)
}

/** The sweep as a command. */
async function main(): Promise<void> {
  const { values, positionals: ids } = flagsOf(import.meta.url, {
    allowPositionals: true,
    options: {
      variants: { type: 'string' },
      shard: { type: 'string' },
      tier: { type: 'string', default: 'quick' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' },
      'at-once': { type: 'string', default: '1' },
      open: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false }
    }
  })
  const asked = await orRefused(() => ({
    wanted: inShard(chosen(values.variants), values.shard),
    tier: oneOf(tiers, { flag: 'tier', asked: values.tier }),
    seed: seedFlag.coerce(Number(values.seed)),
    workers: whole('workers')(Number(values.workers)),
    lanes: whole('at-once')(Number(values['at-once']))
  }))
  const { wanted, tier, seed } = asked
  if (values.list) {
    for (const { name, allowed } of wanted) console.log(`${name}: ${allowed}`)
    return
  }
  const document = await orRefused(() => openDocument({ ids, tier }))
  const entire = await openDocument({ ids: [], tier: 'long' })
  const head = ['variant', ...columns, 'wrong', 's']
  console.log(`| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}`)
  const all: Swept[] = []
  const waiting = wanted.values()
  const lane = async () => {
    // Its own, since a run waits until nothing is under way in its pool any more.
    const pool = createPool({ workers: asked.workers, onQuestion() {} })
    for (const variant of waiting) {
      const swept = await sweepHonest({ variant, document, tier, seed, pool })
      // What only a longer tier asks of it is not lost.
      if (unitsOf(variant, entire).length === 0)
        swept.wrong.push(`nothing is asked that is about ${variant.name}`)
      all.push(swept)
      const notes = [...swept.wrong, ...(values.open ? swept.open : [])]
      console.log([row(swept), ...notes.map((note) => `  ${note}`)].join('\n'))
    }
    await pool.close()
  }
  await Promise.all(Array.from({ length: Math.min(asked.lanes, wanted.length) }, lane))
  console.log(`\n${conclusion(all)}, seed ${seed}.`)
  process.exitCode = exitOf(all)
}

const wrongIn = (all: readonly Swept[]) => all.flatMap(({ wrong }) => wrong).length
const judgedOf = (all: readonly Swept[]) => all.filter(({ judged }) => judged > 0)

/** What the sweep comes to, which is nothing good of a platform that was not asked. */
function conclusion(all: readonly Swept[]): string {
  const [wrong, { length: judged }] = [wrongIn(all), judgedOf(all)]
  const rest = all.length > judged ? `; of ${all.length - judged} nothing was judged` : ''
  if (wrong > 0) return `${wrong} verdicts are wrong, of ${all.length} honest platforms`
  if (judged === 0) return `Nothing was judged, of ${all.length} honest platforms`
  return `Nothing was judged wrongly, of ${judged} honest platforms${rest}`
}

function exitOf(all: readonly Swept[]): number {
  if (wrongIn(all) > 0) return 1
  return judgedOf(all).length > 0 ? 0 : 2
}

if (import.meta.main) await main()
