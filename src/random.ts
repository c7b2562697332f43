/** A source of chance: each call gives the next number in [0, 1), the same for the same seed. */
export type Random = () => number

/** Seeded chance (splitmix32): equal seeds give equal sequences; a label parts a seed's uses. */
export function random(seed: number, label = ''): Random {
  let state = seed >>> 0
  for (const char of label) state = Math.imul(state ^ char.codePointAt(0)!, 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}

/** The items in an order decided by `next`; the input stays as it is. */
export function shuffled<Item>(items: readonly Item[], next: Random): Item[] {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const pick = Math.floor(next() * (last + 1))
    ;[order[last], order[pick]] = [order[pick]!, order[last]!]
  }
  return order
}
