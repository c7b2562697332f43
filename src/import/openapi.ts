import { posix } from 'node:path'
import { createIds } from '../scenario/clause-id.ts'
import { createClauses, requestPlan, type WrittenClause } from './clauses.ts'
import { code, inComment } from './code.ts'
import { type ImportedOperation, kebab, type Operations, operationsOf } from './operations.ts'
import { clausesFile, type Files } from './project.ts'
import { rateOf } from './rates.ts'
import {
  type AnswerClauseIds,
  type CredentialClause,
  isAskable,
  type OperationPlan,
  type RateClause,
  scenarioFiles
} from './scenario-files.ts'
import { flat, followed, RemoteReference } from './schema.ts'
import { createShapes, type Shapes } from './shapes.ts'
import { type ImportSource, pointerTo } from './source.ts'

/** What an import comes to. */
export type Imported = {
  files: Files
  clauses: WrittenClause[]
  operations: number
  /** What is not asked about, and why, each with how often. */
  left: Map<string, number>
  /** Headers by which somebody is let in, with the name of the scheme. */
  identities: Map<string, string>
}

/** With so many, a part of the document is meant. */
const mostClauses = 50_000

type Import = {
  source: ImportSource
  shapes: Shapes
  idFor: (id: string) => string
  clauses: WrittenClause[]
  left: Map<string, number>
}

const count = (left: Map<string, number>, why: string) => left.set(why, (left.get(why) ?? 0) + 1)

/** What an OpenAPI document states as clauses and scenarios; throws an Error that says why not. */
export function importOpenApi(source: ImportSource, folder: string): Imported {
  const { operations, left: lost } = operationsOf(source)
  const left = new Map(lost.map((why) => [why, 1]))
  const clauses: WrittenClause[] = []
  const own = { shapes: createShapes(source), idFor: createIds() }
  const whole: Import = { source, clauses, left, ...own }
  const makers = makersAmong(source, operations)
  const files: Files = {}
  for (const operation of operations) {
    const tell = (why: string) => count(left, `${operation.path}: ${why}`)
    const plan = unlessRemote(() => planOf(whole, operation), tell)
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
  files[posix.join(folder, '_schemas.json')] =
    `${JSON.stringify({ $defs: whole.shapes.defs }, null, 2)}\n`
  files[posix.join(folder, 'clauses.json')] = clausesFile(folder, clauses)
  return { files, clauses, operations: operations.length, left, identities: headersOf(operations) }
}

/** What is made of a document, unless that takes another one, which is never fetched. */
function unlessRemote<Result>(
  make: () => Result,
  tell?: (why: string) => void
): Result | undefined {
  try {
    return make()
  } catch (cause) {
    if (!(cause instanceof RemoteReference)) throw cause
    tell?.(`${cause.message}, which is not fetched`)
    return undefined
  }
}

function headersOf(operations: Operations['operations']): Map<string, string> {
  const schemes = operations.flatMap(({ security }) => security)
  return new Map(
    schemes.flatMap((one) => (one.in === 'header' ? [[one.parameter.toLowerCase(), one.name]] : []))
  )
}

function planOf(whole: Import, operation: ImportedOperation): OperationPlan {
  const { source, idFor, clauses, left } = whole
  const request = requestPlan(source, operation, idFor)
  const asked = request.clauses.filter((one) => {
    if (one.asked.form === 'left') count(left, one.asked.because)
    return one.asked.form !== 'left'
  })
  clauses.push(...asked.map(({ clause }) => clause))
  const identities = credentialClauses(whole, operation)
  const answers = answerClauses(whole, operation)
  const rate = rateClause(whole, operation)
  return { operation, request: { ...request, clauses: asked }, identities, answers, rate }
}

function credentialClauses(whole: Import, operation: ImportedOperation): CredentialClause[] {
  const { source, idFor, clauses, left } = whole
  const { security, securityAt } = operation
  const [first] = security
  if (first === undefined || securityAt === undefined) return []
  if (security.some((one) => one.in !== 'header')) {
    count(left, 'a credential that is in no header')
    return []
  }
  const write = createClauses(source, operation, idFor)
  const texts = {
    none: 'nobody is let in without a credential',
    wrong: 'nobody is let in with a credential that is unknown',
    ...(first.scopes.length > 0 && {
      scope: `nobody is let in whose credential is not for ${first.scopes.join(', ')}`
    })
  }
  return Object.entries(texts).map(([kind, documented]) => {
    const clause = write(['auth', kind], { kind: 'rule', documented }, securityAt)
    clauses.push(clause)
    return { clause, kind: kind as CredentialClause['kind'] }
  })
}

const windowNames: Record<number, string> = { 1: 'second', 60: 'minute' }

function rateClause(whole: Import, operation: ImportedOperation): RateClause | undefined {
  const { source, idFor, clauses, left } = whole
  const rate = rateOf(operation)
  if (rate === undefined) return
  if (!isAskable(rate)) {
    count(left, 'a rate of a window above a minute, or of more than 10,000 requests')
    return
  }
  const write = createClauses(source, operation, idFor)
  const { requests, seconds, pointer } = rate
  const unit = `requests/${windowNames[seconds] ?? `${seconds} s`}`
  const clause = write(['rate'], { kind: 'limit', documented: String(requests), unit }, pointer)
  clauses.push(clause)
  return { clause, rate }
}

/** Responses that a valid request may come to, by status. */
const successes = ({ responses }: ImportedOperation) =>
  Object.entries(responses).filter(([status]) => /^2/.test(status))

function answerClauses(whole: Import, operation: ImportedOperation): AnswerClauseIds {
  const { source, idFor, clauses } = whole
  const found = successes(operation)
  if (found.length === 0) return {}
  const write = createClauses(source, operation, idFor)
  const add = (id: string[], kind: 'operation' | 'field', documented: string, pointer: string) => {
    const clause = write(['answers', ...id], { kind, documented }, pointer)
    clauses.push(clause)
    return clause.id
  }
  const statuses = found.map(([status]) => status).join(', ')
  const at = pointerTo(operation.pointer, 'responses')
  const ids: AnswerClauseIds = {
    status: add(['status'], 'operation', `a valid request is answered with ${statuses}`, at)
  }
  const [, response] = found[0]!
  const types = found.flatMap(([, { value }]) => Object.keys(Object(value.content)))
  if (types.length > 0) {
    const content = pointerTo(response.pointer, 'content')
    const said = `the answer is of ${[...new Set(types)].join(', ')}`
    ids.contentType = add(['content-type'], 'field', said, content)
    const isJson = found.some(([, { value }]) =>
      Object.entries<any>(Object(value.content)).some(
        ([type, media]) => /[/+]json\b/.test(type) && media?.schema !== undefined
      )
    )
    // The answer to a HEAD has none.
    if (isJson && operation.method !== 'HEAD') {
      ids.body = add(['body'], 'field', 'the answer has the documented shape', content)
    }
  }
  const required = Object.entries<any>(Object(response.value.headers)).filter(([name, value]) => {
    const from = { value, pointer: pointerTo(response.pointer, 'headers', name) }
    return Object(unlessRemote(() => followed(source, from))?.value).required === true
  })
  if (required.length > 0) {
    ids.headers = Object.fromEntries(
      required.map(([name]) => {
        const pointer = pointerTo(response.pointer, 'headers', name)
        const id = add(['header', kebab(name)], 'field', `the answer has ${name}`, pointer)
        return [name.toLowerCase(), id]
      })
    )
  }
  return ids
}

type Maker = { by: string; field: string; parameter: string; removal?: string }

/** What makes the things that operations are about, by path: `/pets/{petId}`. */
function makersAmong(
  source: ImportSource,
  operations: Operations['operations']
): Map<string, Maker> {
  const makers = new Map<string, Maker>()
  const items = operations.flatMap(({ path }) => /^(.*)\/\{([^}/]+)\}$/.exec(path) ?? [])
  for (let index = 0; index < items.length; index += 3) {
    const [path, parent, parameter] = items.slice(index, index + 3) as [string, string, string]
    const post = operations.find((one) => one.method === 'POST' && one.path === parent)
    const field = post && unlessRemote(() => idIn(source, post, parameter))
    if (field === undefined) continue
    const isRemoved = operations.some((one) => one.method === 'DELETE' && one.path === path)
    const removal = isRemoved && !parent.includes('{') ? `DELETE ${parent}/{${field}}` : undefined
    makers.set(path, { by: post!.name, field, parameter, removal })
  }
  return makers
}

