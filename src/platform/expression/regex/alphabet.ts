import type { Look, Side } from './pattern.ts'
import { type Mode, perlSet, rangeSet, type SymbolSet } from './symbol.ts'

/**
 * Symbols sorted into kinds: those that no set of a pattern tells apart are of one kind, so that a
 * matcher meets few different ones. Kinds are numbered from 0 as symbols turn up.
 */
export type Alphabet = {
  kindOf(symbol: number): number
  /** For each set of the pattern, by its place, whether the symbols of a kind are in it: 1 or 0. */
  membershipOf(kind: number): Uint8Array
  /** What a kind is for looks; always `other` when the pattern has none. */
  sideOf(kind: number): Side
}

/** The kind of the end of a value, where there is no symbol. */
export const endKind = 0

// A value can bring more than a million code points; those remembered are bounded.
const memoryLimit = 4_096

/** The alphabet of a pattern, from all the sets and looks in it. */
export function alphabet(options: {
  mode: Mode
  sets: readonly SymbolSet[]
  looks: ReadonlySet<Look>
}): Alphabet {
  const { mode, sets, looks } = options
  const word = perlSet('w', mode)
  const newline = rangeSet(10)
  const memberships: Uint8Array[] = [new Uint8Array(sets.length)]
  const sides: Side[] = ['edge']
  const kinds = new Map<string, number>()
  const bytes = new Int32Array(256).fill(-1)
  const others = new Map<number, number>()

  function sort(symbol: number): number {
    // A surrogate stands for a byte that is not part of a character: it is in no set at all.
    const isSymbol = mode === 'bytes' ? symbol < 256 : symbol < 0xd800 || symbol > 0xdfff
    const membership = Uint8Array.from(sets, (set) => Number(isSymbol && set.has(symbol)))
    let side: Side = 'other'
    if (isSymbol && looks.size > 0) {
      side = newline.has(symbol) ? 'newline' : word.has(symbol) ? 'word' : 'other'
    }
    const key = membership.join('') + side
    let kind = kinds.get(key)
    if (kind === undefined) {
      kind = memberships.push(membership) - 1
      sides.push(side)
      kinds.set(key, kind)
    }
    return kind
  }

  return {
    kindOf(symbol) {
      if (symbol < 256) {
        if (bytes[symbol]! < 0) bytes[symbol] = sort(symbol)
        return bytes[symbol]!
      }
      let kind = others.get(symbol)
      if (kind === undefined) {
        kind = sort(symbol)
        if (others.size === memoryLimit) others.clear()
        others.set(symbol, kind)
      }
      return kind
    },
    membershipOf: (kind) => memberships[kind]!,
    sideOf: (kind) => sides[kind]!
  }
}
