import { createIds } from '../scenario/clause-id.ts'
import { mayDelete } from '../scenario/operation.ts'
import { absent, placeBelow, placesTo, type RequestParts, valueAt } from '../scenario/place.ts'
import { askedIn, isKeptIn } from './asked-in.ts'
import { constraintsOn, isCounted } from './constraint.ts'
import { otherThanDefault } from './explicit.ts'
import { isKeyOfRequest } from './fresh.ts'
import type { Constraint, ConstraintSubject, HowAsked } from './how-asked.ts'
import { type ImportedOperation, kebab } from './operations.ts'
import type { Parameter } from './parameters.ts'
import { createSampler, isPlain, kindOf, partialSample, type SampleValue } from './sample.ts'
import { type FlatSchema, flat } from './schema.ts'
import { type ImportSource, type Located, located, pointerTo } from './source.ts'
import { createClauses, type WrittenClause } from './written-clause.ts'

/** A clause about a value of a request, and how it is asked about. */
export type RequestClause = {
  clause: WrittenClause
  at: string
  asked: HowAsked
  /** The list that may have but one item, where it is about that item. */
  listOfOne?: string
}

/** What is known of the requests of an operation. */
export type RequestPlan = {
  clauses: RequestClause[]
  valid: Partial<RequestParts>
  optional: Record<string, unknown>
  /** By place: values other than those by default, of what may be left out. */
  explicit: Record<string, unknown>
  /** Places whose values have to be others in each request. */
  fresh: string[]
  /** Places whose values were made up. */
  unknown: string[]
  /** Places that take but some values, which the document lists. */
  fixed: string[]
  /** By place: what a valid request needs and is not known, and why. */
  missing: Record<string, string>
}

/** So deep are bodies looked into, and so many clauses an operation may have. */
const deepest = 6
const most = 500

type Walk = {
  source: ImportSource
  operation: ImportedOperation
  plan: RequestPlan
  idFor: (id: string) => string
  sampler: (schema: FlatSchema, named?: unknown) => SampleValue
  /** Places in the body that are required, and of which no value was found. */
  lacking: string[]
}

/** A value within a request, and the way to it. */
type Spot = {
  at: string
  id: string[]
  name: string
  schema: FlatSchema
  sample: SampleValue
  /** Of an object that lacks something: the rest of it. */
  rest?: SampleValue
  isText: boolean
  isFilled: boolean
  within: string[]
  listOfOne?: string
}

/** What a document says of the requests of an operation. */
export function requestPlan(
  source: ImportSource,
  operation: ImportedOperation,
  idFor = createIds()
): RequestPlan {
  const plan: RequestPlan = {
    ...{ clauses: [], valid: {}, optional: {}, explicit: {} },
    ...{ fresh: [], unknown: [], fixed: [], missing: {} }
  }
  const sampler = createSampler(source)
  const walk: Walk = { source, operation, plan, sampler, idFor, lacking: [] }
  for (const parameter of operation.parameters) addParameter(walk, parameter)
  addBody(walk)
  addCredentials(plan, operation)
  plan.clauses = plan.clauses.slice(0, most)
  return plan
}

function add(
  { source, operation, plan, idFor }: Walk,
  { id, at, listOfOne }: Pick<Spot, 'id' | 'at' | 'listOfOne'>,
  { keyword, pointer, documented, unit, isAdvice, asked }: Constraint
): void {
  const write = createClauses(source, operation, idFor)
  const kind = asked.form === 'limit' || unit !== undefined ? 'limit' : 'rule'
  const said = { kind, documented, ...(unit !== undefined && { unit }) } as const
  const more = isAdvice ? { derived: true as const } : {}
  const clause = write([...id, keyword], { ...said, ...more }, pointer)
  plan.clauses.push({
    ...{ clause, at, asked: askedIn(id[0]!, operation, asked) },
    ...(listOfOne !== undefined && { listOfOne })
  })
}

function addRequired(walk: Walk, spot: Spot, pointer: string): void {
  const { name, sample } = spot
  const accepted = sample === undefined ? [] : [sample.value]
  const asked: HowAsked = { form: 'sides', accepted, refused: [absent] }
  add(walk, spot, { keyword: 'required', pointer, documented: `${name} is required`, asked })
}

