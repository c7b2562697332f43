import { requestPlan } from '../../src/import/clauses.ts'
import { type Imported, importOpenApi } from '../../src/import/openapi.ts'
import { operationsOf } from '../../src/import/operations.ts'
import { parseSource } from '../../src/import/source.ts'

/** What is written of a document. */
export const imported = (text: string) => importOpenApi(parseSource(text, 'api.yaml'), 'limits')

/** What JSON has as an object. */
export type Fields = Record<string, unknown>

/** The same of its paths alone. */
export const paths = (given: Fields, components: Fields = {}, openapi = '3.1.0') =>
  imported(JSON.stringify({ openapi, paths: given, components }))

/** A body of JSON. */
export const json = (schema: unknown) => ({ 'application/json': { schema } })

/** What is written of one operation with such a body. */
export const posted = (schema: unknown, components: Fields = {}, openapi = '3.1.0') => {
  const requestBody = { required: true, content: json(schema) }
  return paths(
    { '/a': { post: { operationId: 'a', requestBody, responses: {} } } },
    components,
    openapi
  )
}

/** What is written where a body has one field, which may be left out. */
export const field = (schema: unknown, ...more: [components?: Fields, openapi?: string]) =>
  posted({ type: 'object', properties: { x: schema } }, ...more)

/** The ids of the clauses. */
export const ids = ({ clauses }: Imported) => clauses.map(({ id }) => id)

/** Responses of which nothing is asked but the status. */
export const ok = { responses: { 204: { description: 'done' } } }

/** What is written, by file. */
export const files = (found: Imported) => found.files as Record<string, string>

/** The file that says how the operation is asked. */
export const requestOf = (found: Imported) => files(found)['limits/a/_request.ts']!

/** What is asked of a field `x`, by keyword. */
export const askedOf = (schema: unknown, openapi = '3.1.0') => {
  const requestBody = { content: json({ type: 'object', properties: { x: schema } }) }
  const value = { openapi, paths: { '/a': { post: { operationId: 'a', requestBody } } } }
  const source = parseSource(JSON.stringify(value), 'api.json')
  const { clauses } = requestPlan(source, operationsOf(source).operations[0]!)
  return Object.fromEntries(
    clauses.map(({ clause, asked }) => [clause.id.split('.').at(-1), asked])
  )
}
