import { absent, placeBelow, placesTo, valueAt } from '../scenario/place.ts'
import { askedIn } from './asked-in.ts'
import { alternativesOf, choiceConstraint, isDivided, type Rivals, rivalsOf } from './choices.ts'
import { constraintsOn } from './constraint.ts'
import { distinctIn } from './distinct.ts'
import { awayFromEnds, otherThanDefault, otherThanEnd } from './explicit.ts'
import {
  apart,
  type Fits,
  fitsAsItem,
  fitsAsMember,
  fitting,
  rivalsWithin,
  withMember
} from './fitting.ts'
import { isKeyOfRequest, noteTakes } from './fresh.ts'
import { changesTo, goingTogether, holderOf } from './holder.ts'
import type { Constraint, ConstraintSubject, HowAsked } from './how-asked.ts'
import { type LongList, longList, placeInLast } from './last-item.ts'
import { mayTake } from './may-take.ts'
import { type ImportedOperation, kebab } from './operations.ts'
import { type Relative, relativesIn } from './relatives.ts'
import type { RequestPlan } from './request-plan.ts'
import type { SampleValue } from './sample.ts'
import { type FlatSchema, flat, unsaid } from './schema.ts'
import type { ImportSource, Located } from './source.ts'
import { isPlain, kindOf } from './violated.ts'
import { createClauses } from './written-clause.ts'

/** So deep are bodies looked into. */
const deepest = 6
/** So many clauses an operation may have. */
export const mostClauses = 500
/** Why the others are not asked about. */
export const isBeyond = `an operation has more than ${mostClauses} clauses`

/** What the clauses of an operation are found with, and those that were. */
export type Walk = {
  source: ImportSource
  operation: ImportedOperation
  plan: RequestPlan
  idFor: (id: string) => string
  sampler: (schema: FlatSchema, named?: unknown) => SampleValue
  /** Places in the body that are required, and of which no value was found. */
  lacking: string[]
}

/** A value within a request, and the way to it. */
export type Spot = {
  at: string
  id: string[]
  name: string
  schema: FlatSchema
  sample: SampleValue
  /** Of an object that lacks something: the rest of it. */
  rest?: SampleValue
  isText: boolean
  isFilled: boolean
  isRequired?: boolean
  within: string[]
  listOfOne?: string
  /** The list of more than one that it is in, of which it is the first. */
  list?: LongList | undefined
  /** Of a number, or date, the places of others that it may have to be less than, or more. */
  related?: string[]
  /** What else of the valid request is another value, or absent, for it to be there. */
  beside?: Record<string, unknown>
  /** Whether what it is in takes a value there; where that asks nothing of it, undefined. */
  fits?: Fits
  /** Other alternatives of the choices that it is in, which may take a value there. */
  rivals: readonly Rivals[]
  /** Where the alternative of a choice stands that it is itself. */
  choice?: string
}

const isNumeric = ({ types }: FlatSchema) => types.includes('integer') || types.includes('number')

function add(
  { source, operation, plan, idFor }: Walk,
  { id, at, schema, sample, listOfOne, beside, related, fits, rivals, list }: Spot,
  { keyword, pointer, documented, unit, isAdvice, asked, also }: Constraint
): void {
  const write = createClauses(source, operation, idFor)
  const kind = asked.form === 'limit' || unit !== undefined ? 'limit' : 'rule'
  const said = { kind, documented, ...(unit !== undefined && { unit }) } as const
  const more = isAdvice ? { derived: true as const } : {}
  const clause = write([...id, keyword], { ...said, ...more }, pointer)
  const known = awayFromEnds(plan.valid, { at, schema, sample })
  const placed = (one: HowAsked) =>
    askedIn(id[0]!, operation, apart(fitting(known(one), fits), rivals))
  const other = also && placed(also)
  // What another alternative of a choice takes was told of the first item alone.
  const isLast = list !== undefined && beside === undefined && rivals.length === 0
  plan.clauses.push({
    ...{ clause, at, asked: placed(asked) },
    ...(other?.form === 'sides' && other.ends !== undefined && { also: other }),
    ...(beside !== undefined && { beside }),
    ...(isLast && { last: { at: placeInLast(at, list), beside: { [list.at]: list.value } } }),
    ...(related !== undefined && related.length > 0 && { related }),
    ...(listOfOne !== undefined && { listOfOne })
  })
}

/** The clause that a value has to be there. */
export function addRequired(walk: Walk, spot: Spot, pointer: string): void {
  const { name, sample } = spot
  const accepted = sample === undefined ? [] : [sample.value]
  const asked: HowAsked = { form: 'sides', accepted, refused: [absent] }
  add(walk, spot, { keyword: 'required', pointer, documented: `${name} is required`, asked })
}

