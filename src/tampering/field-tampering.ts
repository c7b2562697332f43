import { withJson } from './answer.ts'
import {
  altered,
  changedAt,
  type FieldPath,
  fieldsOf,
  gone,
  retyped,
  type ValueChange,
  valuesAt
} from './field.ts'
import { isWord } from './naming.ts'
import {
  alike,
  inTurn,
  isTaken,
  type Likeness,
  latest,
  type Recorded,
  type Tampering
} from './tampering.ts'
import { kindOf, type Witnessed } from './witnessed.ts'

const retypings: [words: string, change: ValueChange][] = [
  ['another value of', altered],
  ['without', () => gone],
  ['another type of', retyped]
]

/** A tampering with one field, the way to it, which of the changes it is, and of which answers. */
export type FieldTampering = {
  path: FieldPath
  turn: number
  fate: 'taken' | 'refused'
  tampering: Tampering
}

/** The fields of JSON in answers that are alike, one change after the other for all of them. */
export function fieldTamperings(
  shown: readonly Witnessed[],
  { all, likeness }: { all: readonly Witnessed[]; likeness: Likeness }
): FieldTampering[] {
  const changes = [...retypings, ['the other order of', reversed]] as typeof retypings
  return changes.flatMap(([words, change], turn) =>
    latest(shown, likeness).flatMap((example) => {
      const isAlike = (one: Witnessed) => likeness(one) === likeness(example)
      const paths = shown.filter(isAlike).flatMap(({ answer }) => fieldsOf(answer.json))
      const once = [...new Map(paths.map((path) => [path.join('.'), path])).values()]
      const alikes = all.filter(isAlike)
      const told = (path: FieldPath) => alikes.flatMap(({ answer }) => valuesAt(answer.json, path))
      return once.flatMap((path) => {
        if (change === reversed && !told(path).some(isLonger)) return []
        const own = change === altered ? swapping(told(path)) : change
        const what = `${words} ${path.join('.')}`
        return {
          path,
          turn,
          fate: isTaken(example) ? 'taken' : 'refused',
          tampering: inField(example, { likeness, what, path, own })
        }
      })
    })
  )
}

function inField(
  example: Witnessed,
  {
    likeness,
    what,
    path,
    own
  }: { likeness: Likeness; what: string; path: FieldPath; own: ValueChange }
): Tampering {
  const words = `${likeness(example)}, ${isTaken(example) ? 'taken' : 'refused'}: ${what}`
  return alike(example, { likeness, words }, ({ answer }) => {
    if (answer.json === undefined) return undefined
    const json = changedAt(answer.json, path, own)
    return JSON.stringify(json) === answer.text ? undefined : withJson(answer, json)
  })
}

/** Another value: one that this field had elsewhere, or one that is made of its own. */
function swapping(told: readonly unknown[]): ValueChange {
  return (value) => {
    const isPlain = ['string', 'number'].includes(typeof value)
    const other = told.find((one) => one !== value && typeof one === typeof value)
    return isPlain && other !== undefined ? other : altered(value)
  }
}

function isLonger(value: unknown): boolean {
  return Array.isArray(value) && value.length > 1
}

function reversed(value: unknown): unknown {
  return Array.isArray(value) ? value.toReversed() : value
}

/**
 * Objects that have one field more: one that the clause is named after, as where it says that there
 * is none, and one that they have in other answers, where there is one.
 */
export function addedFields({ clause, shown, all }: Recorded): Tampering[] {
  const named = namedFields(clause, all)
  return latest(shown, kindOf).flatMap((example) => {
    const { json } = example.answer
    return inTurn(
      objectsIn(json).map((path) => {
        const own = new Set(valuesAt(json, path).filter(isRecord).flatMap(Object.keys))
        const others = all.flatMap(({ answer }) => valuesAt(answer.json, path)).filter(isRecord)
        const fresh = others.flatMap(Object.entries).find(([name]) => !own.has(name))
        const first = named.filter(([name]) => !own.has(name) && name !== fresh?.[0])
        return [...first, fresh ?? ['unexpected', 1]].map(([name, value]) => {
          const place = path.length > 0 ? ` in ${path.join('.')}` : ''
          return inField(example, {
            ...{ likeness: kindOf, path, what: `one field more${place}, ${name}` },
            own: (object) => (isRecord(object) ? { ...object, [name]: value } : object)
          })
        })
      })
    )
  })
}

/** The ways to all objects of a value, those that are items of lists among them. */
function objectsIn(json: unknown): FieldPath[] {
  const paths = [[], ...fieldsOf(json)].flatMap((path: FieldPath) => [path, [...path, '*']])
  return paths.filter((path) => valuesAt(json, path).some(isRecord))
}

/** Fields by a name that the clause has: one that an answer has somewhere, or its first words. */
function namedFields(clause: string, all: readonly Witnessed[]): [string, unknown][] {
  const last = clause.replace(/^.*\./, '')
  const [first = '', second] = last.split('-')
  const guesses = second === undefined ? [first] : [`${first}_${second}`, first]
  const found = new Map<string, unknown>()
  for (const { answer } of all)
    for (const path of fieldsOf(answer.json)) {
      const name = path.at(-1)!
      if (isWord(name, last) && !found.has(name)) found.set(name, valuesAt(answer.json, path)[0])
    }
  for (const guess of guesses) if (!found.has(guess)) found.set(guess, true)
  return [...found]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
