import { type FieldPath, fieldsOf, valuesAt } from './field.ts'
import { kindOf, settled, type Witnessed } from './witnessed.ts'

/** Where in its name a clause is named after a field; -1 where it is not. */
export function namedAt(name: string, clause: string): number {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  return plain(name).length > 1 ? plain(clause).indexOf(plain(name)) : -1
}

/** What recorded answers show of a field: how many kinds of them have it, and if it varies. */
type Shown = { kinds: number; varies: boolean }

/** So many answers of one kind are looked at, and so many values in each. */
const looked = { answers: 20, values: 20 }

const known = new WeakMap<readonly Witnessed[], Map<string, Shown>>()

/**
 * The order of fields that say the most: first those that vary, since nobody asks twice for what is
 * always the same; of these, and of the others, those that the fewest kinds of answers have, since
 * what all have says little of any; and the outer ones.
 */
export function byRarity(all: readonly Witnessed[]): (one: FieldPath, other: FieldPath) => number {
  const shown = known.get(all) ?? shownFields(all)
  known.set(all, shown)
  const of = (path: FieldPath) => shown.get(path.join('\n')) ?? { kinds: 0, varies: false }
  return (one, other) =>
    Number(of(other).varies) - Number(of(one).varies) ||
    of(one).kinds - of(other).kinds ||
    one.length - other.length
}

function shownFields(all: readonly Witnessed[]): Map<string, Shown> {
  const shown = new Map<string, Shown>()
  for (const kind of Map.groupBy(all, kindOf).values()) {
    const values = new Map<string, Set<string>>()
    for (const { answer } of kind.slice(-looked.answers))
      for (const path of fieldsOf(answer.json)) {
        const name = path.join('\n')
        const own = values.get(name) ?? new Set<string>()
        values.set(name, own)
        for (const value of valuesAt(answer.json, path).slice(0, looked.values))
          if (typeof value !== 'object') own.add(settled(`${value}`))
      }
    for (const [name, own] of values) {
      const { kinds, varies } = shown.get(name) ?? { kinds: 0, varies: false }
      shown.set(name, { kinds: kinds + 1, varies: varies || own.size > 1 })
    }
  }
  return shown
}
