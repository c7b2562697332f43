import type { Reply } from '../client/reply.ts'
import type { Context } from './context.ts'
import { type DocumentedAnswer, documentedFor, headersOf } from './documented-answer.ts'
import type { ShapeSchema } from './formats.ts'
import { type HeaderFinding, headerFindings } from './header-answers.ts'
import type { Operation } from './operation.ts'
import type { Judge, Seen } from './scenario.ts'
import type { FormatsHeld } from './shape.ts'

/** Ids of the clauses about the answer to a valid request, as far as there are any. */
export type AnswerClauses = {
  /** Its status is one of those that are documented. */
  status?: string
  /** It is of a content type that is documented for its status. */
  contentType?: string
  /** Its body has the documented shape. */
  body?: string
  /** What is in its body and its headers is of the formats that are documented. */
  format?: string
} & HeaderClauses

/** Ids of the clauses about headers of an answer, by their names in lower case. */
export type HeaderClauses = {
  /** It has these. */
  headers?: Record<string, string>
  /** The value of these has the documented shape, where they come. */
  headerShapes?: Record<string, string>
}

/** More of a body than this is not kept, and cannot be judged. */
const keptBytes = 65_536

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
  const answer = documentedFor(operation.answers ?? {}, reply)
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
  for (const [clause, seen] of await headerLooks(operation, clauses, { answer, reply })) {
    if (seen === undefined) context.observe(clause, 'it did not come', reply)
    else verify(clause, seen, reply)
  }
  // That of another content type is that clause's matter.
  const found = await shapedAs(operation, { answer, reply }, 'none')
  if (clauses.body !== undefined && found !== undefined) verify(clauses.body, found, reply)
  if (clauses.format === undefined) return
  const formatted = await formatLook(operation, { answer, reply })
  if (formatted !== undefined) verify(clauses.format, formatted, reply)
  else context.observe(clauses.format, 'nothing can be told of its formats', reply)
}

/** Whether the body of an answer is of the shape that its content type has; else undefined. */
async function shapedAs(
  operation: Operation,
  { answer, reply }: Answered,
  formats: FormatsHeld
): Promise<Seen | undefined> {
  const range = rangeOf(answer, reply)
  if (range === undefined) return
  return bodyFinding(operation, answer.content![range]!, { reply, formats })
}

/** An answer, and what is documented for its status. */
type Answered = { answer: DocumentedAnswer; reply: Reply }

/** What is seen of the headers of an answer, by clause; undefined of those that did not come. */
export async function headerLooks(
  { defs }: Operation,
  { headers = {}, headerShapes = {} }: HeaderClauses,
  { answer, reply }: Answered
): Promise<[clause: string, seen: Seen | undefined][]> {
  const known = headersOf(answer)
  const there = Object.entries(headers).flatMap(([name, clause]): [string, Seen][] => {
    if (!Object.hasOwn(known, name)) return []
    const value = reply.headers[name]
    const saw = `${name}: ${value ?? 'is not there'}`
    return [[clause, { holds: value !== undefined, saw }]]
  })
  const found = await headerFindings(answer, reply, { defs, formats: 'none' })
  const shaped = Object.entries(headerShapes).flatMap(
    ([name, clause]): [string, Seen | undefined][] => {
      if (!Object.hasOwn(known, name)) return []
      const own = found.find((one) => one.name === name)
      const isTold = own !== undefined || reply.headers[name] === undefined
      return isTold ? [[clause, own && { holds: own.holds, saw: `${name}: ${own.saw}` }]] : []
    }
  )
  return [...there, ...shaped]
}

/**
 * Whether all that an answer says is of its documented formats; undefined where none is told, or it
 * has not the documented shape.
 */
export async function formatLook(
  operation: Operation,
  { answer, reply }: Answered
): Promise<Seen | undefined> {
  const { defs } = operation
  if ((await shapedAs(operation, { answer, reply }, 'none'))?.holds === false) return
  const body = await shapedAs(operation, { answer, reply }, 'surely')
  const headers = await headerFindings(answer, reply, { defs, formats: 'surely' })
  const plain = await headerFindings(answer, reply, { defs, formats: 'none' })
  const isShaped = ({ name }: Pick<HeaderFinding, 'name'>) =>
    plain.some((one) => one.name === name && one.holds)
  const odd = headers.find((one) => !one.holds && isShaped(one))
  if (odd !== undefined) return { holds: false, saw: `${odd.name}: ${odd.saw}` }
  const [first] = headers
  return body ?? (first && { holds: true, saw: `${first.name}: ${first.saw}` })
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
  return bodyFinding(operation, answer.content![range]!, { reply, formats: 'none' })
}

/** The documented content type that an answer is of. */
function rangeOf({ content = {} }: DocumentedAnswer, { headers }: Reply): string | undefined {
  return Object.keys(content).find((one) => isOf(headers['content-type'] ?? '', one))
}

/** Whether a body has a shape; undefined where it is no JSON by its type, or cannot be told. */
async function bodyFinding(
  { defs }: Operation,
  shape: ShapeSchema,
  { reply, formats }: { reply: Reply; formats: FormatsHeld }
): Promise<Seen | undefined> {
  if (!/[/+]json\b/.test(essence(reply.headers['content-type']))) return
  if (reply.json === undefined) {
    return reply.received > keptBytes ? undefined : { holds: false, saw: 'it is no JSON' }
  }
  // A validator takes longer to load than most scenarios that need none.
  const { shapeFinding } = await import('./shape.ts')
  return shapeFinding(reply.json, shape, defs, formats)
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
  return (await bodyFinding(operation, usual.content![range]!, { reply, formats: 'none' }))?.holds
}
