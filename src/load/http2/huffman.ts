/** Bits of the code of each byte, and of the end of a text (RFC 7541, appendix B). */
const lengths = [
  ...[13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28],
  ...[28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28],
  ...[6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6],
  ...[5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10],
  ...[13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  ...[7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6],
  ...[15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5],
  ...[6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28],
  ...[20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23],
  ...[24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24],
  ...[22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23],
  ...[21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23],
  ...[26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25],
  ...[19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27],
  ...[20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23],
  ...[26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26],
  30
]

const endOfText = 256

/** A place between two codes: what comes next by the next bit, or the symbol that has ended. */
type Fork = { at: number; next: (Fork | number | undefined)[]; isPadding: boolean }

/** The codes as a tree. They are in order: shorter ones first, then by symbol. */
function tree(): Fork[] {
  const forks: Fork[] = []
  const fork = (isPadding: boolean) => {
    const made = { at: forks.length, next: [], isPadding }
    forks.push(made)
    return made
  }
  const root = fork(true)
  const ordered = lengths
    .map((bits, symbol) => ({ bits, symbol }))
    .sort((one, other) => one.bits - other.bits || one.symbol - other.symbol)
  let code = 0
  let before = 0
  for (const { bits, symbol } of ordered) {
    code <<= bits - before
    let here: Fork = root
    for (let bit = bits - 1; bit > 0; bit--) {
      const side = (code >>> bit) & 1
      // Up to seven ones fill the last byte.
      here.next[side] ??= fork(here.isPadding && side === 1 && bits - bit < 8)
      here = here.next[side] as Fork
    }
    here.next[code & 1] = symbol
    code++
    before = bits
  }
  return forks
}

const [emits, fails] = [1 << 16, 1 << 17]
const forks = tree()

/** By place and next four bits: the place after it, which symbol ended (bits 8 to 15), how. */
const steps = new Uint32Array(forks.length * 16)
for (const { at } of forks) {
  for (let nibble = 0; nibble < 16; nibble++) steps[at * 16 + nibble] = step(forks[at]!, nibble)
}
const mayEnd = Uint8Array.from(forks, ({ isPadding }) => (isPadding ? 1 : 0))

function step(from: Fork, nibble: number): number {
  let here = from
  let out = 0
  for (let bit = 3; bit >= 0; bit--) {
    const next = here.next[(nibble >>> bit) & 1]
    if (next === undefined || next === endOfText) return fails
    if (typeof next === 'number') out = emits | (next << 8)
    here = typeof next === 'number' ? forks[0]! : next
  }
  return out | here.at
}

/**
 * Unpacks what lies between `from` and `to` into `into`, and returns how many bytes that are: at
 * most those of `into`, as beyond it; −1 where it is no such code.
 */
export function unpack(bytes: Uint8Array, from: number, to: number, into: Uint8Array): number {
  let place = 0
  let size = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    for (let shift = 4; shift >= 0; shift -= 4) {
      const next = steps[place * 16 + ((byte >>> shift) & 15)]!
      if (next >= emits) {
        if (next & fails) return -1
        into[size++] = (next >>> 8) & 255
      }
      place = next & 255
    }
  }
  return mayEnd[place] === 1 ? size : -1
}
