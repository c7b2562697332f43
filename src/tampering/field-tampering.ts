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
import { alike, isTaken, type Likeness, latest, type Tampering } from './tampering.ts'
import { kindOf, type Witnessed } from './witnessed.ts'

const retypings: [words: string, change: ValueChange][] = [
  ['another value of', altered],
  ['without', () => gone],
  ['another type of', retyped]
]

/** A tampering with one field, the way to it, and which of the changes it is. */
export type FieldTampering = { path: FieldPath; turn: number; tampering: Tampering }

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
        return { path, turn, tampering: inField(example, { likeness, what, path, own }) }
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

/** Objects that have one field more: one that they have in other answers, where there is one. */
export function addedFields(shown: readonly Witnessed[], all: readonly Witnessed[]): Tampering[] {
  return latest(shown, kindOf).flatMap((example) => {
    const { json } = example.answer
    const isObject = (path: FieldPath) => valuesAt(json, path).some(isRecord)
    return [[], ...fieldsOf(json)].filter(isObject).map((path: FieldPath) => {
      const own = new Set(valuesAt(json, path).filter(isRecord).flatMap(Object.keys))
      const others = all.flatMap(({ answer }) => valuesAt(answer.json, path)).filter(isRecord)
      const fresh = others.flatMap(Object.entries).find(([name]) => !own.has(name))
      const [name, value] = fresh ?? ['unexpected', 1]
      const place = path.length > 0 ? ` in ${path.join('.')}` : ''
      return inField(example, {
        ...{ likeness: kindOf, path, what: `one field more${place}, ${name}` },
        own: (object) => (isRecord(object) ? { ...object, [name]: value } : object)
      })
    })
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
