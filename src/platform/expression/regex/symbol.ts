/** What one symbol is: a byte, 0 to 255, or a Unicode code point. */
export type Mode = 'bytes' | 'unicode'

/**
 * A set of symbols, asked one at a time and only once for each symbol a value brings. Sets with
 * equal keys are equal.
 */
export type SymbolSet = { readonly key: string; readonly has: (symbol: number) => boolean }

/** The symbols from `first` to `last`. */
export function rangeSet(first: number, last = first): SymbolSet {
  return { key: `${first}-${last}`, has: (symbol) => symbol >= first && symbol <= last }
}

/** Everything that is not in a set. */
export function negated({ key, has }: SymbolSet): SymbolSet {
  return { key: `!${key}`, has: (symbol) => !has(symbol) }
}

/** Everything that is in at least one of the sets. */
export function union(sets: readonly SymbolSet[]): SymbolSet {
  if (sets.length === 1) return sets[0]!
  const key = `(${sets.map((set) => set.key).join('|')})`
  return { key, has: (symbol) => sets.some((set) => set.has(symbol)) }
}

/** Two sets combined by an operator of character classes. */
export function combined(
  operator: '&&' | '--' | '~~',
  one: SymbolSet,
  other: SymbolSet
): SymbolSet {
  const key = `(${one.key}${operator}${other.key})`
  if (operator === '&&') return { key, has: (symbol) => one.has(symbol) && other.has(symbol) }
  if (operator === '--') return { key, has: (symbol) => one.has(symbol) && !other.has(symbol) }
  return { key, has: (symbol) => one.has(symbol) !== other.has(symbol) }
}

/** A set with the other case of its letters: of ASCII letters among bytes, else of any letter. */
export function caseless({ key, has }: SymbolSet, mode: Mode): SymbolSet {
  const cases = mode === 'bytes' ? asciiCases : unicodeCases
  return { key: `~${key}`, has: (symbol) => has(symbol) || cases(symbol).some(has) }
}

function asciiCases(symbol: number): readonly number[] {
  const lower = symbol | 0x20
  return lower >= 0x61 && lower <= 0x7a ? [symbol ^ 0x20] : []
}

/** A set as JavaScript's own class, which has no more to do than look one code point up. */
export function classSet(source: string): SymbolSet {
  const pattern = new RegExp(`^${source}$`, 'u')
  return { key: source, has: (symbol) => pattern.test(String.fromCodePoint(symbol)) }
}

const perl = {
  bytes: { d: '[0-9]', s: '[\\t-\\r ]', w: '[0-9A-Za-z_]' },
  unicode: {
    d: '\\p{Nd}',
    s: '\\p{White_Space}',
    w: '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]'
  }
}

/** The digits, the white space, or the characters of words, as a mode defines them. */
export function perlSet(name: 'd' | 's' | 'w', mode: Mode): SymbolSet {
  return classSet(perl[mode][name])
}

const posix: Record<string, string> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7f',
  blank: '\\t ',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f'
}

/** A POSIX class as it is written in a character class: `^` when it is negated, and its name. */
export const posixClass = new RegExp(`\\[:(\\^?)(${Object.keys(posix).join('|')}):\\]`, 'y')

/** The ASCII characters of a POSIX class, by one of its names. */
export function posixSet(name: string): SymbolSet {
  return classSet(`[${posix[name]}]`)
}

/** The code points with a Unicode property: a category, a script or a binary property. */
export function propertySet(name: string): SymbolSet | undefined {
  const known = name.replace(/[:=]/, '=')
  if (!/^\w+(?:=\w+)?$/.test(known)) return undefined
  for (const source of [known, `Script=${known}`, `Script=${titled(known)}`]) {
    try {
      return classSet(`\\p{${source}}`)
    } catch {
      // JavaScript does not know the property by this name.
    }
  }
  return undefined
}

function titled(name: string): string {
  return name.toLowerCase().replace(/(?:^|_)[a-z]/g, (letter) => letter.toUpperCase())
}

let groupsOfCases: ReadonlyMap<number, readonly number[]> | undefined

/** The letters that differ from a code point in nothing but case, itself included. */
function unicodeCases(symbol: number): readonly number[] {
  groupsOfCases ??= groupCases()
  return groupsOfCases.get(symbol) ?? []
}

function groupCases(): Map<number, readonly number[]> {
  const groups = new Map<number, readonly number[]>()
  const byCapitals = new Map<string, number[]>()
  // No letter beyond the supplementary multilingual plane has a case.
  for (let symbol = 0; symbol < 0x20000; symbol++) {
    const letter = String.fromCodePoint(symbol)
    const lower = letter.toLowerCase()
    const capitals = lower.toUpperCase()
    // The dotless i is no case of the dotted one, though both have the same capital.
    if ((lower === letter && capitals === letter) || letter === 'ı') continue
    const group = byCapitals.get(capitals) ?? []
    group.push(symbol)
    byCapitals.set(capitals, group)
    groups.set(symbol, group)
  }
  return groups
}
