import { type ImportedOperation, kebab, successes } from './operations.ts'
import { followed, unlessLost } from './references.ts'
import { type ImportSource, pointerTo } from './source.ts'
import { createClauses, type WrittenClause } from './written-clause.ts'

/** Ids of clauses about answers, by what they are about. */
export type AnswerClauseIds = {
  status?: string
  contentType?: string
  headers?: Record<string, string>
  body?: string
}

/** Clauses that are written, of one source. */
export type ClauseList = {
  source: ImportSource
  idFor: (id: string) => string
  clauses: WrittenClause[]
}

/** The clauses about the answer to a valid request, which are put beside those that there are. */
export function answerClauses(
  { source, idFor, clauses }: ClauseList,
  operation: ImportedOperation
): AnswerClauseIds {
  const found = successes(operation)
  if (found.length === 0) return {}
  const write = createClauses(source, operation, idFor)
  const add = (id: string[], kind: 'operation' | 'field', documented: string, pointer: string) => {
    const clause = write(['answers', ...id], { kind, documented }, pointer)
    clauses.push(clause)
    return clause.id
  }
  const usual = 'default' in operation.responses ? ', or as by default' : ''
  const statuses = `${found.map(([status]) => status).join(', ')}${usual}`
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
    return Object(unlessLost(() => followed(source, from))?.value).required === true
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
