import { relative } from 'node:path'
import { type Target, tablesOf } from '../target/target.ts'
import { Blocked } from './blocked.ts'

/** What is asked of any object by those who do not mean an entry: promises, JSON. */
const formalities = ['then', 'toJSON']

/**
 * The target as scenarios, adapters and endpoints are handed it: reading an entry that a table has
 * not throws `Blocked`, which names the table, the entry and the target's file. What was never said
 * would end up as `undefined` in an address, and be asked of a target that is not to blame for it.
 * Whether there is an entry says `name in table`.
 */
export function demanding(target: Target): Target {
  const tables = Object.entries(tablesOf(target)).map(([name, table]) => {
    const get = (_: object, entry: string | symbol) => {
      const isMeant = typeof entry === 'string' && !formalities.includes(entry)
      if (isMeant && !(entry in table)) throw new Blocked(absence(target, name, entry))
      return Reflect.get(table, entry)
    }
    return [name, new Proxy(table, { get })] as const
  })
  return { ...target, ...Object.fromEntries(tables) }
}

function absence({ file }: Target, table: string, entry: string): string {
  const place = file === undefined ? "the target's file" : relative('', file)
  return `the target names no "${entry}" in "${table}": add it to ${place}`
}
