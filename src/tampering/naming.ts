import { type FieldPath, fieldsOf, valuesAt } from './field.ts'
import { inTurn } from './tampering.ts'
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
 * Tamperings with fields, those first that say the most: with fields that vary, since nobody asks
 * twice for what is always the same; of these, and of the others, of each object in turn; and of
 * those the fields that the fewest kinds of answers have, since what all have says little of any.
 */
export function tellingFirst<One>(
  some: readonly One[],
  { all, pathOf }: { all: readonly Witnessed[]; pathOf: (one: One) => FieldPath }
): One[] {
  const shown = known.get(all) ?? shownFields(all)
  known.set(all, shown)
  const of = (one: One) => shown.get(pathOf(one).join('\n')) ?? { kinds: 0, varies: false }
  const sorted = some.toSorted(
    (one, other) => of(one).kinds - of(other).kinds || pathOf(one).length - pathOf(other).length
  )
  // A path is a list itself, and would be taken apart.
  const byObject = (list: One[]) => {
    const kept = list.map((one) => ({ one, object: pathOf(one).slice(0, -1).join('\n') }))
    return inTurn([...Map.groupBy(kept, ({ object }) => object).values()]).map(({ one }) => one)
  }
  const isVarying = (one: One) => of(one).varies
  return [
    ...byObject(sorted.filter(isVarying)),
    ...byObject(sorted.filter((one) => !isVarying(one)))
  ]
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

/** Whether a clause has a field's name for one or more of its own words. */
export function isWord(name: string, clause: string): boolean {
  return `-${clause.replaceAll('.', '-')}-`.includes(`-${name.toLowerCase().replaceAll('_', '-')}-`)
}
