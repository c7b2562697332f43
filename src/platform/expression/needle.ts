/** Where a text is found in a value from a position on, or -1. */
export type Needle = (value: string, from: number) => number

/**
 * A search for a text whose work is bounded by the length of the value, not by the product of both
 * lengths: the engine's own search is faster for short texts, but a repetitive long text in a long
 * repetitive value costs it seconds. There it gives way to `steadyNeedle`.
 */
export function needle(text: string): Needle {
  let steady: Needle | undefined
  return (value, from) => {
    if (text.length * (value.length - from) <= productLimit) return value.indexOf(text, from)
    steady ??= steadyNeedle(text)
    return steady(value, from)
  }
}

// Below this many character comparisons the engine's search cannot take longer than a millisecond.
const productLimit = 1_000_000

/** A search that never goes back in the value, as Knuth, Morris and Pratt do; not for no text. */
export function steadyNeedle(text: string): Needle {
  const borders = bordersOf(text)
  return (value, from) => {
    let matched = 0
    for (let at = from; at < value.length; at++) {
      const code = value.charCodeAt(at)
      while (matched > 0 && text.charCodeAt(matched) !== code) matched = borders[matched - 1]!
      if (text.charCodeAt(matched) === code) matched++
      if (matched === text.length) return at - matched + 1
    }
    return -1
  }
}

/** For each beginning of the text, the length of its longest proper beginning that also ends it. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length)
  let length = 0
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1]!
    if (text.charCodeAt(length) === code) length++
    borders[at] = length
  }
  return borders
}
