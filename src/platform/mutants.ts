import type { Mutant } from './kernel/mutant.ts'
import { nearest } from './kernel/nearest.ts'
import { override } from './kernel/override.ts'
import type { Breaks, Part } from './kernel/part.ts'
import { parts, type Rules, rules } from './parts.ts'

/** The kernel and the parts by name, with their known breaks, which are only now imported. */
async function allBreaks(): Promise<({ name: string } & Breaks)[]> {
  const ofParts = (parts as readonly Part[]).map(async ({ name, breaks = noBreaks }) => ({
    name,
    ...(await breaks())
  }))
  return [
    { name: 'kernel', ...(await import('./kernel/mutants.ts')) },
    ...(await Promise.all(ofParts))
  ]
}

const noBreaks = async (): Promise<Breaks> => ({ mutants: [] })

/** Every known way to break the platform. */
export async function listMutants(): Promise<readonly Mutant<Rules>[]> {
  const all = await allBreaks()
  return all.flatMap(({ name, mutants }) =>
    mutants.map((mutant) => ({ ...mutant, change: { [name]: mutant.change } }))
  )
}

/**
 * The platform with every limit off: it serves all that the promised one serves, and never refuses,
 * counts, queues, cancels or ends anything for being too much or not allowed. What only paces its
 * own work stays as it is, and so does what makes no sense otherwise: JSON, ids, members of bodies.
 */
export async function nothingEnforced() {
  const all = await allBreaks()
  return {
    name: 'nothing-enforced',
    description: 'No limit, quota, permission or policy is enforced.',
    change: Object.fromEntries(all.map(({ name, unenforced = {} }) => [name, unenforced]))
  }
}

/**
 * The promised rules, or those broken in the way of this name: by a mutant, or by enforcing nothing
 * at all, which is no mutant, since it breaks many clauses at once.
 */
export async function brokenBy(name?: string): Promise<Rules> {
  if (name === undefined) return rules
  const ways = [await nothingEnforced(), ...(await listMutants())]
  const found = ways.find((candidate) => candidate.name === name)
  if (found) return override<Rules>(rules, found.change)
  const names = ways.map((candidate) => candidate.name)
  throw new Error(`no mutant is named ${name}; the nearest are ${nearest(name, names).join(', ')}`)
}
