import { posix } from 'node:path'
import { createIds } from '../scenario/clause-id.ts'
import { answerClauses } from './answer-clauses.ts'
import { requestPlan } from './clauses.ts'
import { leftOutFile, leftOutText } from './left-out.ts'
import { makersAmong } from './makers.ts'
import { type ImportedOperation, type Operations, operationsOf, type Scheme } from './operations.ts'
import { clausesFile, type Files } from './project.ts'
import { rateOf } from './rates.ts'
import { unlessLost } from './references.ts'
import { refusalPlan } from './refusals.ts'
import { requestFile } from './request-file.ts'
import { isAskable, type OperationPlan, type RateClause, scenarioFiles } from './scenario-files.ts'
import { scopeOf } from './scopes.ts'
import { placed } from './servers.ts'
import { createShapes, type Shapes } from './shapes.ts'
import { type CredentialClause, waysOf } from './shown.ts'
import type { ImportSource } from './source.ts'
import { assigned, type StatedRate, statedRates } from './stated-rates.ts'
import { createClauses, type WrittenClause } from './written-clause.ts'

/** What an import comes to. */
export type Imported = {
  files: Files
  clauses: WrittenClause[]
  operations: number
  /** What is not asked about, and why, each with how often. */
  left: Map<string, number>
  /** The clauses among it, by why. */
  leftAt: Map<string, string[]>
  /** Where somebody is let in by what is shown, with the name of the scheme; each place once. */
  identities: Map<string, Pick<Scheme, 'name' | 'in' | 'parameter'>>
  /** Where all of it is asked: the target's URL, with the path that the document's servers have. */
  url: string
  /** The first operation that only reads and needs nothing. */
  harmless?: { operation: string; url: string }
}

/** A rate that a header of an answer told of an operation: no document says so. */
export type SeenRate = {
  operation: string
  requests: number
  /** Undefined where the header tells no window. */
  seconds?: number
  /** The name of the header. */
  header: string
  /** What it said. */
  said: string
}

/** With so many, a part of the document is meant. */
const mostClauses = 50_000

type Import = {
  source: ImportSource
  shapes: Shapes
  idFor: (id: string) => string
  clauses: WrittenClause[]
  left: Map<string, number>
  leftAt: Map<string, string[]>
  /** Rates of another file, by the names of operations. */
  stated?: { source: ImportSource; by: Map<string, StatedRate> }
  seen?: SeenRate
}

const count = (left: Map<string, number>, why: string) => left.set(why, (left.get(why) ?? 0) + 1)

/**
 * What an OpenAPI document states as clauses and scenarios, for a service whose URL is `target`;
 * throws an Error that says why not.
 */
export function importOpenApi(
  source: ImportSource,
  folder: string,
  {
    rates,
    target = 'http://127.0.0.1:3000',
    seen
  }: { rates?: { source: ImportSource; plan?: string }; target?: string; seen?: SeenRate } = {}
): Imported {
  const { operations: all, left: lost } = operationsOf(source)
  const left = new Map(lost.map((why) => [why, 1]))
  const { base, own: bases, elsewhere } = placed(source, all, target)
  for (const { name, method, path } of all) {
    const place = elsewhere.get(name)
    if (place !== undefined) left.set(`${method} ${path}: it is at ${place}, not at the target`, 1)
  }
  const operations = all.flatMap((one) =>
    elsewhere.has(one.name) ? [] : { ...one, path: `${bases.get(one.name) ?? ''}${one.path}` }
  )
  const clauses: WrittenClause[] = []
  const leftAt = new Map<string, string[]>()
  const own = { shapes: createShapes(source), idFor: createIds(), leftAt }
  const stated = rates && {
    source: rates.source,
    by: assigned(statedRates(rates.source, rates.plan), all)
  }
  const whole: Import = { source, clauses, left, stated, seen, ...own }
  const makers = makersAmong(source, operations)
  const files: Files = {}
  for (const operation of operations) {
    const tell = (why: string) => count(left, `${operation.path}: ${why}`)
    const plan = unlessLost(() => planOf(whole, operation), tell)
    if (plan === undefined) continue
    if (clauses.length > mostClauses) {
      throw new Error(
        `${source.file} comes to more than ${mostClauses} clauses: import a part of it`
      )
    }
    const place = posix.join(folder, operation.name)
    files[posix.join(place, '_request.ts')] = requestFile(whole, plan, makers)
    for (const [name, text] of Object.entries(scenarioFiles(plan))) {
      files[posix.join(place, name)] = text
    }
  }
  tellUnasked(left, source, all)
  for (const pointer of source.odd) left.set(oddity(source, pointer), 1)
  for (const why of source.doubled()) left.set(why, 1)
  files[posix.join(folder, '_schemas.json')] =
    `${JSON.stringify({ $defs: whole.shapes.defs }, null, 2)}\n`
  files[posix.join(folder, 'clauses.json')] = clausesFile(folder, clauses)
  const url = `${new URL(target).origin}${base}`
  const identities = placesShown(operations)
  const first = operations.find(
    ({ method, path, parameters }) =>
      method === 'GET' && !path.includes('{') && !parameters.some(({ isRequired }) => isRequired)
  )
  const harmless = first && { operation: first.name, url: `${url}${first.path}` }
  const what = { clauses, operations: operations.length, left, leftAt, identities, url, harmless }
  files[posix.join(folder, leftOutFile)] = leftOutText(source.file, what)
  return { files, ...what }
}

