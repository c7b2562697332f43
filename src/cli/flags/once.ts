import type { Argv } from 'yargs'
import { Failure } from '../failure.ts'

/** What yargs knows of flags, which its types do not tell. */
type Options = {
  key: Record<string, unknown>
  alias: Record<string, string[]>
  array: string[]
  boolean: string[]
}

/** Flags that are collected, and no lists to yargs, which would take the words after them. */
const collected = ['tag', 'allow-irreversible']

/** The flag that a word begins with, without its dashes: `rate` of `--rate=5`, `r` of `-r5`. */
function flagOf(word: string): string | undefined {
  const long = /^--([A-Za-z][\w-]*)/.exec(word)?.[1]
  if (long !== undefined) return long.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return /^-([A-Za-z])/.exec(word)?.[1]
}

/**
 * Ends the command for a flag that has one value and is given several: which one is meant, nobody
 * can know. yargs would make a list of them.
 */
export function insistOnOnce(yargs: Argv<any>, words: readonly string[]): void {
  const { key, alias, array, boolean } = (
    yargs as unknown as { getOptions(): Options }
  ).getOptions()
  const end = words.indexOf('--')
  const given = words
    .slice(0, end === -1 ? words.length : end)
    .flatMap((word) => flagOf(word) ?? [])
  const many = new Set([...array, ...boolean, ...collected])
  for (const flag of Object.keys(key)) {
    const names = [flag, ...(alias[flag] ?? [])]
    if (names.some((name) => many.has(name))) continue
    const times = given.filter((name) => names.includes(name)).length
    if (times > 1) throw new Failure(`--${flag} is given ${times} times, and can be given once`)
  }
}
