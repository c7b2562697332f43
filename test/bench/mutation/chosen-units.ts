import { readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import type { Unit } from '../../../src/engine/unit.ts'
import { type Covered, joined, type Stretches, sizeBeyond, touches } from './covered.ts'
import { type Honest, nameOf } from './honest-run.ts'
import { type Mutation, partOf } from './sites.ts'

/** What runs in the platform's own process when a function is started, by whatever. */
const starter = 'src/platform/functions/isolate/isolates.ts'

/** What scenarios are chosen from. */
type Choice = { units: readonly Unit[]; honest: Honest; root: string }

/**
 * The units that can see a fault, and whether any can. What runs while the platform starts, such as
 * an operation's permission that is written down, may be seen by whoever asks anything; all else by
 * those that run its very place. Those that run it come first, in an order in which each shows as
 * much as it can, for its cost, of what those before it did not.
 */
export function unitsFor(
  mutation: Mutation,
  choice: Choice
): { units: Unit[]; isCovered: boolean } {
  const { honest, root, units } = choice
  const { file, start, end } = mutation
  const direct = running(choice, (covered) => touches(covered[file], start, end))
  // Of a process of functions it is not known what ran before it was counted, or as it broke down.
  const isElsewhere = /\/functions\/isolate\/(host|guest)\//.test(file)
  const starting = isElsewhere ? running(choice, (covered) => starter in covered) : []
  const rest = starting.filter((unit) => !direct.includes(unit))
  const first = [...sorted(direct, choice, mutation), ...sorted(rest, choice, mutation)]
  if (!touches(honest.start[file], start, end)) return { units: first, isCovered: first.length > 0 }
  const near = [file, ...importersOf(file, honest, root)]
  const second = running(choice, (covered) => near.some((one) => one in covered))
  const all = [...first, ...sorted(second, choice, mutation), ...sorted(units, choice, mutation)]
  return { units: [...new Set(all)], isCovered: true }
}

/**
 * By part: who asks it the simplest thing there is, three times, and waits for no more. He is asked
 * before all others that run a place: who is mute costs each of them minutes, and all of them wait
 * in vain.
 */
const plainest: Record<string, string> = { functions: 'functions/answers' }

/** How much more a stretch of the file that has the fault is worth than one beside it. */
const nearness = 1_000

/**
 * Units in the order in which they are asked: behind the plainest of the part those that are named
 * as the line of the fault names things, as `wait-until` of `waitUntilMs`, in their own name or in
 * that of a clause; then those that have a word of the file's name there, behind the first of whom
 * the first of the rest has his turn: he may know soon of what the others wait for in vain. Of
 * these, as of the rest, by what they show of the file, and then of its part, that none before
 * them has shown, for what they cost: who stops early has looked at most of it. What shows nothing
 * new goes behind all others, the cheap first.
 */
function sorted(units: readonly Unit[], choice: Choice, mutation: Mutation): Unit[] {
  const words = wordsOf(basename(mutation.file, '.ts'))
  const pairs = pairsOf(mutation.lineText)
  const bears = ({ scenario, clauses }: Unit, is: (name: string) => boolean) =>
    [scenario, ...clauses].some(is)
  const isMeant = (unit: Unit) => bears(unit, (name) => pairs.some((pair) => name.includes(pair)))
  const isNamed = (unit: Unit) =>
    bears(unit, (name) => wordsOf(name).some((word) => words.includes(word)))
  const plain = units.filter(({ scenario }) => scenario === plainest[partOf(mutation.file)])
  const unasked = units.filter((unit) => !plain.includes(unit))
  const left = unasked.filter((unit) => !isMeant(unit))
  const others = left.filter((unit) => !isNamed(unit))
  const [first = [], rest = []] = [left.filter(isNamed), others].map((some) =>
    byWorth(some, choice, mutation)
  )
  const inTurn = [...first.slice(0, 1), ...rest.slice(0, 1), ...first.slice(1), ...rest.slice(1)]
  return [...plain, ...byWorth(unasked.filter(isMeant), choice, mutation), ...inTurn]
}

/** The words of a name, each in the singular. */
const wordsOf = (name: string) => name.split(/[^a-z]+/).map((word) => word.replace(/s$/, ''))

/** Neighbouring words of the names in a line, as in the names of scenarios and clauses. */
const pairsOf = (line: string) =>
  (line.match(/[a-z]+(?:[A-Z][a-z]+)+/g) ?? []).flatMap((name) => {
    const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
    return words.slice(1).map((word, at) => `${words[at]}-${word}`)
  })

function byWorth(units: readonly Unit[], { honest }: Choice, { file }: Mutation): Unit[] {
  const part = partOf(file)
  const isOwn = ([one]: [string, Stretches]) => partOf(one) === part
  const left = new Map(
    units.map((unit) => {
      const { covered, processorMs } = honest.units[nameOf(unit)]!
      return [unit, { own: Object.entries(covered).filter(isOwn), processorMs }]
    })
  )
  const seen = new Map<string, Stretches>()
  const worthOf = ({ own, processorMs }: { own: [string, Stretches][]; processorMs: number }) => {
    const fresh = own.reduce((sum, [one, all]) => {
      return sum + sizeBeyond(all, seen.get(one)) * (one === file ? nearness : 1)
    }, 0)
    return (fresh + 1) / (processorMs + 50)
  }
  return units.map(() => {
    const worth = [...left].map(([unit, known]) => ({ unit, worth: worthOf(known) }))
    const { unit } = worth.reduce((best, one) => (one.worth > best.worth ? one : best))
    for (const [one, all] of left.get(unit)!.own) seen.set(one, joined(all, seen.get(one)))
    left.delete(unit)
    return unit
  })
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
