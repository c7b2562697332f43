import { endKind } from './alphabet.ts'
import { holds, type Side } from './pattern.ts'
import type { Instruction, Program } from './program.ts'

/** Follows sets of ways through a program, one symbol at a time, each instruction at most once. */
export type Follower = {
  /**
   * The ways open after a symbol of a kind, a new one from the beginning among them, or `match`
   * when one of them matches before it.
   */
  follow(from: Place, kind: number): Uint16Array | 'match'
  /** How many instructions were followed so far. */
  work(): number
}

/** The ways open at a place, and what is behind it. */
type Place = { readonly ways: Uint16Array; readonly behind: Side }

/** The follower of a program. */
export function follower({ instructions, alphabet, isAnchored }: Program): Follower {
  const { operations, firsts, seconds } = packed(instructions)
  const stack = new Uint16Array(instructions.length)
  const next = new Uint16Array(instructions.length + 1)
  const seen = new Int32Array(instructions.length)
  let round = 0
  let height = 0
  let work = 0

  function open(way: number): void {
    if (seen[way] === round) return
    seen[way] = round
    stack[height++] = way
  }

  function follow({ ways, behind }: Place, kind: number): Uint16Array | 'match' {
    const ahead = alphabet.sideOf(kind)
    const membership = alphabet.membershipOf(kind)
    let count = 0
    if (!isAnchored && kind !== endKind) next[count++] = 0
    round++
    height = 0
    for (const way of ways) open(way)
    while (height > 0) {
      const way = stack[--height]!
      const operation = operations[way]!
      const first = firsts[way]!
      work++
      if (operation === match) return 'match'
      if (operation === take) {
        if (membership[first] === 1) next[count++] = way + 1
      } else if (operation === look) {
        const instruction = instructions[way] as Extract<Instruction, { op: 'look' }>
        if (holds(instruction.look, behind, ahead)) open(way + 1)
      } else {
        open(first)
        open(seconds[way]!)
      }
    }
    return next.slice(0, count)
  }

  return { follow, work: () => work }
}

const take = 0
const look = 1
const go = 2
const match = 3

/** Instructions as numbers: what to do, and the set to take from or the two places to go on in. */
function packed(instructions: readonly Instruction[]) {
  const operations = new Uint8Array(instructions.length)
  const firsts = new Int32Array(instructions.length)
  const seconds = new Int32Array(instructions.length)
  for (const [way, instruction] of instructions.entries()) {
    const [operation, first, second = first] = pack(instruction, way)
    operations[way] = operation
    firsts[way] = first
    seconds[way] = second
  }
  return { operations, firsts, seconds }
}

function pack(instruction: Instruction, way: number): [number, number, number?] {
  switch (instruction.op) {
    case 'take':
      return [take, instruction.set]
    case 'look':
      return [look, 0]
    case 'match':
      return [match, 0]
    case 'fork':
      return [go, instruction.first, instruction.second]
    case 'jump':
      return [go, instruction.to]
    case 'note':
      return [go, way + 1]
  }
}
