import { RE2JS, RE2JSException } from 're2js'
import { bytes, text } from './bytes.ts'

/** A regular expression. Its work grows with the length of a value and with nothing else of it. */
export type Regex = {
  /** Whether it matches anywhere in a value. */
  matches(value: string): boolean
  /** The first match in a value. */
  exec(value: string): Match | undefined
}

/** A match: the bytes before and after it, and what it and each of its groups matched. */
export type Match = {
  readonly before: string
  readonly after: string
  readonly groups: readonly (string | undefined)[]
}

/** One expression must not hold up all requests, neither when it is prepared nor when it runs. */
const most = { characters: 16_384, instructions: 3_000 }

class Unfit extends Error {}

/** Why a text is not a regular expression, or undefined when it is one. */
export function regexFault(pattern: string): string | undefined {
  try {
    prepared(pattern)
    return undefined
  } catch (error) {
    if (error instanceof Unfit) return error.message
    if (!(error instanceof RE2JSException)) throw error
    return error.message.replace(/^error parsing regexp: /, '')
  }
}

/** Prepares a pattern without fault, over bytes or, with `(?u)`, over the characters they spell. */
export function regex(pattern: string): Regex {
  const { compiled, isOverCharacters } = prepared(pattern)
  const subject = isOverCharacters ? text : (value: string) => value
  const written = isOverCharacters ? bytes : (part: string) => part
  return {
    matches: (value) => compiled.test(subject(value)),
    exec(value) {
      const read = subject(value)
      const found = compiled.matcher(read)
      if (!found.find()) return undefined
      const groups = Array.from({ length: found.groupCount() + 1 }, (_, group) => {
        const part = found.group(group)
        return part === null ? undefined : written(part)
      })
      const before = written(read.slice(0, found.start()))
      return { before, after: written(read.slice(found.end())), groups }
    }
  }
}

function prepared(pattern: string) {
  if (pattern.length > most.characters) throw new Unfit(`longer than ${most.characters} characters`)
  const { isOverCharacters, source } = modeOf(pattern)
  const compiled = RE2JS.compile(translated(source, isOverCharacters))
  if (compiled.programSize() > most.instructions)
    throw new Unfit('too large once its repeats are written out')
  return { compiled, isOverCharacters }
}

/** The flag `u` is the language's own, and may only stand where a pattern begins. */
function modeOf(pattern: string): { isOverCharacters: boolean; source: string } {
  let isOverCharacters = false
  let flags = ''
  let rest = pattern
  const leading = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?\)/
  for (let found = leading.exec(rest); found; found = leading.exec(rest)) {
    const [whole, on = '', off = ''] = found
    if (on === '' && off === '') break
    if (on.includes('u')) isOverCharacters = true
    if (off.includes('u')) isOverCharacters = false
    const kept = [on, off].map((letters) => letters.replace('u', ''))
    flags += kept.join('') === '' ? '' : `(?${kept[0]}${kept[1] && `-${kept[1]}`})`
    rest = rest.slice(whole.length)
  }
  return { isOverCharacters, source: flags + rest }
}

/** What the engine would take for something else than the language means by it. */
const foreign: [sign: RegExp, because: string][] = [
  [/^\\[<>]|^\\b\{/, 'edges of words are \\b and \\B'],
  [/^(?:&&|--|~~|\[)$/, 'a class cannot be made of classes']
]

/** A class of POSIX, an escape, what begins, parts or ends a class, or a character beyond ASCII. */
const tokens = new RegExp(
  [
    /\[:\^?\w+:\]/,
    /\\(?:[xu]\{[\da-fA-F]+\}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|b\{|.)/,
    /\[\^?[\]-]*|\]|&&|--|~~/,
    /[^\0-\x7f]/
  ]
    .map(({ source }) => source)
    .join('|'),
  'gsu'
)

/** The pattern as the engine reads it; over bytes, a character is the bytes it is in UTF-8. */
function translated(pattern: string, isOverCharacters: boolean): string {
  let isInClass = false
  return pattern.replace(tokens, (token) => {
    if (token.startsWith('[:')) return token
    const [, because] =
      foreign.find(([sign]) => isInClass !== token.startsWith('\\') && sign.test(token)) ?? []
    if (because !== undefined) throw new Unfit(because)
    if (token === ']' || (token.startsWith('[') && !isInClass)) {
      isInClass = token !== ']'
      return token
    }
    if (token === '\\s') return isInClass ? '\\s\\v' : '[\\s\\v]'
    if (token === '\\S' && !isInClass) return '[^\\s\\v]'
    if (/^\\p/i.test(token) && !isOverCharacters)
      throw new Unfit('Unicode properties need the flag u')
    const character = characterOf(token)
    if (character === undefined) return token
    return isOverCharacters ? escaped(character) : spelt(character, isInClass)
  })
}

/** The character a token stands for, by itself or by its number; undefined for any other token. */
function characterOf(token: string): string | undefined {
  if (token > '\x7f') return token
  const [, digits] = /^\\[xuU]\{?([\da-f]+)\}?$/i.exec(token) ?? []
  const code = digits === undefined ? Infinity : Number.parseInt(digits, 16)
  return code <= 0x10_ffff ? String.fromCodePoint(code) : undefined
}

function escaped(character: string): string {
  return `\\x{${character.codePointAt(0)!.toString(16)}}`
}

function spelt(character: string, isInClass: boolean): string {
  const units = [...bytes(character)].map(escaped)
  if (units.length === 1) return units[0]!
  if (!isInClass) return `(?-i:${units.join('')})`
  throw new Unfit(`${character} is more than one byte, and needs the flag u in a class`)
}