/** Some services put in what is so by default, and hold that against their own limits. */
export function addExplicit(plan: RequestPlan, at: string, schema: FlatSchema): void {
  const other = otherThanDefault(schema)
  if (other !== undefined) plan.explicit[at] = other.value
}

/** So do some that draw the line one unit off, of what the document has at an end. */
export function addInner(plan: RequestPlan, at: string, schema: FlatSchema): void {
  const other = otherThanEnd(schema, valueAt(plan.valid, at))
  if (other !== undefined) plan.explicit[at] = other.value
}

/** The places of what a value may have to go with, of which it is noted what stands there then. */
export function relatedTo({ plan, sampler }: Walk, relatives: readonly Relative[]): string[] {
  for (const { at, schema, example } of relatives) {
    const sample = sampler(schema, example)
    if (sample !== undefined) plan.optional[at] ??= sample.value
  }
  return relatives.map(({ at }) => at)
}

/** Why nothing of a value is asked about; undefined where it is. */
function unasked({ plan }: Walk, { schema: { unread } }: Spot): string | undefined {
  if (plan.clauses.length > mostClauses) return isBeyond
  return unread && `what is said by ${unread}`
}

/** A value as constraints are about it, with what its items or members are. */
function subjectOf(
  { source, sampler }: Walk,
  spot: Spot,
  inner: FlatSchema | undefined
): ConstraintSubject {
  const item = inner === undefined ? { value: 'x' } : sampler(inner)
  const isUnique = spot.schema.keywords.uniqueItems?.value === true
  return {
    ...spot,
    inner: item,
    ...(isUnique && { distinct: distinctIn(inner ?? unsaid, { source, item: item?.value }) })
  }
}

/** All that is said of a value and of what is in it. */
export function visit(walk: Walk, spot: Spot): void {
  const { source, sampler, plan } = walk
  const { schema, within } = spot
  const isOpen = within.includes(schema.pointer) || within.length > deepest
  if (isOpen || schema.keywords.readOnly?.value === true) return
  const because = unasked(walk, spot)
  if (because !== undefined) {
    addLeft(walk, spot, because)
    return
  }
  const member = schema.items ?? (isSchema(schema.additional) ? schema.additional : undefined)
  const inner = member && flat(source, member)
  // Of what kind it is is said by the choice that it is in.
  const isSaid = schema.pointer === spot.choice && !isNumeric(schema)
  const subject = subjectOf(walk, spot, inner)
  for (const constraint of constraintsOn(subject)) {
    if (!isSaid || constraint.keyword !== 'type') add(walk, spot, constraint)
  }
  if (isDivided(source, schema)) {
    visitChoice(walk, spot)
    return
  }
  if ((spot.sample ?? spot.rest) === undefined) {
    addLeft(walk, spot, 'no valid value was found')
    return
  }
  const next = [...within, schema.pointer]
  if (kindOf(schema) === 'object') visitFields(walk, { ...spot, within: next })
  if (member === undefined || inner === undefined) return
  const isList = schema.items !== undefined
  // Written as text, a list has its items one after another, and nothing within those.
  if (spot.isText && !(isList && isPlain(inner))) return
  if (!isList && Object.keys(schema.properties).length > 0) return
  if (spot.sample === undefined) return
  if (spot.at !== 'body') plan.optional[spot.at] ??= spot.sample.value
  const mayBeEmpty = isList && !(schema.keywords.minItems?.value > 0)
  const isAlone = mayBeEmpty && schema.keywords.maxItems?.value === 1
  const one = sampler(inner)
  const [known = 'plimsoll'] = isList ? [] : Object.keys(Object(spot.sample.value))
  const place = placeBelow(spot.at, isList ? 0 : known)
  const sampled: unknown = spot.sample.value
  const rest = Array.isArray(sampled) ? sampled.slice(1) : []
  const asItem = (value: unknown) => [value, ...rest]
  // What is asked about within a member takes one that is there.
  if (!isList && one !== undefined) plan.optional[place] ??= one.value
  visit(walk, {
    at: place,
    ...{ listOfOne: isAlone ? spot.at : spot.listOfOne, beside: spot.beside },
    id: [...spot.id, isList ? 'items' : 'values'],
    name: `${isList ? 'an item' : 'a value'} of ${spot.name}`,
    ...{ schema: inner, sample: one, isText: spot.isText, isFilled: spot.isText },
    within: next,
    ...(isList && { fits: fitsAsItem(spot), list: longList(spot, { ...subject, inner: one }) }),
    rivals: rivalsWithin(spot.rivals, isList ? asItem : withMember(Object(sampled), known))
  })
}

