import { orNearest } from '../scenario/nearest.ts'
import { dashed } from './flags/dashed.ts'

/** What a command line is read by: the flags that are known where it fails, and all commands. */
export type KnownWords = { flags: readonly string[]; commands: readonly string[] }

const unknown = /^Unknown (?:arguments?|commands?): (.*)$/
const tooFew = /^Not enough non-option arguments/
/** What yargs says of a flag that is none of its choices, once dashed. */
const choice = /^ *Argument: (\S+), Given: (.*), Choices: (.*)$/gm
const nameOf = (command: string) => command.split(' ')[0]!

/** What is like a flag that nobody knows; nothing where nothing is near. */
const likeness = (word: string, flags: readonly string[]) =>
  word.startsWith('--') ? orNearest(word.slice(2), flags).replace(/(: |, )/g, '$1--') : ''

/** A message of yargs as Plimsoll tells it: flags as they are written, and what is like them. */
export function complaint(message: string, words: readonly string[], known: KnownWords): string {
  const command = known.commands.find((one) => nameOf(one) === words[0])
  if (tooFew.test(message) && command !== undefined)
    return `something is missing: plimsoll ${command}`
  const told = dashed(message, words)
  const chosen = [...told.matchAll(choice)].map(
    ([, flag, given, all]) => `${flag} ${given} is none of ${all!.replaceAll('"', '')}`
  )
  if (chosen.length > 0) return chosen.join('; ')
  const [, names] = unknown.exec(told) ?? []
  if (names === undefined) return told
  const all = names.split(', ')
  // What follows a command that nobody knows is not to blame.
  if (command === undefined && all.includes(words[0] ?? ''))
    return `Unknown command: ${words[0]}${orNearest(words[0]!, known.commands.map(nameOf))}`
  const like = all.map((word) => likeness(word, known.flags)).join('')
  return `Unknown argument${all.length > 1 ? 's' : ''}: ${names}${like}`
}
