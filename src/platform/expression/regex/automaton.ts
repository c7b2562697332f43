import { Buffer } from 'node:buffer'
import { endKind } from './alphabet.ts'
import { follower } from './follower.ts'
import type { Side } from './pattern.ts'
import type { Program } from './program.ts'

/**
 * Whether a program matches somewhere in a text. All ways through the program are followed at once,
 * so a text is read once, whatever the pattern. The set of ways open at a place is a state; where a
 * state leads on a kind of symbol is worked out once and remembered, so that most symbols cost no
 * more than a look-up.
 */
export type Automaton = {
  matches(text: string): boolean
  /** How many symbols were read and instructions followed so far: the work of all uses. */
  work(): number
}

type State = {
  /** The instructions to go on from. */
  readonly ways: Uint16Array
  readonly behind: Side
  /** Where each kind of symbol leads, as far as it is known. */
  readonly next: State[]
}

// There can be exponentially many states. Those remembered may have this many ways and links to
// other states together, about a megabyte; then all are forgotten, which changes no answer.
const memoryLimit = 200_000

// What a state takes besides its ways and links, in the same unit.
const stateSize = 50

/** The automaton of a program. */
export function automaton(program: Program): Automaton {
  const { alphabet, hasLooks } = program
  const { follow, work } = follower(program)
  const matched: State = { ways: Uint16Array.of(), behind: 'edge', next: [] }
  const dead: State = { ways: Uint16Array.of(), behind: 'edge', next: [] }
  const start: State = { ways: Uint16Array.of(0), behind: 'edge', next: [] }
  const states = new Map<string, State>()
  let memory = 0
  let read = 0

  function advance(state: State, kind: number): State {
    memory++
    const ways = follow(state, kind)
    if (ways === 'match') return link(state, kind, matched)
    if (ways.length === 0) return link(state, kind, dead)
    const behind = hasLooks ? alphabet.sideOf(kind) : 'other'
    const key = Buffer.from(ways.buffer).toString('latin1') + behind
    const known = states.get(key)
    return link(state, kind, known ?? remember(key, { ways, behind, next: [] }))
  }

  function remember(key: string, state: State): State {
    memory += state.ways.length + stateSize
    if (memory > memoryLimit) {
      memory = 0
      states.clear()
      start.next.length = 0
    }
    states.set(key, state)
    return state
  }

  function matches(text: string): boolean {
    let state = start
    for (let at = 0; at < text.length; at++) {
      const symbol = text.codePointAt(at)!
      if (symbol > 0xffff) at++
      read++
      const kind = alphabet.kindOf(symbol)
      state = state.next[kind] ?? advance(state, kind)
      if (state === matched) return true
      if (state === dead) return false
    }
    return (state.next[endKind] ?? advance(state, endKind)) === matched
  }

  return { matches, work: () => read + work() }
}

function link(state: State, kind: number, next: State): State {
  state.next[kind] = next
  return next
}
