import { bytes, text } from '../bytes.ts'
import { characters, Refusal } from '../failure.ts'
import { type Automaton, automaton } from './automaton.ts'
import { captures } from './captures.ts'
import { parsePattern } from './parse.ts'
import { programOf } from './program.ts'

/** A regular expression. Its work grows with the length of a value and with nothing else of it. */
export type Regex = {
  /** Whether it matches anywhere in a value. */
  matches(value: string): boolean
  /** The first match in a value. */
  exec(value: string): Match | undefined
  /** How many symbols were read and instructions followed so far to find out whether it matches. */
  work(): number
}

/** A match: the bytes before and after it, and what it and each of its groups matched. */
export type Match = {
  readonly before: string
  readonly after: string
  readonly groups: readonly (string | undefined)[]
}

/** Why a text is not a regular expression, or undefined when it is one. */
export function regexFault(pattern: string): string | undefined {
  try {
    programOf(parsePattern(pattern))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const place = characters(pattern.slice(0, error.start)) + 1
    return `${error.message}, at its character ${place}`
  }
}

/** Prepares a pattern without fault, over bytes or, with `(?u)`, over the characters they spell. */
export function regex(pattern: string): Regex {
  const reading = parsePattern(pattern)
  const program = programOf(reading)
  const subject = reading.mode === 'bytes' ? (value: string) => value : text
  const written = reading.mode === 'bytes' ? (part: string) => part : bytes
  let machine: Automaton | undefined

  function isMatch(read: string): boolean {
    machine ??= automaton(program)
    return machine.matches(read)
  }

  return {
    matches: (value) => isMatch(subject(value)),
    exec(value) {
      const read = subject(value)
      // To find out where it matches is far more work than to find out whether.
      const offsets = isMatch(read) ? captures(program, read) : undefined
      if (!offsets) return undefined
      const groups: (string | undefined)[] = []
      for (let slot = 0; slot < offsets.length; slot += 2) {
        const [start, end] = [offsets[slot], offsets[slot + 1]]
        const isTaken = start !== undefined && end !== undefined
        groups.push(isTaken ? written(read.slice(start, end)) : undefined)
      }
      const before = written(read.slice(0, offsets[0]))
      return { before, after: written(read.slice(offsets[1])), groups }
    },
    work: () => machine?.work() ?? 0
  }
}
