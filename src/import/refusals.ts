import { absent, placeBelow } from '../scenario/place.ts'
import type { Provocation, RefusalClauses } from '../scenario/refusals.ts'
import type { ClauseList } from './answer-clauses.ts'
import { bodiesIn, headerClauses, headersIn, saysFormats } from './header-shapes.ts'
import { sentAt } from './how-asked.ts'
import { rangeOf } from './numbers.ts'
import { type ImportedOperation, successes } from './operations.ts'
import type { Parameter } from './parameters.ts'
import type { RequestClause } from './request-plan.ts'
import { type CredentialClause, shownOf } from './shown.ts'
import { type Located, pointerTo } from './source.ts'
import { isGood } from './violated.ts'
import { createClauses } from './written-clause.ts'

/** The clauses about refusals, by status, and what provokes those. */
export type RefusalPlan = {
  clauses: Record<string, RefusalClauses>
  provocations: Provocation[]
}

/** As many values are sent that are refused, each for another reason. */
const mostValues = 4
/** A larger value is not made for a refusal alone. */
const largest = 10_000

const reading = ['GET', 'QUERY']

/** A status, or a class of them, as answers have it. */
export const nameOf = (status: string): string =>
  status === 'default' ? status : status.toUpperCase()

/** Responses to what is refused whose shape is documented, by status as answers have it. */
export const refusalsOf = (operation: ImportedOperation): [string, Located][] => {
  const isUsual = successes(operation).length > 0
  return Object.entries(operation.responses).flatMap(([status, response]): [string, Located][] => {
    const isOne = /^4/.test(status) || (status === 'default' && isUsual)
    const isTold = isShaped(response) || Object.keys(Object(response.value.headers)).length > 0
    return isOne && isTold ? [[nameOf(status), response]] : []
  })
}

/** Whether a response has a body of which something is said. */
const isShaped = ({ value }: Located) =>
  Object.entries<any>(Object(value.content)).some(
    ([type, one]) => /[/+]json\b/.test(type) && one?.schema
  )

/** What an operation is asked, of which a refusal may be provoked. */
type Asked = { clauses: readonly RequestClause[]; identities: readonly CredentialClause[] }

/** The clauses about the refusals that are documented and can be provoked; undefined for none. */
export function refusalPlan(
  { source, shapes, idFor, clauses }: ClauseList,
  operation: ImportedOperation,
  asked: Asked
): RefusalPlan | undefined {
  if (operation.method === 'HEAD') return
  const by = provoking(operation, asked)
  const write = createClauses(source, operation, idFor)
  const ids: Record<string, RefusalClauses> = {}
  const used = new Set<Provocation>()
  for (const [status, response] of refusalsOf(operation)) {
    const own = by.flatMap(([may, those]) =>
      may.includes(status) || /^(4XX|default)$/.test(status) ? those : []
    )
    if (own.length === 0) continue
    const named = /^\d+$/.test(status) ? `with ${status}` : `as ${status} has it`
    const add = (id: string[], documented: string, pointer: string, more = {}) => {
      const all = ['answers', status.toLowerCase(), ...id]
      const clause = write(all, { kind: 'field', documented, ...more }, pointer)
      clauses.push(clause)
      return clause.id
    }
    const types = Object.keys(Object(response.value.content)).join(', ')
    const shaped = `a refusal ${named} is of ${types} and has the documented shape`
    const content = pointerTo(response.pointer, 'content')
    const body = isShaped(response) ? add(['body'], shaped, content) : undefined
    const headers = headersIn(source, shapes, response)
    const ofHeaders = headerClauses([headers], shapes.defs, (id, said, pointer) =>
      add(id, `of a refusal ${named}: ${said}`, pointer)
    )
    const said = `what a refusal ${named} says is of the documented formats`
    const format = saysFormats(bodiesIn(shapes, response), headers, shapes)
      ? add(['format'], said, response.pointer, { derived: true })
      : undefined
    const all = { ...(body && { body }), ...ofHeaders, ...(format && { format }) }
    if (Object.keys(all).length === 0) continue
    for (const one of own) used.add(one)
    ids[status] = body !== undefined && Object.keys(all).length === 1 ? body : all
  }
  return used.size > 0 ? { clauses: ids, provocations: [...used] } : undefined
}

