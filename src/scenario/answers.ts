import type { Reply } from '../client/reply.ts'
import type { Context } from './context.ts'
import type { DocumentedAnswer, Operation } from './operation.ts'
import type { Judge } from './scenario.ts'

/** Ids of the clauses about the answer to a valid request, as far as there are any. */
export type AnswerClauses = {
  /** Its status is one of those that are documented. */
  status?: string
  /** It is of a content type that is documented for its status. */
  contentType?: string
  /** It has these headers, by name. */
  headers?: Record<string, string>
  /** Its body has the documented shape. */
  body?: string
}

/** More of a body than this is not kept, and cannot be judged. */
const keptBytes = 65_536

/** What is documented for a status: by itself, by its class, by default. */
function documentedFor(
  { answers = {} }: Operation,
  { status }: Reply
): DocumentedAnswer | undefined {
  const own = [String(status), `${String(status)[0]}XX`, 'default']
  return own.flatMap((name) => (Object.hasOwn(answers, name) ? answers[name]! : []))[0]
}

const essence = (type = '') => type.split(';')[0]!.trim().toLowerCase()

/** Whether a content type is one of a range: `application/*`. */
function isOf(type: string, range: string): boolean {
  const [wanted, got] = [essence(range), essence(type)]
  return (
    wanted === got ||
    wanted === '*/*' ||
    (wanted.endsWith('/*') && got.startsWith(wanted.slice(0, -1)))
  )
}

/** Holds the answer to the valid request against what is documented. */
export async function judgeAnswer(
  operation: Operation,
  clauses: AnswerClauses,
  context: Context & Judge
): Promise<void> {
  const reply = await operation.insist(context)
  const { verify } = context
  const answer = documentedFor(operation, reply)
  const known = Object.keys(operation.answers ?? {}).join(', ')
  if (clauses.status !== undefined) {
    verify(
      clauses.status,
      { holds: answer !== undefined, saw: `${reply.because} of ${known}` },
      reply
    )
  }
  if (answer === undefined) return
  const type = reply.headers['content-type'] ?? ''
  const ranges = Object.keys(answer.content ?? {})
  const range = ranges.find((one) => isOf(type, one))
  if (clauses.contentType !== undefined && ranges.length > 0) {
    verify(clauses.contentType, { holds: range !== undefined, saw: `"${type}"` }, reply)
  }
  for (const [name, clause] of Object.entries(clauses.headers ?? {})) {
    if (!answer.headers?.includes(name)) continue
    const value = reply.headers[name]
    verify(
      clause,
      { holds: value !== undefined, saw: `${name}: ${value ?? 'is not there'}` },
      reply
    )
  }
  // That of another content type is that clause's matter.
  if (clauses.body === undefined || range === undefined || !/[/+]json\b/.test(essence(type))) return
  if (reply.json === undefined && reply.received > keptBytes) return
  const shape = answer.content![range]!
  // A validator takes longer to load than most scenarios that need none.
  const { shapeFault } = await import('./shape.ts')
  const fault =
    reply.json === undefined ? 'it is no JSON' : shapeFault(reply.json, shape, operation.defs)
  verify(clauses.body, { holds: fault === undefined, saw: fault ?? 'as documented' }, reply)
}
