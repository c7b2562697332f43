import { type Plan, waitingProblems } from '../engine/plan.ts'
import { withPresupposed } from '../engine/precedence.ts'
import { type Planned, type ReadDocument, readScenarios } from '../engine/reader.ts'
import { type Fault, faultText } from '../fault.ts'
import { type Inventory, presupposedBy } from '../scenario/clause.ts'
import { find } from '../scenario/find.ts'
import type { Found } from '../scenario/found.ts'
import { orNearest } from '../scenario/nearest.ts'
import { insistOnSamples } from '../scenario/samples-check.ts'
import { select, unmatched, withinTier } from '../scenario/select.ts'
import type { TargetTables } from '../scenario/target-parts.ts'
import type { Tier } from '../scenario/tier.ts'
import { exit, Failure, orFail } from './failure.ts'
import { type OpenInventory, openInventory } from './inventory.ts'
import { createPlanCache } from './saved/plan-cache.ts'

/** A document's folder: its inventory of clauses, its scenarios, and what was selected of them. */
export type Document = OpenInventory & {
  /** Every scenario file there is, and what those say that were loaded, of a longer tier too. */
  found: Found[]
  planned: Planned[]
  /** The scenarios that were selected, without their code. */
  loaded: Omit<Planned, keyof Plan | 'target'>[]
  /** What it says of its targets. */
  target: TargetTables
  plan: Plan
}

/** What is wrong with a scenario, and the code where it is. */
function complaint(fault: Fault): string {
  return [faultText(fault), ...(fault.frame === undefined ? [] : [fault.frame])].join('\n')
}

type Reader = (found: readonly Found[], inventory: Inventory) => Promise<ReadDocument>

async function readAll(
  found: readonly Found[],
  inventory: Inventory,
  read: Reader
): Promise<Planned[]> {
  const { planned, faults } = await read(found, inventory)
  // One that is in a part of theirs is the fault of all of them.
  if (faults.length > 0) throw new Failure([...new Set(faults.map(complaint))].join('\n'))
  return planned
}

/** The names nearest to one that is none; where none is near, some of those there are. */
function likeNames(id: string, names: readonly string[]): string {
  const near = orNearest(id, names)
  if (near !== '' || names.length === 0) return near
  const more = names.length > 5 ? ', …; `plimsoll list` has them all' : ''
  return `; there are ${names.slice(0, 5).join(', ')}${more}`
}

function choose(found: readonly Found[], ids: readonly string[]): Found[] {
  const lost = unmatched(found, ids)
  if (lost.length === 0) return select(found, ids)
  const names = found.map(({ id }) => id)
  const lines = lost.map((id) => `no scenario "${id}"${likeNames(id, names)}`)
  throw new Failure(lines.join('\n'))
}

/** Some scenarios, and the units of others that judge what their clauses presuppose. */
async function complete(
  chosen: Planned[],
  { found, inventory, read }: { found: readonly Found[]; inventory: Inventory; read: Reader }
): Promise<Planned[]> {
  const own = chosen.flatMap(({ units }) => units)
  const judged = new Set(own.flatMap(({ clauses }) => clauses))
  const needed = presupposedBy([...judged], inventory).filter((id) => !judged.has(id))
  if (needed.length === 0) return chosen
  const ids = new Set(chosen.map(({ id }) => id))
  const rest = found.filter(({ id }) => !ids.has(id))
  const { planned, faults } = await read(rest, inventory)
  const among = [...chosen, ...planned].flatMap(({ units }) => units)
  const all = new Set(withPresupposed(own, { among, inventory }))
  for (const { clauses } of all) for (const id of clauses) judged.add(id)
  const lost = needed.filter((id) => !judged.has(id))
  const presupposing = (id: string) =>
    [...inventory.values()].find(({ presupposes }) => presupposes.includes(id))!.id
  const gaps = lost.map(
    (id) => `no scenario judges "${id}", which "${presupposing(id)}" presupposes`
  )
  // Scenarios nobody asked for may be broken, unless one of them might have been needed; what one
  // judges that did not load in time cannot be told.
  const isUnknown = among.some(({ fault }) => fault !== undefined)
  if (lost.length > 0 && !isUnknown) {
    throw new Failure([...faults.map(complaint), ...gaps].join('\n'))
  }
  return [...chosen, ...planned]
    .map((one) => ({ ...one, units: one.units.filter((unit) => all.has(unit)) }))
    .filter(({ id, units }) => ids.has(id) || units.length > 0)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** Reads a document's folder and plans the selected scenarios; a Failure says all that is wrong. */
export async function openDocument(options: {
  scenarios?: string
  ids: readonly string[]
  tier: Tier
  /** Whether scenarios need not be loaded of which it is known what they say. */
  cached?: boolean
  /** Hears of the folder once it is known what is chosen, and before all that is loaded. */
  onChosen?: (folder: string) => void
}): Promise<Document> {
  const opened = await openInventory(options.scenarios)
  const { folder, inventory } = opened
  const found = await orFail(() => find(folder))
  await orFail(() => insistOnSamples(folder, found))
  const anew: Reader = (asked, inventory) =>
    readScenarios(asked, inventory, { isWhole: asked.length === found.length })
  const read = options.cached ? createPlanCache(folder, found) : anew
  const asked = choose(found, options.ids)
  // What is loaded in a thread leaves other processors to what can begin meanwhile.
  options.onChosen?.(folder)
  const selected = await readAll(asked, inventory, read)
  const chosen = withinTier(selected, options.tier, options.ids)
  if (chosen.length === 0) {
    throw new Failure(`no scenario in ${folder} is in tier ${options.tier}`, exit.nothingChecked)
  }
  const planned = await complete(chosen, { found, inventory, read })
  const units = planned.flatMap((one) => one.units)
  const own = planned.flatMap((one) => one.problems)
  const problems = [...new Set([...own, ...waitingProblems(units, inventory)])]
  if (problems.length > 0) throw new Failure(problems.join('\n'))
  const loaded = planned.map(({ id, file, scenario }) => ({ id, file, scenario }))
  // One that did not load in time tells of none.
  const { target } = planned.find(({ target }) => target.tables.length > 0) ?? planned[0]!
  return { ...opened, found, planned, loaded, target, plan: { units, problems } }
}
