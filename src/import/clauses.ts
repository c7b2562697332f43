import { createIds } from '../scenario/clause-id.ts'
import { mayDelete } from '../scenario/operation.ts'
import { placeBelow } from '../scenario/place.ts'
import { isKeptIn } from './asked-in.ts'
import { isKeyOfRequest, noteTakes } from './fresh.ts'
import { left } from './keywords.ts'
import { type ImportedOperation, kebab } from './operations.ts'
import type { Parameter } from './parameters.ts'
import { relativesAmong } from './relatives.ts'
import type { RequestPlan } from './request-plan.ts'
import { createSampler, partialSample } from './sample.ts'
import { type ImportSource, located, pointerTo } from './source.ts'
import { kindOf } from './violated.ts'
import { withinWhole } from './whole.ts'
import {
  addExplicit,
  addInner,
  addLeft,
  addRequired,
  isBeyond,
  mostClauses,
  relatedTo,
  type Spot,
  visit,
  type Walk
} from './within.ts'
import { createClauses } from './written-clause.ts'

/** What a document says of the requests of an operation. */
export function requestPlan(
  source: ImportSource,
  operation: ImportedOperation,
  idFor = createIds()
): RequestPlan {
  const plan: RequestPlan = {
    ...{ clauses: [], valid: {}, optional: {}, explicit: {} },
    ...{ fresh: [], takes: {}, unknown: [], fixed: [], missing: {} }
  }
  const sampler = createSampler(source)
  const walk: Walk = { source, operation, plan, sampler, idFor, lacking: [] }
  for (const parameter of operation.parameters) addParameter(walk, parameter)
  addBody(walk)
  addCredentials(plan, operation)
  const [own, more] = [plan.clauses.slice(0, mostClauses), plan.clauses.slice(mostClauses)]
  const beyond = more.map((clause) => ({ ...clause, asked: left(isBeyond), also: undefined }))
  plan.clauses = [...withinWhole(source, operation, { ...plan, clauses: own }), ...beyond]
  return plan
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
    ...{ isText: true, isFilled: place !== 'query', within: [], rivals: [] },
    related: relatedTo(walk, relativesAmong(operation.parameters, parameter))
  }
  if (odd !== undefined) {
    addLeft(walk, spot, odd)
    return
  }
  if (!isRequired) addExplicit(plan, at, schema)
  else if (place !== 'path') addInner(plan, at, schema)
  if (isRequired && place !== 'path' && requiredAt !== undefined) {
    addRequired(walk, spot, requiredAt)
  }
  noteTakes(plan, at, schema)
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

const noneFound = 'no valid value was found in the document'

/** Methods of which a body is sent though it may be left out: many a service needs it then, too. */
const withBody = ['POST', 'PUT', 'PATCH', 'QUERY']

function addBody(walk: Walk): void {
  const { operation, plan, sampler, source, idFor } = walk
  const { body } = operation
  if (body === undefined) return
  const { schema, example, contentType, isRequired, pointer, content } = body
  const isForm =
    contentType === 'application/x-www-form-urlencoded' ||
    contentType.startsWith('multipart/form-data')
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
    ...{ rest, isText: isForm || isWords, isFilled: false, within: [], rivals: [] }
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
