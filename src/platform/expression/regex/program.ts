import { Refusal } from '../failure.ts'
import { type Alphabet, alphabet } from './alphabet.ts'
import type { Reading } from './parse.ts'
import type { Look, Pattern } from './pattern.ts'
import type { SymbolSet } from './symbol.ts'

/** One instruction; unless it says where to go on, the next one follows. */
export type Instruction =
  /** Takes one symbol that is in a set. */
  | { readonly op: 'take'; readonly set: number }
  | { readonly op: 'look'; readonly look: Look }
  /** Notes where a group begins or ends. */
  | { readonly op: 'note'; readonly slot: number }
  /** Goes on in two places, of which the first is preferred. */
  | Fork
  | Jump
  | { readonly op: 'match' }

type Fork = { readonly op: 'fork'; first: number; second: number }
type Jump = { readonly op: 'jump'; to: number }
type Repeat = Extract<Pattern, { kind: 'repeat' }>

/** A regular expression as instructions for a machine that follows all ways at once. */
export type Program = {
  readonly instructions: readonly Instruction[]
  readonly alphabet: Alphabet
  /** How many places are noted: two for each group, the whole match being the first. */
  readonly slots: number
  /** Whether it can match at the beginning of a value only. */
  readonly isAnchored: boolean
  readonly hasLooks: boolean
}

/**
 * How many instructions a regular expression may come to. A match never costs more than this many
 * times the length of the value, so it bounds the time of a match; counted repeats reach it first.
 */
export const instructionLimit = 3_000

/** Compiles a regular expression; throws a refusal when it is too large. */
export function programOf({ pattern, mode, captures }: Reading): Program {
  const draft: Draft = {
    instructions: [],
    sets: [],
    places: new Map(),
    looks: new Set(),
    visits: 0
  }
  write(draft, { kind: 'capture', index: 0, inner: pattern })
  push(draft, { op: 'match' })
  const { instructions, sets, looks } = draft
  return {
    instructions,
    alphabet: alphabet({ mode, sets, looks }),
    slots: 2 * (captures + 1),
    isAnchored: isAnchored(pattern),
    hasLooks: looks.size > 0
  }
}

/** A program being written. */
type Draft = {
  readonly instructions: Instruction[]
  readonly sets: SymbolSet[]
  /** Where in `sets` the set with a key is. */
  readonly places: Map<string, number>
  readonly looks: Set<Look>
  visits: number
}

function write(draft: Draft, pattern: Pattern): void {
  // Empty parts leave no instructions behind, but repeating them a billion times takes as long.
  if (draft.visits++ > 2 * instructionLimit) refuseSize()
  switch (pattern.kind) {
    case 'empty':
      break
    case 'take':
      push(draft, { op: 'take', set: placeOf(draft, pattern.set) })
      break
    case 'look':
      draft.looks.add(pattern.look)
      push(draft, { op: 'look', look: pattern.look })
      break
    case 'capture':
      push(draft, { op: 'note', slot: 2 * pattern.index })
      write(draft, pattern.inner)
      push(draft, { op: 'note', slot: 2 * pattern.index + 1 })
      break
    case 'sequence':
      for (const part of pattern.parts) write(draft, part)
      break
    case 'choice':
      writeChoice(draft, pattern.parts)
      break
    case 'repeat':
      writeRepeat(draft, pattern)
      break
  }
}

function push<Pushed extends Instruction>(draft: Draft, instruction: Pushed): Pushed {
  if (draft.instructions.push(instruction) > instructionLimit) refuseSize()
  return instruction
}

function refuseSize(): never {
  throw new Refusal('too large once its repeats are written out', { start: 0, end: 0 })
}

function placeOf({ sets, places }: Draft, set: SymbolSet): number {
  const known = places.get(set.key)
  if (known !== undefined) return known
  const place = sets.push(set) - 1
  places.set(set.key, place)
  return place
}

function writeChoice(draft: Draft, parts: readonly Pattern[]): void {
  const { instructions } = draft
  const jumps: Jump[] = []
  for (const part of parts.slice(0, -1)) {
    const fork: Fork = push(draft, { op: 'fork', first: instructions.length + 1, second: 0 })
    write(draft, part)
    jumps.push(push(draft, { op: 'jump', to: 0 }))
    fork.second = instructions.length
  }
  write(draft, parts.at(-1)!)
  for (const jump of jumps) jump.to = instructions.length
}

function writeRepeat(draft: Draft, { inner, min, max, greed }: Repeat): void {
  const { instructions } = draft
  const [enter, leave] = greed === 'greedy' ? greedy : lazy
  const forks: Fork[] = []
  const copies = max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max
  let start = instructions.length
  for (let copy = 0; copy < copies; copy++) {
    // A copy that is not required can be left out, and with it all that follow.
    if (copy >= min) {
      const fork: Fork = push(draft, { op: 'fork', first: 0, second: 0 })
      fork[enter] = instructions.length
      forks.push(fork)
    }
    start = instructions.length
    write(draft, inner)
  }
  if (copies < max) forks.push(push(draft, { op: 'fork', first: start, second: start }))
  for (const fork of forks) fork[leave] = instructions.length
}

const greedy = ['first', 'second'] as const
const lazy = ['second', 'first'] as const

function isAnchored(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'look':
      return pattern.look === 'start'
    case 'capture':
      return isAnchored(pattern.inner)
    case 'sequence':
      return isAnchored(pattern.parts[0]!)
    case 'choice':
      return pattern.parts.every(isAnchored)
    default:
      return false
  }
}
