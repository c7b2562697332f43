/** A part of a pattern, as far as texts can be made of it. */
export type PatternPart =
  /** One letter: those at the ends of what it may be, and some in between. */
  | { kind: 'letter'; ends: readonly string[]; inner: readonly string[] }
  /** One after the other; what takes no letter, such as an anchor, is none of them. */
  | { kind: 'row'; parts: readonly PatternPart[] }
  | { kind: 'choice'; parts: readonly PatternPart[] }
  | { kind: 'times'; part: PatternPart; least: number; most: number }

const nothing: PatternPart = { kind: 'row', parts: [] }

/** By name, what a set has, as the ranges that it is short for. */
const sets: Record<string, string> = { d: '0-9', w: 'a-zA-Z0-9_', s: ' ' }

/** Letters that are tried where a set says only what it has not. */
const usual = [...'m4M-_. kKaAzZ09!#/:@%+']

/** Letters that come as they are sent: no space, which some take away, and nothing unseen. */
const isSeen = (letter: string) => /^(?:[!-~]|\p{L}|\p{N})$/u.test(letter)

/** Where a pattern is read. */
type Reading = { pattern: string; at: number }

/** What comes next, by an expression that is sticky. */
function next(reading: Reading, token: RegExp): RegExpExecArray | undefined {
  token.lastIndex = reading.at
  const found = token.exec(reading.pattern) ?? undefined
  if (found !== undefined) reading.at += found[0].length
  return found
}

const escaped: Record<string, string> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v', 0: '\0' }

/** The letter that an escape without its backslash stands for. */
function letterOf(name: string): string {
  const [, code] = /^(?:u\{|u|x)([\da-f]+)\}?$/i.exec(name) ?? []
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
  return escaped[name] ?? name
}

const code = (letter: string) => letter.codePointAt(0)!

/** A set of letters by what it is made of: `a-f`, `_`. */
function setOf(ranges: readonly [low: string, high: string][]): PatternPart {
  const ends = [...new Set(ranges.flat())].filter(isSeen)
  const middles = ranges.map(([low, high]) =>
    String.fromCodePoint(Math.floor((code(low) + code(high)) / 2))
  )
  const words = middles.filter((letter) => /[A-Za-z0-9]/.test(letter))
  const seen = middles.filter(isSeen)
  const [first = ' '] = middles
  const inner = words.length > 0 ? words : seen.length > 0 ? seen : [first]
  return { kind: 'letter', ends, inner }
}

/** A set that says what it has not, or what only an engine knows: which of some letters match. */
function setBy(source: string): PatternPart {
  const is = new RegExp(`^${source}$`, 'u')
  const inner = usual.filter((letter) => is.test(letter)).slice(0, 3)
  return { kind: 'letter', ends: [], inner: inner.length > 0 ? inner : ['é'] }
}

const inSet = /\\(u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[A-Z]|[pP]\{[^}]*\}|.)|[^\]\\]/suy

/** The ranges of what a set holds; undefined where only an engine knows. */
function rangesOf(body: string): [string, string][] | undefined {
  const reading = { pattern: body, at: 0 }
  const ranges: [string, string][] = []
  for (let found = next(reading, inSet); found !== undefined; found = next(reading, inSet)) {
    const [whole, name] = found
    if (name !== undefined && Object.hasOwn(sets, name)) {
      ranges.push(...(rangesOf(sets[name]!) ?? []))
      continue
    }
    if (name !== undefined && /^[DWSpPc]/.test(name)) return
    const low = name === undefined ? whole : letterOf(name === 'b' ? 'x08' : name)
    const until = next(reading, /-(?=.)/suy) && next(reading, inSet)
    if (until?.[1] !== undefined && /^[dwsDWSpPc]/.test(until[1])) return
    const [letter = low, high = letter] = until ?? []
    ranges.push([low, until?.[1] === undefined ? high : letterOf(high)])
  }
  return reading.at === body.length ? ranges : undefined
}

const set = /\[(\^?)((?:\\.|[^\]\\])*)\]/suy
const escaping = /\\(u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[A-Z]|[pP]\{[^}]*\}|k<[^>]*>|\d+|.)/suy

/** A part without how often it comes; undefined where none is left in its row. */
function single(reading: Reading): PatternPart | undefined {
  if (next(reading, /[\^$]/y)) return nothing
  if (next(reading, /\(\?(?:=|!|<=|<!)/y)) {
    // What is looked for ahead or behind takes no letter: each text is held against the pattern.
    choice(reading)
    next(reading, /\)/y)
    return nothing
  }
  if (next(reading, /\((?:\?:|\?<[^>]*>|(?!\?))/y)) {
    const inner = choice(reading)
    next(reading, /\)/y)
    return inner
  }
  const those = next(reading, set)
  if (those !== undefined) {
    const ranges = those[1] === '' ? rangesOf(those[2]!) : undefined
    return ranges === undefined || ranges.length === 0 ? setBy(those[0]) : setOf(ranges)
  }
  const one = next(reading, escaping)
  if (one !== undefined) {
    const [whole, name = ''] = one
    if (/^(?:[bB]$|k<|[1-9])/.test(name)) return nothing
    if (Object.hasOwn(sets, name)) return setOf(rangesOf(sets[name]!)!)
    return /^[DWSpPc]/.test(name) ? setBy(whole) : plain(letterOf(name))
  }
  if (next(reading, /\./y)) return { kind: 'letter', ends: [], inner: [...'m4M'] }
  const letter = next(reading, /[^|)]/suy)
  return letter && plain(letter[0])
}

const plain = (letter: string): PatternPart => ({ kind: 'letter', ends: [], inner: [letter] })

const often: Record<string, [number, number]> = { '?': [0, 1], '*': [0, Infinity] }

function row(reading: Reading): PatternPart {
  const parts: PatternPart[] = []
  for (let part = single(reading); part !== undefined; part = single(reading)) {
    const found = next(reading, /(?:([?*+])|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (found === undefined) {
      parts.push(part)
      continue
    }
    const [, mark, from, comma, to] = found
    const [least, most] =
      mark === undefined
        ? [Number(from), comma === undefined ? Number(from) : to ? Number(to) : Infinity]
        : (often[mark] ?? [1, Infinity])
    parts.push({ kind: 'times', part, least, most })
  }
  return { kind: 'row', parts }
}

function choice(reading: Reading): PatternPart {
  const parts = [row(reading)]
  while (next(reading, /\|/y)) parts.push(row(reading))
  return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
}

/**
 * What a pattern is made of; undefined for one that is none. What takes no letter is not in it,
 * nor what a reference to a group repeats, so that a text made of it may not match.
 */
export function partsOf(pattern: string): PatternPart | undefined {
  try {
    new RegExp(pattern, 'u')
    const reading = { pattern, at: 0 }
    const whole = choice(reading)
    return reading.at === pattern.length ? whole : undefined
  } catch {
    return undefined
  }
}
