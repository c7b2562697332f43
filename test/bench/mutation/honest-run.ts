import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Document } from '../../../src/cli/document.ts'
import { adapterIn } from '../../../src/cli/targets/embedded.ts'
import { run } from '../../../src/engine/run.ts'
import type { Stop } from '../../../src/engine/stop.ts'
import type { Unit } from '../../../src/engine/unit.ts'
import type { Bench } from './bench.ts'
import { type Covered, coveredBy } from './covered.ts'
import { isFalse, isUndone } from './outcome.ts'

/** What one unit of a scenario does to a platform without a fault. */
export type Known = {
  covered: Covered
  /** How long it takes. */
  ms: number
  /** Processor time that it costs the platform, whatever else is going on. */
  processorMs: number
  fails: string[]
  /** Clauses that came to nothing. */
  open: string[]
}

/** What a platform without a fault runs: at its start, and for each unit. */
export type Honest = { start: Covered; units: Record<string, Known> }

/** A unit's name. */
export const nameOf = ({ scenario, key }: Pick<Unit, 'scenario' | 'key'>) =>
  key ? `${scenario} ${key}` : scenario

/** A name for all that decides what runs: source, scenarios, and how it is measured. */
export function digestOf(root: string): string {
  const measuring = 'test/bench/mutation/{*-coverage,covered,program,slot}.ts'
  const sources = ['src/**/*.ts', 'scenarios/**/*.{ts,json}', measuring]
  const files = globSync(sources, { cwd: root }).sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

/** What results are kept as, by all that decides them: a file's name, however much was asked. */
export function resultsName(asked: {
  digest: string
  tier: string
  declared: boolean
  ids: readonly string[]
}): string {
  const { digest, ...rest } = asked
  const own = createHash('sha256').update(JSON.stringify(rest)).digest('hex').slice(0, 16)
  return `${digest}-${own}.ndjson`
}

/** What the honest platform is measured with. */
type Measuring = {
  /** Where it is kept what is known already, be it of some units only. */
  file: string
  document: Document
  units: readonly Unit[]
  benches: readonly Bench[]
  stop: Stop
  note: (text: string) => void
}

/** What is known of the honest platform; what is not known yet is measured, and kept. */
export async function honestRun(parts: Measuring): Promise<Honest> {
  const { file, units, benches, note } = parts
  const honest: Honest = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { start: {}, units: {} }
  const missing = units.filter((unit) => honest.units[nameOf(unit)]?.open === undefined)
  if (missing.length === 0) return honest
  note(`measuring which lines ${missing.length} scenarios run, once for this source`)
  const next = missing[Symbol.iterator]()
  try {
    await Promise.all(benches.map((bench) => measure(next, honest, { ...parts, ...bench })))
  } finally {
    writeFileSync(file, JSON.stringify(honest))
  }
  return honest
}

/** Has units run one by one on a platform that is measured. */
async function measure(next: Iterable<Unit>, honest: Honest, parts: Measuring & Bench) {
  const { document, slot, pool, stop, note } = parts
  const platform = await slot.start(undefined, { isMeasured: true })
  if (!platform) throw new Error('the platform does not start, though there is no fault in it')
  const target = { ...platform.target, adapter: adapterIn(document.folder) }
  honest.start = coveredBy(await platform.coverage())
  try {
    for (const unit of next) {
      const began = performance.now()
      const before = platform.processorMs()
      const verdicts = await run({
        ...{ units: [unit], inventory: document.inventory, target, pool: { ...pool, workers: 1 } },
        ...{ stop, seed: 1, onProgress() {} }
      })
      if (stop.requested()) return
      honest.units[nameOf(unit)] = {
        covered: coveredBy(await platform.coverage()),
        ms: Math.round(performance.now() - began),
        processorMs: platform.processorMs() - before,
        fails: verdicts.filter(isFalse).map(({ clause }) => clause),
        open: verdicts.filter(isUndone).map(({ clause }) => clause)
      }
      const count = Object.keys(honest.units).length
      if (count % 20 === 0) note(`  ${count} known`)
    }
  } finally {
    await platform.stop()
  }
}
