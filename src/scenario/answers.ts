import type { Reply } from '../client/reply.ts'
import type { Context } from './context.ts'
import type { DocumentedAnswer, Operation } from './operation.ts'
import type { Judge, Seen } from './scenario.ts'
import type { ShapeSchema } from './shape.ts'

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

/** What is documented for a status: by itself, or by its class. */
function documentedFor(
  { answers = {} }: Operation,
  { status }: Reply
): DocumentedAnswer | undefined {
  const own = [String(status), `${String(status)[0]}XX`]
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
  const isUsed = (status: string) => !/^4/.test(status)
  const known = Object.keys(operation.answers ?? {})
    .filter(isUsed)
    .join(', ')
  const isStatus = answer === undefined ? await isUsual(operation, reply) : true
  if (clauses.status !== undefined && isStatus !== undefined) {
    verify(clauses.status, { holds: isStatus, saw: `${reply.because} of ${known}` }, reply)
  }
  if (answer === undefined) return
  const type = reply.headers['content-type'] ?? ''
  const ranges = Object.keys(answer.content ?? {})
  const range = rangeOf(answer, reply)
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
  if (clauses.body === undefined || range === undefined) return
  const found = await bodyFinding(operation, answer.content![range]!, reply)
  if (found !== undefined) verify(clauses.body, found, reply)
}

/**
 * Whether an answer is of a content type that is documented for it and has the shape of that;
 * undefined where the latter cannot be told.
 */
export async function answerFinding(
  operation: Operation,
  answer: DocumentedAnswer,
  reply: Reply
): Promise<Seen | undefined> {
  const range = rangeOf(answer, reply)
  const type = reply.headers['content-type'] ?? ''
  if (range === undefined) return { holds: false, saw: `it is of "${type}"` }
  return bodyFinding(operation, answer.content![range]!, reply)
}

/** The documented content type that an answer is of. */
function rangeOf({ content = {} }: DocumentedAnswer, { headers }: Reply): string | undefined {
  return Object.keys(content).find((one) => isOf(headers['content-type'] ?? '', one))
}

/** Whether a body has a shape; undefined where it is no JSON by its type, or cannot be told. */
async function bodyFinding({ defs }: Operation, shape: ShapeSchema, reply: Reply) {
  if (!/[/+]json\b/.test(essence(reply.headers['content-type']))) return
  if (reply.json === undefined) {
    return reply.received > keptBytes ? undefined : { holds: false, saw: 'it is no JSON' }
  }
  // A validator takes longer to load than most scenarios that need none.
  const { shapeFinding } = await import('./shape.ts')
  return shapeFinding(reply.json, shape, defs)
}

/**
 * Whether an answer of a status that is not named is one that is documented by default; undefined
 * where that cannot be told.
 */
async function isUsual(operation: Operation, reply: Reply): Promise<boolean | undefined> {
  const { default: usual } = operation.answers ?? {}
  if (usual === undefined) return false
  // The answer to a HEAD has no body.
  if (operation.method === 'HEAD' || Object.keys(usual.content ?? {}).length === 0) return true
  const range = rangeOf(usual, reply)
  if (range === undefined) return false
  if (!/[/+]json\b/.test(essence(range))) return true
  return (await bodyFinding(operation, usual.content![range]!, reply))?.holds
}
