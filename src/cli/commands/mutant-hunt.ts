import { claiming } from '../../engine/plan.ts'
import { createPool, type Pool } from '../../engine/pool.ts'
import { withPresupposed } from '../../engine/precedence.ts'
import { run } from '../../engine/run.ts'
import { createStop, type Stop } from '../../engine/stop.ts'
import type { Unit } from '../../engine/unit.ts'
import { listMutants } from '../../platform/mutants.ts'
import { startPlatform } from '../../platform/platform.ts'
import { type Inventory, isUnspecified } from '../../scenario/clause.ts'
import { orNearest } from '../../scenario/nearest.ts'
import { type Tier, tiers } from '../../scenario/tier.ts'
import { contradicting, type Verdict } from '../../verdict/verdict.ts'
import { type Document, openDocument } from '../document.ts'
import { exit, Failure } from '../failure.ts'
import type { DocumentFlags, WorkFlags } from '../flags/run-flags.ts'
import { onInterrupt } from '../interrupt.ts'
import { adapterIn, allowEgress, targetOf } from '../targets/embedded.ts'

/** A known way to break the platform, and the clause whose verdict must show it. */
type Mutant = Pick<
  Awaited<ReturnType<typeof listMutants>>[number],
  'name' | 'clause' | 'besides' | 'description'
>

/** What became of one mutant: `left` is what only scenarios of a longer tier could still kill. */
type Fate = 'killed' | 'survived' | 'left'

/** One mutant and what became of it; `also` are clauses that fell besides its own. */
type MutantResult = { mutant: Mutant; fate: Fate; also: string[]; because: string }

/** What is hunted, and how. */
export type MutantFlags = DocumentFlags & WorkFlags & { names?: string[]; list: boolean }

/** Breaks the platform in each way asked for and tells who was caught; returns the exit code. */
export async function huntMutants(options: MutantFlags): Promise<number> {
  const { scenarios, names = [] } = options
  // Those asked for by name are hunted however long that takes.
  const tier = names.length > 0 ? 'long' : options.tier
  const whole = await openDocument({ scenarios, ids: [], tier: 'long' })
  const document = within(whole, tier)
  const { units } = document.plan
  const known = await listMutants()
  const found = choose(names, known)
  if (options.list) {
    process.stdout.write(listing(found, options))
    return 0
  }
  const longer = whole.plan.units.filter((unit) => !units.includes(unit))
  const isLeft = ({ clause }: Mutant) =>
    claiming(units, [clause]).length === 0 && claiming(longer, [clause]).length > 0
  const chosen = found.filter((mutant) => !isLeft(mutant))
  const { results: all, interrupted } = await hunt({ document, longer, chosen, options })
  const untrusted = names.length > 0 ? [] : unproven(document, known)
  const results = all.filter(({ fate }) => fate !== 'left')
  const unasked = [
    ...found.filter(isLeft),
    ...all.filter(({ fate }) => fate === 'left').map(({ mutant }) => mutant)
  ]
  const tally = { results, untrusted, left: unasked.map(({ name }) => name) }
  process.stdout.write(options.json ? asJson(tally) : asText(tally))
  const isExact = results.every(({ fate, also }) => fate === 'killed' && also.length === 0)
  const isProven = isExact && untrusted.length === 0
  return interrupted ? exit.interrupted : isProven ? 0 : 1
}

/** A document without the scenarios that take longer. */
function within(document: Document, tier: Tier): Document {
  const isWithin = (unit: Unit) => tiers.indexOf(unit.tier) <= tiers.indexOf(tier)
  return { ...document, plan: { ...document.plan, units: document.plan.units.filter(isWithin) } }
}

function choose(names: readonly string[], known: readonly Mutant[]): Mutant[] {
  for (const name of names) {
    if (known.some((mutant) => mutant.name.startsWith(name))) continue
    const like = orNearest(
      name,
      known.map((mutant) => mutant.name)
    )
    throw new Failure(`no mutant "${name}"${like}`, exit.nothingChecked)
  }
  const isWhole = (asked: string) => known.some(({ name }) => name === asked)
  const matches = (asked: string, name: string) =>
    isWhole(asked) ? name === asked : name.startsWith(asked)
  return known.filter(
    ({ name }) => names.length === 0 || names.some((asked) => matches(asked, name))
  )
}

function listing(chosen: readonly Mutant[], { json }: MutantFlags): string {
  if (json) return `${JSON.stringify(chosen, null, 2)}\n`
  const width = Math.max(...chosen.map(({ name }) => name.length))
  return chosen
    .map(
      ({ name, clause, description }) => `${name.padEnd(width)}  ${clause}\n    ${description}\n`
    )
    .join('')
}