/** What provokes a refusal, with the statuses that it may be answered with. */
function provoking(
  operation: ImportedOperation,
  { clauses, identities }: Asked
): [statuses: string[], provocations: Provocation[]][] {
  const type = clauses.find(({ at }) => at === 'content-type')?.asked
  const [contentType, sent] = type?.form === 'sides' ? [type.refused[0], type.accepted[0]] : []
  const shown = (kind: 'none' | 'wrong') =>
    identities.some((one) => one.kind === kind) ? [{ shown: shownOf(operation, kind) }] : []
  const lost = reading.includes(operation.method) ? lostIn(operation) : undefined
  const changes = sent === undefined ? {} : { changes: { body: sent } }
  const typed = typeof contentType === 'string' ? [{ contentType, ...changes }] : []
  const scope = identities.flatMap((one) => (one.kind === 'scope' ? [{ lacking: one.shown }] : []))
  // Where 401 is documented as well, it is what is answered to somebody nobody knows.
  const unknown = '401' in operation.responses ? ['401'] : ['401', '403']
  return [
    [['400', '422'], valuesOf(clauses)],
    [['400', '406', '415'], typed],
    [unknown, [...shown('none'), ...shown('wrong')]],
    [['403'], scope],
    [['404', '410'], lost === undefined ? [] : [{ changes: lost }]]
  ]
}

/** Values that are refused, one of each keyword: what is missing first, then what is no value. */
function valuesOf(clauses: readonly RequestClause[]): Provocation[] {
  const found = new Map<string, Provocation>()
  for (const { clause, at, asked, listOfOne } of clauses) {
    if (/^(path|content-type)\b/.test(at) || listOfOne !== undefined || clause.derived) continue
    const keyword = clause.id.split('.').at(-1)!
    const value = asked.form === 'sides' ? asked.refused[0] : tooMuch(asked)
    if (value !== undefined && !found.has(keyword)) found.set(keyword, { changes: { [at]: value } })
  }
  const isMissing = ({ changes }: Provocation) => Object.values(changes!).includes(absent)
  const [first, others] = [true, false].map((is) =>
    [...found.values()].filter((one) => isMissing(one) === is)
  )
  return [...first!, ...others!].slice(0, mostValues)
}

function tooMuch(asked: RequestClause['asked']): unknown {
  if (asked.form !== 'limit') return
  const { max, resolution = 1, value } = asked
  const isSmall = value.kind === 'number' || max < largest
  return isSmall ? sentAt(value, max + resolution) : undefined
}

/** What names nothing, at the last parameter of a path; undefined where no such value is known. */
function lostIn({ path, parameters }: ImportedOperation): Record<string, unknown> | undefined {
  const [, name] = /\{([^}]+)\}[^{]*$/.exec(path) ?? []
  const last = parameters.find((one) => one.in === 'path' && one.name === name)
  const value = last && nameless(last)
  return value === undefined ? undefined : { [placeBelow('path', name!)]: value }
}

const strange = ['00000000-0000-4000-8000-00000000dead', 'plimsoll-none', 'zzzzzzzz', '99999999']

function nameless({ schema, odd }: Parameter): unknown {
  if (odd !== undefined || schema.choices.length > 0 || schema.unread !== undefined) return
  const { enum: listed, const: fixed, format } = schema.keywords
  if (listed || fixed) return
  const { most } = rangeOf(schema, true)
  const isWhole = schema.types.includes('integer')
  const numbers = isWhole ? [Number.isSafeInteger(most) ? most : 2_000_000_011] : []
  const isKnown = format === undefined || ['uuid', 'int32', 'int64'].includes(format.value)
  return isKnown ? [...numbers, ...strange].find((one) => isGood(one, schema)) : undefined
}
