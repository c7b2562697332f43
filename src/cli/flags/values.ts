import type { Argv } from 'yargs'
import { knownFlags } from './flag-groups.ts'

/** What yargs knows of flags, which its types do not tell. */
type Options = { string: string[]; number: string[]; array: string[] }

/** Flags of which nothing is a value too: what is sent, and what is expected of it. */
const mayBeBlank = new Set(['body', 'message', 'answer'])

/** Flags that say something alone. */
const mayBeAlone = new Set(['take'])

const fix = 'give it a value, or leave it out'

/**
 * Has every flag of one value be given one that says something: without it yargs would take the
 * default, as if nobody had named the flag, and a blank text would be a command, a file or a name.
 * `command` is that with its positional word, such as `load [url]`, which is no flag.
 */
export function insistOnValues(yargs: Argv<any>, command: string): void {
  const { string, number, array } = (yargs as unknown as { getOptions(): Options }).getOptions()
  const known = knownFlags(yargs)
  const isPositional = (name: string) => /[[<](\w+)/.exec(command)?.[1] === name
  const isFree = (name: string) =>
    array.includes(name) || mayBeAlone.has(name) || isPositional(name)
  const isSingle = (name: string) => known.has(name) && !isFree(name)
  const single = [...string, ...number].filter(isSingle)
  yargs.requiresArg(single)
  yargs.check((given: Record<string, unknown>) => {
    for (const flag of single) {
      const value = given[flag]
      const isBlank = typeof value === 'string' && value.trim() === '' && !mayBeBlank.has(flag)
      if (isBlank) throw new Error(`--${flag} is blank: ${fix}`)
      const isEndless = typeof value === 'number' && !Number.isFinite(value)
      if (isEndless) throw new Error(`--${flag} is no number: ${fix}`)
    }
    return true
  })
}
