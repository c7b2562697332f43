import { lowerAscii } from './bytes.ts'
import { needle } from './needle.ts'

/** A wildcard pattern: `*` stands for any bytes, and the whole value has to match. */
export type Wildcard = {
  /** Whether a value matches. */
  matches(value: string): boolean
  /** What each star stands for, as short as can be; undefined when the value does not match. */
  stars(value: string): string[] | undefined
}

/** Why a text is not a wildcard pattern, or undefined when it is one. */
export function wildcardFault(pattern: string): string | undefined {
  if (!/^(?:[^\\]|\\[\\*])*$/.test(pattern)) return 'a backslash escapes neither * nor \\'
  return /^(?:[^\\*]|\\.|\*(?!\*))*$/s.test(pattern) ? undefined : 'two stars in a row'
}

/** Reads a pattern without fault; `\*` and `\\` stand for themselves. */
export function wildcard(pattern: string, caseOf: 'strict' | 'ignored'): Wildcard {
  const fold = caseOf === 'strict' ? (value: string) => value : lowerAscii
  const [head, ...rest] = partsOf(pattern).map(fold)
  const middle = rest.slice(0, -1).map((text) => ({ find: needle(text), length: text.length }))
  const tail = rest.at(-1)

  function stars(value: string): string[] | undefined {
    const folded = fold(value)
    if (tail === undefined) return folded === head ? [] : undefined
    const end = value.length - tail.length
    if (!folded.startsWith(head!) || !folded.endsWith(tail)) return undefined
    const found: string[] = []
    let at = head!.length
    // The first place a part is found leaves the most room for the parts after it.
    for (const { find, length } of middle) {
      const next = find(folded, at)
      if (next < 0) return undefined
      found.push(value.slice(at, next))
      at = next + length
    }
    return at <= end ? [...found, value.slice(at, end)] : undefined
  }

  return { stars, matches: (value) => stars(value) !== undefined }
}

/** The literal texts before, between and after the stars. */
function partsOf(pattern: string): string[] {
  const parts = ['']
  for (const [token] of pattern.matchAll(/\\?./gs)) {
    if (token === '*') parts.push('')
    else parts[parts.length - 1] += token.at(-1)
  }
  return parts
}