/** Tells of what a document describes and is no request to the service. */
function tellUnasked(
  left: Map<string, number>,
  { value: { webhooks } }: ImportSource,
  operations: Operations['operations']
): void {
  const callbacks = operations.filter(({ value }) => value.callbacks !== undefined).length
  const counts = { webhooks: Object.keys(Object(webhooks)).length, callbacks }
  for (const [name, count] of Object.entries(counts)) {
    if (count > 0) left.set(`${name}: requests of the service, not to it`, count)
  }
}

/** What is said of a place that is not as the specification has it. */
function oddity({ file, lineOf }: ImportSource, pointer: string): string {
  const at = pointer.lastIndexOf('/')
  const name = pointer
    .slice(at + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  const parent = pointer.slice(0, at)
  return `${file}:${lineOf(pointer)}: ${name} of #${parent} is not as OpenAPI has it`
}

function placesShown(operations: Operations['operations']): Imported['identities'] {
  const schemes = operations.flatMap(({ security }) => security)
  return new Map(
    schemes.map(({ name, in: place, parameter: written }) => {
      const parameter = place === 'header' ? written.toLowerCase() : written
      return [`${place} ${parameter}`, { name, in: place, parameter }]
    })
  )
}

function planOf(whole: Import, operation: ImportedOperation): OperationPlan {
  const { source, idFor, clauses, left, leftAt } = whole
  const request = requestPlan(source, operation, idFor)
  const asked = request.clauses.filter(({ asked, clause }) => {
    if (asked.form !== 'left') return true
    const { because } = asked
    count(left, because)
    const places = leftAt.get(because) ?? []
    leftAt.set(because, places)
    places.push(`${clause.id} (line ${clause.lines})`)
    return false
  })
  clauses.push(...asked.map(({ clause }) => clause))
  const identities = credentialClauses(whole, operation)
  const answers = answerClauses(whole, operation)
  const refusals = refusalPlan(whole, operation, { clauses: asked, identities })
  const rate = rateClause(whole, operation)
  const plan = { operation, request: { ...request, clauses: asked }, identities, answers }
  return { ...plan, refusals, rate }
}

function credentialClauses(whole: Import, operation: ImportedOperation): CredentialClause[] {
  const { source, idFor, clauses, left } = whole
  const { security, securityAt } = operation
  if (securityAt === undefined) return []
  if (security.length === 0) {
    count(left, 'a way to be let in that no header shows')
    return []
  }
  const write = createClauses(source, operation, idFor)
  const add = (kind: CredentialClause['kind'], documented: string) => {
    const clause = write(['auth', kind], { kind: 'rule', documented }, securityAt)
    clauses.push(clause)
    return clause
  }
  const plain: CredentialClause[] = [
    { kind: 'none', clause: add('none', 'nobody is let in without a credential') },
    { kind: 'wrong', clause: add('wrong', 'nobody is let in with a credential that is unknown') },
    {
      kind: 'altered',
      clause: add('altered', 'nobody is let in with a part of a credential, or with more than it')
    }
  ]
  const ways = waysOf(operation)
  if (ways !== undefined) {
    const clause = add('part', 'nobody is let in with a part of what has to be shown together')
    plain.push({ kind: 'part', clause, ways })
  }
  if (!security.some(({ scopes }) => scopes.length > 0)) return plain
  if (security.some((one) => one.in !== 'header')) {
    count(left, 'a scope beside a credential that is in no header')
    return plain
  }
  const scope = scopeOf(operation)
  if (scope === undefined) {
    count(left, 'a scope where another way to be let in asks for none')
    return plain
  }
  const documented = `nobody is let in whose credential is not for ${scope.scopes.join(', or ')}`
  return [...plain, { kind: 'scope', clause: add('scope', documented), shown: scope.shown }]
}

const windowNames: Record<number, string> = { 1: 'second', 60: 'minute' }

function rateClause(whole: Import, operation: ImportedOperation): RateClause | undefined {
  const { idFor, clauses, left, stated } = whole
  const { rate: own, unread } = rateOf(operation)
  for (const pointer of unread) {
    const at = `${whole.source.file}:${whole.source.lineOf(pointer)}`
    count(left, `${at}: a rate that is said in a way that is not known, or beside another`)
  }
  const rate = own ?? stated?.by.get(operation.name)
  if (rate === undefined) return seenClause(whole, operation)
  const source = own ? whole.source : stated!.source
  if (!isAskable(rate)) {
    count(left, 'a rate of a window above a minute, or of more than 10,000 requests')
    return
  }
  const write = createClauses(source, operation, idFor)
  const { requests, seconds, pointer } = rate
  const said = { kind: 'limit', documented: String(requests), unit: perWindow(seconds) } as const
  const clause = write(['rate'], said, pointer)
  clauses.push(clause)
  return { clause, rate }
}

const perWindow = (seconds: number) => `requests/${windowNames[seconds] ?? `${seconds} seconds`}`

/** A candidate: what a header told. Without a window, or with a long one, nobody asks about it. */
function seenClause(
  { seen, clauses, idFor }: Import,
  { name, method, path }: ImportedOperation
): RateClause | undefined {
  if (seen?.operation !== name) return
  const { requests, seconds, header, said } = seen
  const clause: WrittenClause = {
    ...{ id: idFor(`${name}.rate`), kind: 'limit', documented: String(requests) },
    ...{ unit: seconds === undefined ? 'requests' : perWindow(seconds), derived: true },
    ...{ section: `${method} ${path}`, source: header },
    notes: `A candidate: seen in an answer, as ${header}: ${said}; no document says so`
  }
  clauses.push(clause)
  if (seconds === undefined || !isAskable({ requests, seconds })) return
  return { clause, rate: { requests, seconds, pointer: '' } }
}