function addParameter(walk: Walk, parameter: Parameter): void {
  const { operation, plan, sampler } = walk
  const { name, in: place, isRequired, requiredAt, schema, example, odd } = parameter
  const found = odd === undefined ? sampler(schema, example) : undefined
  const sample = found && isKeptIn(place, found.value) ? found : undefined
  const at = placeBelow(place, name)
  if (isRequired && sample === undefined) plan.missing[at] = odd ?? noneFound
  const isKnown =
    example !== undefined ||
    ['example', 'examples', 'enum', 'const', 'default'].some(
      (keyword) => keyword in schema.keywords
    )
  if (isRequired && sample !== undefined) {
    plan.valid[place] = { ...plan.valid[place], [name]: sample.value }
    if (isKeyOfRequest(name, schema, sample.value)) plan.fresh.push(at)
  }
  // An example says what such a thing is, and not that it may be deleted.
  const isUnknown = !isKnown || mayDelete(operation.method)
  if (place === 'path' && isUnknown) plan.unknown.push(at)
  if ('enum' in schema.keywords || 'const' in schema.keywords) plan.fixed.push(at)
  const spot: Spot = {
    ...{ at, id: [place, kebab(name)], name, schema, sample },
    ...{ isText: true, isFilled: place !== 'query', within: [] }
  }
  if (odd !== undefined) {
    addLeft(walk, spot, odd)
    return
  }
  if (!isRequired) addExplicit(plan, at, schema)
  if (isRequired && place !== 'path' && requiredAt !== undefined) {
    addRequired(walk, spot, requiredAt)
  }
  visit(walk, spot)
}

/** What lets in and stands in no header is for samples.yaml to say, where nothing else lets in. */
function addCredentials(plan: RequestPlan, { demands }: ImportedOperation): void {
  const others = demands.map((all) => all.filter((scheme) => scheme.in !== 'header'))
  if (others.some((all) => all.length === 0)) return
  for (const { in: place, parameter } of others[0] ?? []) {
    plan.missing[placeBelow(place, parameter)] ??= 'a credential, by name among its parameters'
  }
}

/** Some services put in what is so by default, and hold that against their own limits. */
function addExplicit(plan: RequestPlan, at: string, schema: FlatSchema): void {
  const other = otherThanDefault(schema)
  if (other !== undefined) plan.explicit[at] = other.value
}

const noneFound = 'no valid value was found in the document'

/** Methods of which a body is sent though it may be left out: many a service needs it then, too. */
const withBody = ['POST', 'PUT', 'PATCH', 'QUERY']

function addBody(walk: Walk): void {
  const { operation, plan, sampler, source, idFor } = walk
  const { body } = operation
  if (body === undefined) return
  const { schema, example, contentType, isRequired, pointer, content } = body
  const isForm = contentType === 'application/x-www-form-urlencoded'
  const isWords = contentType === 'text/plain' && kindOf(schema) === 'string'
  const isAskable = isForm || isWords || /[/+]json\b/.test(contentType)
  const sample = isAskable ? sampler(schema, example) : undefined
  const { sample: rest, lacking } =
    sample === undefined && isAskable
      ? partialSample(source, { schema, named: example, at: 'body' })
      : { sample, lacking: isAskable ? [] : ['body'] }
  const isSent = isRequired || withBody.includes(operation.method)
  if (isRequired) {
    const why = isAskable ? noneFound : `a body of ${contentType}`
    for (const place of lacking) plan.missing[place] = why
  }
  const spot: Spot = {
    ...{ at: 'body', id: ['body'], name: 'the body', schema, sample },
    ...{ rest, isText: isForm || isWords, isFilled: false, within: [] }
  }
  const isLost = !isRequired && sample === undefined
  if (!isAskable || isLost) {
    addLeft(walk, spot, isAskable ? 'no valid value was found' : `a body of ${contentType}`)
    return
  }
  if (isSent && rest !== undefined) plan.valid.body = rest.value
  else if (sample !== undefined) plan.optional.body = sample.value
  walk.lacking = lacking
  if (isRequired) addRequired(walk, spot, pointerTo(pointer, 'required'))
  visit(walk, spot)
  const write = createClauses(source, operation, idFor)
  const types = Object.keys(Object(located(source, content)?.value))
  const said = { kind: 'rule', documented: `the body is of ${types.join(', ')}` } as const
  // Such a range takes what is asked about.
  if (types.some((type) => /^(\*|application)\/\*/.test(type))) return
  plan.clauses.push({
    clause: write(['body', 'content-type'], said, content),
    at: 'content-type',
    asked: {
      form: 'sides',
      accepted: isSent || sample === undefined ? [] : [sample.value],
      refused: ['application/x-plimsoll']
    }
  })
}