/** The field of the answer to a making that names what was made. */
function idIn(
  source: ImportSource,
  post: ImportedOperation,
  parameter: string
): string | undefined {
  const [answer] = successes(post)
  const content = Object.entries<any>(Object(answer?.[1].value.content))
  const json = content.find(([type]) => /[/+]json\b/.test(type))
  if (answer === undefined || json === undefined) return
  const pointer = pointerTo(answer[1].pointer, 'content', json[0], 'schema')
  const { properties } = flat(source, { value: json[1].schema ?? {}, pointer })
  return [parameter, 'id', 'uuid'].find((name) => Object.hasOwn(properties, name))
}

function requestFile(
  { source, shapes }: Import,
  { operation, request }: OperationPlan,
  makers: Map<string, Maker>
): string {
  const { name, method, path, body, pointer, value } = operation
  const own = [...makers.values()].find(({ by }) => by === name)
  const maker = [...makers].find(([item]) => path === item || path.startsWith(`${item}/`))?.[1]
  const make = maker && { by: maker.by, take: { [`path.${maker.parameter}`]: maker.field } }
  const unknown = request.unknown
  const fields = {
    ...{ name, method, path },
    valid: request.valid,
    ...(Object.keys(request.optional).length > 0 && { optional: request.optional }),
    ...(body && body.contentType !== 'application/json' && { contentType: body.contentType }),
    ...(unknown.length > 0 && { unknown }),
    ...(make && unknown.length > 0 && { make }),
    ...(own?.removal !== undefined && { remove: own.removal }),
    ...(request.missing !== undefined && { missing: request.missing }),
    answers: answersOf(shapes, operation)
  }
  const said = inComment(typeof value.summary === 'string' ? `: ${value.summary}` : '')
  const place = `${source.file}:${source.lineOf(pointer)}`
  const lines = Object.entries(fields).map(
    ([key, one]) => `  ${key}: ${code(one, 2, key.length + 4)},`
  )
  return `import { operation } from 'plimsoll'
import schemas from '../_schemas.json' with { type: 'json' }

/** ${inComment(`${method} ${path}, ${place}`)}${said} */
export const request = operation({
${lines.join('\n')}
  samples: new URL('../samples.yaml', import.meta.url),
  defs: schemas.$defs
})
`
}

function answersOf(shapes: Shapes, operation: ImportedOperation): object {
  return Object.fromEntries(
    successes(operation).map(([status, { value, pointer }]) => {
      const headers = Object.keys(Object(value.headers)).map((name) => name.toLowerCase())
      const content = Object.entries<any>(Object(value.content)).map(([type, media]) => {
        const at = pointerTo(pointer, 'content', type, 'schema')
        return [type, shapes.of({ value: media?.schema ?? true, pointer: at })]
      })
      return [
        status.toUpperCase(),
        {
          ...(headers.length > 0 && { headers }),
          ...(content.length > 0 && { content: Object.fromEntries(content) })
        }
      ]
    })
  )
}
