import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Unit } from '../../../src/engine/unit.ts'
import { type Covered, sizeOf, touches } from './covered.ts'
import { type Honest, nameOf } from './honest-run.ts'
import { type Mutation, partOf } from './sites.ts'

/** What scenarios are chosen from. */
type Choice = { units: readonly Unit[]; honest: Honest; root: string }

/**
 * The units that can see a fault, those first that see it cheaply and do little else, and whether
 * any runs its very place. What runs at the start only, such as numbers that are written down, is
 * seen by whoever runs anything of its file, of the files that import it, or at last of its part.
 */
export function unitsFor(
  mutation: Mutation,
  choice: Choice
): { units: Unit[]; isCovered: boolean } {
  const { honest, root } = choice
  const { file, start, end } = mutation
  // Functions run in processes of their own, whose code nobody has counted.
  const isElsewhere = /\/functions\/isolate\/(host|guest)\//.test(file)
  const direct = isElsewhere
    ? running(choice, (covered) => Object.keys(covered).some((one) => one.includes('/isolate/')))
    : running(choice, (covered) => touches(covered[file], start, end))
  const isAtStart = touches(honest.start[file], start, end)
  if (direct.length > 0 || !isAtStart) return told(direct, choice, mutation)
  const near = [file, ...importersOf(file, honest, root)]
  const indirect = running(choice, (covered) => near.some((one) => one in covered))
  if (indirect.length > 0) return told(indirect, choice, mutation)
  const part = partOf(file)
  const sameFolder = (covered: Covered) => Object.keys(covered).some((one) => partOf(one) === part)
  return told(running(choice, sameFolder), choice, mutation)
}

function told(units: Unit[], { honest }: Choice, { file }: Mutation) {
  const part = partOf(file)
  const cost = (unit: Unit) => {
    const { covered, ms } = honest.units[nameOf(unit)]!
    const sizes = Object.entries(covered).map(([one, all]) => [partOf(one), sizeOf(all)] as const)
    const own = sizes.filter(([of]) => of === part).reduce((sum, [, size]) => sum + size, 0)
    return (ms + 50) / (own + 1)
  }
  const costs = new Map(units.map((unit) => [unit, cost(unit)]))
  const sorted = units.toSorted((one, other) => costs.get(one)! - costs.get(other)!)
  return { units: sorted, isCovered: units.length > 0 }
}

function running({ units, honest }: Choice, is: (covered: Covered) => boolean): Unit[] {
  return units.filter((unit) => is(honest.units[nameOf(unit)]?.covered ?? {}))
}

/** The files that import a file, as far as the honest platform ever ran them. */
function importersOf(file: string, { start }: Honest, root: string): string[] {
  return Object.keys(start).filter((one) => {
    const text = readFileSync(join(root, one), 'utf8')
    const named = [...text.matchAll(/from '(\.[^']+)'/g)]
    return named.some(([, path]) => posix.join(dirname(one), path!) === file)
  })
}