/** All that is said of a value and of what is in it. */
function visit(walk: Walk, spot: Spot): void {
  const { source, sampler, plan } = walk
  const { schema, within } = spot
  if (within.includes(schema.pointer) || within.length > deepest) return
  if (plan.clauses.length > most || schema.keywords.readOnly?.value === true) return
  const member = schema.items ?? (isSchema(schema.additional) ? schema.additional : undefined)
  const inner = member && flat(source, member)
  const subject: ConstraintSubject = {
    ...spot,
    inner: inner === undefined ? { value: 'x' } : sampler(inner),
    isItemVaried: inner === undefined || isCounted(inner)
  }
  for (const constraint of constraintsOn(subject)) add(walk, spot, constraint)
  const divided = isDivided(source, schema) ? 'what is said within a choice' : undefined
  if (divided !== undefined || (spot.sample ?? spot.rest) === undefined) {
    addLeft(walk, spot, divided ?? 'no valid value was found')
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
  visit(walk, {
    at: placeBelow(spot.at, isList ? 0 : 'plimsoll'),
    listOfOne: isAlone ? spot.at : spot.listOfOne,
    id: [...spot.id, isList ? 'items' : 'values'],
    name: `${isList ? 'an item' : 'a value'} of ${spot.name}`,
    ...{ schema: inner, sample: sampler(inner), isText: spot.isText, isFilled: spot.isText },
    within: next
  })
}

/** Whether a schema is not one but several, which differ in more than in what they require. */
function isDivided(source: ImportSource, { choices }: FlatSchema): boolean {
  return choices.some((choice) => {
    const { types, keywords, properties, items, choices: inner } = flat(source, choice)
    const isBare = types.length === 0 && items === undefined && inner.length === 0
    return !isBare || Object.keys({ ...keywords, ...properties }).length > 0
  })
}

function addLeft(walk: Walk, spot: Spot, because: string): void {
  const { pointer } = spot.schema
  const asked: HowAsked = { form: 'left', because }
  add(walk, spot, { keyword: 'choice', pointer, documented: because, asked })
}

const isSchema = (at: Located | undefined) => at !== undefined && typeof at.value === 'object'

function visitFields(walk: Walk, spot: Spot): void {
  const { source, sampler, plan } = walk
  const { schema, sample, rest } = spot
  const there = (sample ?? rest)!.value as Record<string, unknown>
  for (const [field, at] of Object.entries(schema.properties)) {
    const inner = flat(source, at)
    if (inner.keywords.readOnly?.value === true) continue
    const isThere = Object.hasOwn(there, field)
    const place = placeBelow(spot.at, field)
    const isWhole = !walk.lacking.some((one) => placesTo(one).includes(place))
    const rest = isThere ? { value: there[field] } : sampler(inner)
    const found = isWhole ? rest : undefined
    const next: Spot = {
      ...{ at: place, id: [...spot.id, kebab(field)], name: field, schema: inner, sample: found },
      ...{ rest, isText: spot.isText, isFilled: false, within: spot.within },
      listOfOne: spot.listOfOne
    }
    const isContainer = typeof found?.value === 'object' && found.value !== null
    if (!isThere && isContainer) plan.optional[place] = found.value
    if (isThere && spot.at === 'body' && isKeyOfRequest(field, inner, there[field])) {
      plan.fresh.push(place)
    }
    const { [field]: required } = schema.required
    if (required) addRequired(walk, next, required.pointer)
    else if (valueAt(plan.valid, spot.at) !== undefined) addExplicit(plan, place, inner)
    visit(walk, next)
  }
}
