import { slug } from '../scenario/clause-id.ts'
import { absent } from '../scenario/place.ts'
import { besideOthers } from './ends.ts'
import type { Constraint, ConstraintSubject } from './how-asked.ts'
import { left, writers } from './keywords.ts'
import { nullFor, nullRefused, untypedFor } from './misfits.ts'
import { given } from './sample.ts'
import { isGuessed } from './strings.ts'
import { kindOf, violated } from './violated.ts'

/** All that a schema says of a value by itself, each with how it is asked about. */
export function constraintsOn(subject: ConstraintSubject): Constraint[] {
  const { schema } = subject
  if (schema.choices.length > 0) return []
  const found = Object.entries(writers).flatMap(([keyword, write]): Constraint[] => {
    const at = schema.keywords[keyword]
    if (at === undefined) return []
    const written = write(at.value, subject)
    return written === undefined
      ? []
      : [{ keyword: slug(keyword), pointer: at.pointer, ...written }]
  })
  const typed = typeConstraint(subject)
  const closed = closedConstraint(subject)
  return [...found, ...(typed ? [typed] : []), ...(closed ? [closed] : [])].map((one) =>
    sound(one, subject)
  )
}

/** Keywords that values are not held against when one is made up. */
const unseen = ['required', 'format', 'additionalProperties', 'unevaluatedProperties']

/** The same, or left out where another constraint speaks of what would be asked about. */
function sound(constraint: Constraint, subject: ConstraintSubject): Constraint {
  const { schema } = subject
  const { asked, keyword } = constraint
  if (asked.form !== 'sides') return constraint
  const own = keyword.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const isRefused = (value: unknown) => {
    const names = value === absent ? [] : violated(value, schema)
    const isSeen = names.length > 0 || unseen.includes(own)
    return isSeen && names.every((name) => name === own)
  }
  const refused = asked.refused.filter(isRefused)
  const accepted = asked.accepted.filter((value) => violated(value, schema).length === 0)
  const because = 'what would be asked is refused for another reason, too'
  const isOneSided = asked.refused.length === 0 && asked.ends !== undefined
  if (refused.length === 0 && !isOneSided) return { ...constraint, asked: left(because) }
  if (asked.accepted.length > 0 && accepted.length === 0) {
    return { ...constraint, asked: left('no value that is taken was found') }
  }
  const sides = { ...asked, accepted, refused }
  return { ...constraint, asked: besideOthers(own, sides, subject) }
}

function typeConstraint(subject: ConstraintSubject): Constraint | undefined {
  const { name, schema, sample, isText, inner } = subject
  const [type] = schema.types
  if (type === undefined || schema.keywords.enum || schema.keywords.const) return
  if (schema.types.length > 1) return severalTypes(subject)
  if (isText && !['integer', 'number', 'boolean'].includes(type)) return
  const isOfObjects = inner !== undefined && typeof inner.value === 'object'
  const others = type === 'array' ? [isOfObjects ? 'x' : {}] : untypedFor(type, sample)
  const nulls = nullFor(subject)
  const coerced = nullRefused(subject)
  const accepted = [...(isGuessed(schema) ? [] : ofType(subject)), ...nulls]
  const article = type === 'null' ? '' : /^[aeio]/.test(type) ? 'an ' : 'a '
  return {
    keyword: 'type',
    pointer: `${schema.pointer}/type`,
    documented: `${name} is ${article}${type}${nulls.length > 0 ? ', or null' : ''}`,
    asked: { form: 'sides', accepted, refused: others, ...(coerced && { coerced }) }
  }
}

/** That of one of some types, of which no other can be made: a list is no text. */
function severalTypes(subject: ConstraintSubject): Constraint | undefined {
  const { name, schema, sample, isText } = subject
  const refused = [{}, ['x']].filter((value) => violated(value, schema).includes('type'))
  if (isText || refused.length === 0) return
  const nulls = nullFor(subject)
  const all = [...schema.types, ...(nulls.length > 0 ? ['null'] : [])]
  return {
    keyword: 'type',
    pointer: `${schema.pointer}/type`,
    documented: `${name} is one of ${all.join(', ')}`,
    asked: { form: 'sides', accepted: [...given(sample), ...nulls], refused }
  }
}

/** What is of the type whatever its bounds: of at most one item none is, too. */
function ofType({ schema, sample, isText }: ConstraintSubject): unknown[] {
  const { minItems, maxItems } = schema.keywords
  const isEmpty = maxItems?.value === 1 && !(minItems?.value > 0) && !isText
  return isEmpty ? [[]] : given(sample)
}

function closedConstraint({ name, schema, sample }: ConstraintSubject): Constraint | undefined {
  const { additional } = schema
  if (additional?.value !== false || kindOf(schema) !== 'object' || schema.isPartial) return
  const more = { ...(sample?.value as object), 'plimsoll-extra': 'x' }
  return {
    keyword: slug(additional.pointer.split('/').at(-1)!),
    pointer: additional.pointer,
    documented: `${name} has no fields but those that are documented`,
    asked: { form: 'sides', accepted: given(sample), refused: sample ? [more] : [] }
  }
}
