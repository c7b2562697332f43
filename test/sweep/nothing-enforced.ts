// Every scenario against a platform that enforces nothing: a clause about enforcement that passes
// there was never shown. Prints a table; exit 1 when one passes, or a scenario is at fault.
//
//   npm run sweep:nothing-enforced [-- FLAGS] [SCENARIOS]
//
//   --tier TIER      scenarios of which tier: quick, full (the default), long
//   --scenarios DIR  of another document
import { openDocument } from '../../src/cli/document.ts'
import { adapterIn, allowEgress, targetOf } from '../../src/cli/targets/embedded.ts'
import { claiming } from '../../src/engine/plan.ts'
import { createPool } from '../../src/engine/pool.ts'
import { run } from '../../src/engine/run.ts'
import { createStop } from '../../src/engine/stop.ts'
import { nothingEnforced } from '../../src/platform/mutants.ts'
import { startPlatform } from '../../src/platform/platform.ts'
import type { Tier } from '../../src/scenario/tier.ts'
import { worse } from '../../src/verdict/verdict.ts'
import { flagsOf } from '../usage.ts'
import { enforcementIn } from './enforcement.ts'

const { values, positionals: ids } = flagsOf(import.meta.url, {
  allowPositionals: true,
  options: { tier: { type: 'string', default: 'full' }, scenarios: { type: 'string' } }
})
const document = await openDocument({ ...values, tier: values.tier as Tier, ids })
const { inventory, plan } = document
const about = await enforcementIn(inventory)
// Loads that claim no clause are about speed.
const units = claiming(plan.units, [...inventory.keys()])
const { name } = await nothingEnforced()
const platform = await startPlatform({ port: 0, break: name, allowEgress })
const pool = createPool({ workers: 2, onQuestion() {} })
const began = performance.now()
const verdicts = await run({
  ...{ units, inventory, pool, stop: createStop(), seed: 1 },
  target: targetOf(platform.announcement, {
    name,
    adapter: adapterIn(document.folder)
  }),
  onProgress(progress) {
    if (progress.kind !== 'judged') return
    const done = `${Math.round((performance.now() - began) / 1_000)} s`.padStart(6)
    process.stderr.write(`${done}  ${progress.unit.scenario} ${progress.unit.key}\n`)
  }
})
await pool.close()
await platform.close()

const byClause = Map.groupBy(verdicts, ({ clause }) => clause)
const rows = [...inventory.keys()].flatMap((clause) => {
  const those = byClause.get(clause)
  if (those === undefined) return []
  const outcome = those.map((one) => one.outcome).reduce(worse)
  // One scenario that lets it pass is one too many, whatever others make of it.
  const passes = about.has(clause) ? those.find((one) => one.outcome === 'pass') : undefined
  return [{ clause, outcome, passes, fault: those.find((one) => one.outcome === 'error') }]
})
const width = Math.max(...rows.map(({ clause }) => clause.length))
for (const { clause, outcome, passes } of rows.filter((row) => about.has(row.clause))) {
  const note = passes ? `  passes, though ${about.get(clause)}: ${passes.observed}` : ''
  process.stdout.write(`${clause.padEnd(width)}  ${outcome}${note}\n`)
}
const wrong = rows.filter(({ passes }) => passes)
const faults = rows.filter(({ fault }) => fault)
const asked = rows.filter(({ clause }) => about.has(clause))
const minutes = ((performance.now() - began) / 60_000).toFixed(1)
process.stdout.write(
  `\n${wrong.length} of ${asked.length} clauses about enforcement pass where nothing is, ` +
    `${faults.length} of ${rows.length} clauses are at fault; ` +
    `${about.size - asked.length} of ${about.size} were not asked; ${minutes} min\n` +
    faults.map(({ clause, fault }) => `  at fault: ${clause}: ${fault!.because}\n`).join('')
)
process.exitCode = wrong.length + faults.length > 0 ? 1 : 0
