import { type FieldPath, fieldsOf } from './field.ts'
import { latest } from './tampering.ts'
import { kindOf, type Witnessed } from './witnessed.ts'

/** Where in its name a clause is named after a field; -1 where it is not. */
export function namedAt(name: string, clause: string): number {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z\d]/g, '')
  return plain(name).length > 1 ? plain(clause).indexOf(plain(name)) : -1
}

/**
 * The order of fields that say the most: those first that the fewest kinds of answers have, since
 * what all of them have says little of any, and of these the outer ones.
 */
export function byRarity(all: readonly Witnessed[]): (one: FieldPath, other: FieldPath) => number {
  const bearers = new Map<string, number>()
  for (const { answer } of latest(all, kindOf))
    for (const path of fieldsOf(answer.json)) {
      const name = path.join('\n')
      bearers.set(name, (bearers.get(name) ?? 0) + 1)
    }
  const count = (path: FieldPath) => bearers.get(path.join('\n')) ?? 0
  return (one, other) => count(one) - count(other) || one.length - other.length
}
