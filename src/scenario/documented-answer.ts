import type { Reply } from '../client/reply.ts'
import type { ShapeSchema } from './formats.ts'

/** What an operation may be answered with. */
export type DocumentedAnswer = {
  /** Its headers by name in lower case, with the shape of the value; a list says but the names. */
  headers?: readonly string[] | Record<string, ShapeSchema>
  /** By content type the shape of it. */
  content?: Record<string, ShapeSchema>
}

/** Answers by status, by class (2XX), or by default. */
export type DocumentedAnswers = Record<string, DocumentedAnswer>

/** What is documented for the status of a reply: by itself, or by its class. */
export function documentedFor(
  answers: DocumentedAnswers,
  { status }: Pick<Reply, 'status'>
): DocumentedAnswer | undefined {
  const own = [String(status), `${String(status)[0]}XX`]
  return own.flatMap((name) => (Object.hasOwn(answers, name) ? answers[name]! : []))[0]
}

/** The headers of an answer with the shapes of their values. */
export function headersOf({ headers = {} }: DocumentedAnswer): Record<string, ShapeSchema> {
  if (!Array.isArray(headers)) return headers as Record<string, ShapeSchema>
  return Object.fromEntries(headers.map((name) => [name, true]))
}
