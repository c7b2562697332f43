import type { Constraint, ConstraintSubject } from './how-asked.ts'
import { isOneOf, mayTake } from './may-take.ts'
import type { SampleValue } from './sample.ts'
import { chosen, type FlatSchema, flat } from './schema.ts'
import type { ImportSource } from './source.ts'
import { kindOf } from './violated.ts'

/** One of the schemas among which there is a choice, with a value that it takes. */
export type Alternative = { schema: FlatSchema; sample: SampleValue }

/** Other alternatives than the one that a value is of. */
export type Rivals = {
  /** Whether one of them may take a value there. */
  mayTake: (value: unknown) => boolean
  /** Whether a value that is of two of them is refused. */
  isOne: boolean
}

/** Whether a schema is not one but several, which differ in more than in what they require. */
export function isDivided(source: ImportSource, { choices }: FlatSchema): boolean {
  return choices.some((choice) => {
    const { types, keywords, properties, items, choices: inner } = flat(source, choice)
    const isBare = types.length === 0 && items === undefined && inner.length === 0
    return !isBare || Object.keys({ ...keywords, ...properties }).length > 0
  })
}

/** The alternatives of a choice; undefined where they are not all that is said. */
export function alternativesOf(
  source: ImportSource,
  schema: FlatSchema,
  sampler: (schema: FlatSchema) => SampleValue
): Alternative[] | undefined {
  if (schema.isPartial) return
  const all = schema.choices.map((choice) => chosen(source, schema, choice))
  // Of an alternative of which not everything is known, nobody knows whether it refuses.
  if (all.some(({ unread }) => unread !== undefined)) return
  return all.map((one) => ({ schema: one, sample: sampler(one) }))
}

/** Whether one of some alternatives may take a value, as it is or as a text. */
const takenBy =
  (source: ImportSource, all: readonly Alternative[], isText: boolean) => (value: unknown) =>
    all.some(({ schema }) => {
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
      const forms = isText && isPlain ? [value, String(value), Number(value)] : [value]
      return forms.some((one) => mayTake(source, schema, one))
    })

/** The others of some alternatives than one. */
export const rivalsOf = (
  source: ImportSource,
  { schema, isText }: Pick<ConstraintSubject, 'schema' | 'isText'>,
  { all, own }: { all: readonly Alternative[]; own: Alternative }
): Rivals => ({
  mayTake: takenBy(
    source,
    all.filter((one) => one !== own),
    isText
  ),
  isOne: isOneOf(schema)
})

/** Values of kinds of which hardly any choice has all. */
const strange: Record<string, unknown> = {
  ...{ string: 'plimsoll-none', boolean: true, number: -0.5, array: [], object: {} }
}
const strangeTexts = ['plimsoll-none', '§ §', '-0.5']

/** That a value is of one of some alternatives: one of each is taken, and none of another kind. */
export function choiceConstraint(
  source: ImportSource,
  subject: Pick<ConstraintSubject, 'schema' | 'isText' | 'name' | 'sample' | 'at'>,
  all: readonly Alternative[]
): Constraint | undefined {
  const { schema, isText, name, at, sample } = subject
  const accepted = all.flatMap((own) => {
    const { mayTake, isOne } = rivalsOf(source, subject, { all, own })
    const isTold = own.sample !== undefined && !(isOne && mayTake(own.sample.value))
    // Of parts that close themselves to each other nobody knows what is taken.
    if (own.schema.isPartial) return []
    return isTold ? [own.sample!.value] : []
  })
  const field = schema.keywords.discriminator?.value?.propertyName
  const known: unknown = sample?.value
  const isNamed = known !== null && typeof known === 'object' && Object.hasOwn(known, field)
  const renamed = isNamed ? [{ ...known, [field]: 'plimsoll-none' }] : []
  const kinds = all.map((one) => kindOf(one.schema)?.replace('integer', 'number'))
  // Of another kind than all of them it is wrong for nothing that one of them says besides.
  const others = Object.entries(strange).flatMap(([kind, one]) =>
    kinds.includes(kind) ? [] : [one]
  )
  const ofKind = isText && at !== 'body' ? strangeTexts : [...others, strange.string]
  const mayBeTaken = takenBy(source, all, isText)
  const candidates = renamed.length > 0 ? renamed : ofKind
  const refused = candidates.filter((value) => !mayBeTaken(value)).slice(0, 2)
  if (refused.length === 0 && accepted.length < 2) return
  return {
    keyword: 'choice',
    pointer: schema.choices[0]!.pointer.replace(/\/\d+$/, ''),
    documented: `${name} is of one of ${all.length} kinds`,
    asked: { form: 'sides', accepted, refused }
  }
}