async function hunt(parts: {
  document: Document
  /** Those of longer tiers. */
  longer: readonly Unit[]
  chosen: readonly Mutant[]
  options: MutantFlags
}): Promise<{ results: MutantResult[]; interrupted: boolean }> {
  const { document, longer, chosen, options } = parts
  const stop = createStop()
  const interrupt = onInterrupt(stop, () => process.stderr.write('Stopping.\n'))
  const results: MutantResult[] = []
  const lanes = Math.min(options.workers, chosen.length)
  const waiting = chosen.values()
  const lane = async () => {
    // Its own, since a run waits until nothing is under way in its pool any more.
    const pool = createPool({ workers: Math.floor(options.workers / lanes), onQuestion() {} })
    for (const mutant of waiting) {
      if (stop.requested()) break
      const { seed } = options
      const result = await judgeMutant({ mutant, document, longer, pool, seed, stop })
      if (stop.requested() && result.fate !== 'killed') break
      results.push(result)
      if (!options.json) process.stdout.write(`${resultLine(result)}\n`)
    }
    await pool.close()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  interrupt.off()
  return { results, interrupted: interrupt.happened() }
}

/** Runs the units that claim a mutant's clause against the platform broken by it. */
async function judgeMutant(parts: {
  mutant: Mutant
  document: Document
  longer: readonly Unit[]
  pool: Pool
  seed: number
  stop: Stop
}): Promise<MutantResult> {
  const { mutant, document, longer, pool, seed, stop } = parts
  const { inventory, plan } = document
  const own = claiming(plan.units, [mutant.clause])
  if (own.length === 0) {
    return { mutant, fate: 'survived', also: [], because: 'no scenario claims its clause' }
  }
  // Nothing can be concluded of a clause without what it presupposes.
  const units = withPresupposed(own, { among: plan.units, inventory })
  const platform = await startPlatform({ port: 0, break: mutant.name, allowEgress })
  const name = `platform broken by ${mutant.name}`
  const adapter = adapterIn(document.folder)
  const verdicts = await run({
    units,
    inventory,
    target: targetOf(platform.announcement, { name, adapter }),
    pool,
    stop,
    seed,
    onProgress() {}
  }).finally(platform.close)
  const scenarios = new Set(own.map(({ scenario }) => scenario))
  const result = resultOf(
    mutant,
    verdicts.filter(({ scenario }) => scenarios.has(scenario)),
    inventory
  )
  const isLeft = result.fate === 'survived' && claiming(longer, [mutant.clause]).length > 0
  return isLeft ? { ...result, fate: 'left' } : result
}

function resultOf(
  mutant: Mutant,
  verdicts: readonly Verdict[],
  inventory: Inventory
): MutantResult {
  const { restates } = inventory.get(mutant.clause)!
  const alike = [mutant.clause, restates, ...(mutant.besides ?? [])]
  // Two clauses that say the same fall together.
  const isOther = ({ clause }: Verdict) =>
    !alike.includes(clause) && inventory.get(clause)!.restates !== mutant.clause
  const failed = verdicts.filter(({ outcome }) => contradicting.includes(outcome))
  const own = verdicts.filter(({ clause }) => clause === mutant.clause)
  const fate = failed.some(({ clause }) => clause === mutant.clause) ? 'killed' : 'survived'
  const because = own.map(({ outcome, because }) => `${outcome}: ${because}`).join('; ')
  const also = failed.filter(isOther).map(({ clause }) => clause)
  return { mutant, fate, also, because }
}

const words: Record<Fate, string> = {
  killed: 'killed  ',
  survived: 'SURVIVED',
  left: 'left    '
}

function resultLine({ mutant, fate, also, because }: MutantResult): string {
  const more = also.length > 0 ? `\n    also fell: ${also.join(', ')}` : ''
  const judged = fate === 'left' ? '\n    judged in a longer --tier too' : ''
  return `${words[fate]}  ${mutant.name}  ${mutant.clause}\n    ${because}${judged}${more}`
}

/** Clauses that scenarios judge and that no mutant has ever turned to `fail`. */
function unproven({ plan, inventory }: Document, known: readonly Mutant[]): string[] {
  const proven = new Set(known.map(({ clause }) => clause))
  const judged = ({ clauses, observes = [] }: Unit) =>
    clauses.filter((clause) => !observes.includes(clause))
  const claimed = new Set(plan.units.flatMap(judged))
  return [...claimed].filter((id) => !proven.has(id) && !isUnspecified(inventory.get(id)!))
}

/** What became of all of them; `left` are those that only scenarios of a longer tier could kill. */
type HuntTally = {
  results: readonly MutantResult[]
  untrusted: readonly string[]
  left: readonly string[]
}

function asJson({ results, untrusted, left }: HuntTally): string {
  const survived = results
    .filter(({ fate }) => fate === 'survived')
    .map(({ mutant }) => mutant.name)
  const killed = results.length - survived.length
  const inexact = results
    .filter(({ also }) => also.length > 0)
    .map(({ mutant, also }) => ({ mutant: mutant.name, also }))
  const score = results.length === 0 ? 0 : killed / results.length
  const result = { mutants: results.length, killed, survived, untrusted, inexact, left, score }
  return `${JSON.stringify(result, null, 2)}\n`
}

function asText({ results, untrusted, left }: HuntTally): string {
  const killed = results.filter(({ fate }) => fate === 'killed').length
  const doubt = untrusted.map((clause) => `  no mutant shows that this check can fail: ${clause}\n`)
  const inexact = results.filter(({ also }) => also.length > 0).length
  const also = inexact > 0 ? `, ${inexact} with other clauses` : ''
  const more = left.length > 0 ? `, ${left.length} left to a longer --tier` : ''
  return `\n${killed} of ${results.length} mutants killed${also}${more}\n${doubt.join('')}`
}
