import { endKind } from './alphabet.ts'
import { holds, type Side } from './pattern.ts'
import type { Program } from './program.ts'

/** Where a match and its groups begin and end: two offsets each, undefined for one not taken. */
export type Captures = readonly (number | undefined)[]

/** One way through a program: the instruction to go on from, and what was noted on the way. */
type Way = { readonly at: number; readonly notes: Note | undefined }

type Note = { readonly slot: number; readonly offset: number; readonly before: Note | undefined }

/** A place in a text, and what is next to it. */
type Place = {
  readonly offset: number
  readonly kind: number
  readonly behind: Side
  readonly ahead: Side
}

/**
 * The first match of a program in a text, the one that a backtracking search would prefer. All ways
 * are followed at once in order of preference, so a text is read once, whatever the pattern.
 */
export function captures(program: Program, text: string): Captures | undefined {
  const { alphabet, isAnchored, slots } = program
  let match: Way | undefined
  let ways: Way[] = []
  let behind: Side = 'edge'
  for (let offset = 0; offset <= text.length; offset++) {
    if (!match && (offset === 0 || !isAnchored)) ways.push({ at: 0, notes: undefined })
    if (ways.length === 0) break
    const symbol = text.codePointAt(offset)
    const kind = symbol === undefined ? endKind : alphabet.kindOf(symbol)
    const ahead = alphabet.sideOf(kind)
    const followed = follow(program, ways, { offset, kind, behind, ahead })
    ways = followed.next
    match = followed.match ?? match
    behind = ahead
    if (symbol !== undefined && symbol > 0xffff) offset++
  }
  return match && read(match, slots)
}

/** Follows ways over the symbol at a place, most preferred first, until one of them matches. */
function follow(
  { instructions, alphabet }: Program,
  ways: readonly Way[],
  { offset, kind, behind, ahead }: Place
): { next: Way[]; match?: Way } {
  const membership = alphabet.membershipOf(kind)
  const next: Way[] = []
  const seen = new Set<number>()
  const stack = ways.toReversed()
  for (let way = stack.pop(); way; way = stack.pop()) {
    const { at, notes } = way
    // A more preferred way has been here before; it will do all that this one could.
    if (seen.has(at)) continue
    seen.add(at)
    const instruction = instructions[at]!
    switch (instruction.op) {
      case 'match':
        // What is left on the stack is less preferred than this match.
        return { next, match: way }
      case 'take':
        if (membership[instruction.set] === 1) next.push({ at: at + 1, notes })
        break
      case 'fork':
        stack.push({ at: instruction.second, notes }, { at: instruction.first, notes })
        break
      case 'jump':
        stack.push({ at: instruction.to, notes })
        break
      case 'note':
        stack.push({ at: at + 1, notes: { slot: instruction.slot, offset, before: notes } })
        break
      case 'look':
        if (holds(instruction.look, behind, ahead)) stack.push({ at: at + 1, notes })
        break
    }
  }
  return { next }
}

/** The offset that was noted last for each slot. */
function read({ notes }: Way, slots: number): Captures {
  const offsets = Array<number | undefined>(slots).fill(undefined)
  for (let note = notes; note; note = note.before) offsets[note.slot] ??= note.offset
  return offsets
}
