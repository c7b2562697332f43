import type { AnswerClauses } from '../scenario/answers.ts'
import { bodiesIn, headerClauses, headersIn, saysFormats } from './header-shapes.ts'
import { type ImportedOperation, successes } from './operations.ts'
import type { Shapes } from './shapes.ts'
import { type ImportSource, pointerTo } from './source.ts'
import { createClauses, type WrittenClause } from './written-clause.ts'

/** Clauses that are written, of one source. */
export type ClauseList = {
  source: ImportSource
  shapes: Shapes
  idFor: (id: string) => string
  clauses: WrittenClause[]
}

/** The clauses about the answer to a valid request, which are put beside those that there are. */
export function answerClauses(
  { source, shapes, idFor, clauses }: ClauseList,
  operation: ImportedOperation
): AnswerClauses {
  const found = successes(operation)
  if (found.length === 0) return {}
  const write = createClauses(source, operation, idFor)
  const add = (
    id: string[],
    said: Pick<WrittenClause, 'kind' | 'documented' | 'derived'>,
    pointer: string
  ) => {
    const clause = write(['answers', ...id], said, pointer)
    clauses.push(clause)
    return clause.id
  }
  const usual = 'default' in operation.responses ? ', or as by default' : ''
  const statuses = `${found.map(([status]) => status).join(', ')}${usual}`
  const at = pointerTo(operation.pointer, 'responses')
  const status = `a valid request is answered with ${statuses}`
  const ids: AnswerClauses = {
    status: add(['status'], { kind: 'operation', documented: status }, at)
  }
  const [, response] = found[0]!
  // The answer to a HEAD has none.
  const bodies =
    operation.method === 'HEAD' ? [] : found.flatMap(([, one]) => bodiesIn(shapes, one))
  const types = found.flatMap(([, { value }]) => Object.keys(Object(value.content)))
  if (types.length > 0) {
    const content = pointerTo(response.pointer, 'content')
    const said = `the answer is of ${[...new Set(types)].join(', ')}`
    ids.contentType = add(['content-type'], { kind: 'field', documented: said }, content)
    if (bodies.length > 0) {
      const documented = 'the answer has the documented shape'
      ids.body = add(['body'], { kind: 'field', documented }, content)
    }
  }
  const headers = found.map(([, one]) => headersIn(source, shapes, one))
  const ofHeaders = headerClauses(headers, shapes.defs, (id, documented, pointer) =>
    add(id, { kind: 'field', documented }, pointer)
  )
  if (saysFormats(bodies, headers.flat(), shapes)) {
    const documented = 'what the answer says is of the documented formats'
    // For JSON Schema a format is an annotation.
    ids.format = add(['format'], { kind: 'field', documented, derived: true }, response.pointer)
  }
  return { ...ids, ...ofHeaders }
}
