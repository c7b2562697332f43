import { type Inventory, presupposedBy } from '../scenario/clause.ts'
import { tiers } from '../scenario/tier.ts'
import type { Unit } from './unit.ts'

/** What the clauses of a unit presuppose, but for what it judges itself. */
function foreign(unit: Unit, inventory: Inventory): string[] {
  return presupposedBy(unit.clauses, inventory).filter((id) => !unit.clauses.includes(id))
}

/** For each unit those that must have come to their verdicts before its own can be concluded. */
export function precedence(
  units: readonly Unit[],
  inventory: Inventory
): ReadonlyMap<Unit, readonly Unit[]> {
  const claimants = new Map<string, Unit[]>()
  for (const unit of units)
    for (const id of unit.clauses) claimants.set(id, [...(claimants.get(id) ?? []), unit])
  const before = (unit: Unit) => {
    const those = foreign(unit, inventory).flatMap((id) => claimants.get(id) ?? [])
    return [...new Set(those)].filter((one) => one !== unit)
  }
  return new Map(units.map((unit) => [unit, before(unit)]))
}

/** Units that wait for each other, in a circle that ends where it begins; undefined if none do. */
export function circle(before: ReadonlyMap<Unit, readonly Unit[]>): Unit[] | undefined {
  const clear = new Set<Unit>()
  const walk = (unit: Unit, path: readonly Unit[]): Unit[] | undefined => {
    const place = path.indexOf(unit)
    if (place >= 0) return [...path.slice(place), unit]
    if (clear.has(unit)) return
    for (const one of before.get(unit) ?? []) {
      const found = walk(one, [...path, unit])
      if (found) return found
    }
    clear.add(unit)
    return
  }
  for (const unit of before.keys()) {
    const found = walk(unit, [])
    if (found) return found
  }
  return
}

/**
 * Has work done for every unit, begun in the order given, but for those that come after others:
 * their work begins when that of the others is done. Tells of each whether some other awaits it.
 */
export async function inTurn(
  units: readonly Unit[],
  before: ReadonlyMap<Unit, readonly Unit[]>,
  work: (unit: Unit, isAwaited: boolean) => Promise<void>
): Promise<void> {
  const awaited = new Set([...before.values()].flat())
  const begun = new Map<Unit, Promise<void>>()
  const begin = (unit: Unit): Promise<void> => {
    const known = begun.get(unit)
    if (known) return known
    const first = before.get(unit) ?? []
    const start = () => work(unit, awaited.has(unit))
    const done = first.length === 0 ? start() : Promise.all(first.map(begin)).then(start)
    begun.set(unit, done)
    return done
  }
  await Promise.all(units.map(begin))
}

/**
 * Units, and those among all without which nothing could be concluded of theirs: of several that
 * judge a presupposed clause, the ones of the shortest tier.
 */
export function withPresupposed(
  units: readonly Unit[],
  { among, inventory }: { among: readonly Unit[]; inventory: Inventory }
): Unit[] {
  const all = new Set(units)
  for (const unit of all) {
    for (const id of foreign(unit, inventory)) {
      const claimants = among.filter(({ clauses }) => clauses.includes(id))
      if (claimants.some((one) => all.has(one))) continue
      const shortest = Math.min(...claimants.map(rank))
      for (const one of claimants) if (rank(one) === shortest) all.add(one)
    }
  }
  return [...all]
}

function rank({ tier }: Unit): number {
  return tiers.indexOf(tier)
}
