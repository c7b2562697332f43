import type { Header } from './record.ts'

/** The command that runs one scenario of a run again, in the same way, or all that it was. */
export function repeatCommand({ flags = [], seed, command }: Header, scenario: string): string {
  if (command !== undefined) return shellWords(['plimsoll', ...command])
  const words = flags.includes('--seed') ? flags : [...flags, '--seed', `${seed}`]
  return shellWords(['plimsoll', 'run', scenario, ...words])
}

/** Words as one line that a POSIX shell reads back as just these. */
export function shellWords(words: readonly string[]): string {
  return words.map(quote).join(' ')
}

/** A word as a POSIX shell reads it back. */
function quote(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
