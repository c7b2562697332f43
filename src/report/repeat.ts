import type { Header } from './record.ts'

/** The command that runs one scenario of a run again, in the same way, or all that it was. */
export function repeatCommand({ flags = [], seed, command }: Header, scenario: string): string {
  if (command !== undefined) return ['plimsoll', ...command].map(quote).join(' ')
  const words = flags.includes('--seed') ? flags : [...flags, '--seed', `${seed}`]
  return ['plimsoll', 'run', scenario, ...words].map(quote).join(' ')
}

/** A word as a POSIX shell reads it back. */
function quote(word: string): string {
  return /^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