/**
 * What is said of a choice: that it is one, and all that the alternative says which the sample is
 * of, as far as no other alternative takes what would be asked.
 */
function visitChoice(walk: Walk, spot: Spot): void {
  const { source, sampler } = walk
  const { schema, sample, within } = spot
  const all = alternativesOf(source, schema, sampler)
  const own = all?.find((one) => sample !== undefined && mayTake(source, one.schema, sample.value))
  if (all === undefined || own === undefined) {
    addLeft(walk, spot, 'what is said within a choice')
    return
  }
  const constraint = choiceConstraint(source, spot, all)
  if (constraint !== undefined) add(walk, spot, constraint)
  const rivals = [...spot.rivals, rivalsOf(source, spot, { all, own })]
  const next = { schema: own.schema, choice: own.schema.pointer, rivals, isRequired: false }
  visit(walk, { ...spot, ...next, within: [...within, schema.pointer] })
  const others = all.filter((one) => one !== own && kindOf(one.schema) === 'object')
  if (others.length > 0) addLeft(walk, spot, 'what is said by another alternative of a choice')
}

/** Leaves out, and tells why. */
export function addLeft(walk: Walk, spot: Spot, because: string): void {
  const { pointer } = spot.schema
  const asked: HowAsked = { form: 'left', because }
  add(walk, spot, { keyword: 'choice', pointer, documented: because, asked })
}

const isSchema = (at: Located | undefined) => at !== undefined && typeof at.value === 'object'

function visitFields(walk: Walk, spot: Spot): void {
  const { source, sampler, plan } = walk
  const { schema, sample, rest } = spot
  const usual = (sample ?? rest)!.value as Record<string, unknown>
  const going = goingTogether(walk, spot)
  if (going !== undefined) add(walk, spot, going)
  // What is asked about within a parameter takes one that is there.
  if (spot.at.startsWith('query') && sample) plan.optional[spot.at] ??= usual
  for (const [field, at] of Object.entries(schema.properties)) {
    const inner = flat(source, at)
    if (inner.keywords.readOnly?.value === true) continue
    const there = holderOf(walk, schema, { usual, field })
    const isThere = Object.hasOwn(usual, field)
    const isFull = Object.keys(usual).length >= (schema.keywords.maxProperties?.value ?? Infinity)
    if (!isThere && isFull) continue
    const place = placeBelow(spot.at, field)
    const isWhole = !walk.lacking.some((one) => placesTo(one).includes(place))
    const isHeld = there !== undefined && Object.hasOwn(there, field)
    const rest = isHeld ? { value: there[field] } : sampler(inner)
    const found = isWhole ? rest : undefined
    const next: Spot = {
      ...{ at: place, id: [...spot.id, kebab(field)], name: field, schema: inner, sample: found },
      ...{ rest, isText: spot.isText, isFilled: false, within: spot.within },
      ...{ isRequired: field in schema.required, listOfOne: spot.listOfOne, list: spot.list },
      ...{ fits: fitsAsMember(spot.fits, there ?? usual, field) },
      rivals: rivalsWithin(spot.rivals, withMember(there ?? usual, field))
    }
    if (there === undefined) {
      addLeft(walk, next, 'it goes together with no alternative of a choice')
      continue
    }
    const beside = { ...spot.beside, ...changesTo(there, { usual, field, at: spot.at }) }
    if (Object.keys(beside).length > 0) next.beside = beside
    const others = relativesIn(source, schema, { field, schema: inner, at: spot.at })
    next.related = relatedTo(walk, others)
    const isContainer = typeof found?.value === 'object' && found.value !== null
    if (!isThere && isContainer) plan.optional[place] = found.value
    if (isThere && spot.at === 'body' && isKeyOfRequest(field, inner, usual[field])) {
      plan.fresh.push(place)
    }
    const { [field]: required } = schema.required
    // Of a parameter without any field nothing is there, which may be so.
    const isAll = spot.at.startsWith('query') && Object.keys(usual).length === 1
    if (required && isAll && valueAt(plan.valid, spot.at) === undefined) {
      addLeft(walk, next, 'without its only field it would not be there')
    } else if (required) addRequired(walk, next, required.pointer)
    const isValid = valueAt(plan.valid, spot.at) !== undefined && next.beside === undefined
    if (isValid && !required) addExplicit(plan, place, inner)
    if (isValid && isThere) addInner(plan, place, inner)
    noteTakes(plan, place, inner)
    visit(walk, next)
  }
}
