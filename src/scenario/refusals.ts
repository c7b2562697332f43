import { isAnswered, type Reply } from '../client/reply.ts'
import { answerFinding, formatLook, type HeaderClauses, headerLooks } from './answers.ts'
import { isBlocked } from './blocked.ts'
import type { Context } from './context.ts'
import type { DocumentedAnswer } from './documented-answer.ts'
import { askShowing } from './letting-in.ts'
import type { Manner, Operation } from './operation.ts'
import type { Changes } from './request-parts.ts'
import { credentialsLacking } from './samples.ts'
import type { Judge, Seen } from './scenario.ts'
import { type Look, summary } from './summary.ts'

/** What the valid request is refused for: values, its content type, or what is shown with it. */
export type Provocation = {
  changes?: Changes
  contentType?: string
  /** By header, or by place such as `query.api_key`; undefined takes it away. */
  shown?: NonNullable<Manner['headers']>
  /** The header in which an identity of samples.yaml is shown that has none of these scopes. */
  lacking?: Lacking
}

type Lacking = {
  header: string
  /** Headers that are left out. */
  without: readonly string[]
  /** The scopes that let in, each list by itself. */
  ways: readonly (readonly string[])[]
}

/** Ids of the clauses about a refusal: of one, that of its body. */
export type RefusalClauses = string | ({ body?: string; format?: string } & HeaderClauses)

/** What is documented for the status of a refusal: by itself, by its class, or by default. */
const statusOf = ({ answers = {} }: Operation, { status }: Reply): string | undefined =>
  [String(status), '4XX', 'default'].find((name) => Object.hasOwn(answers, name))

/** What is shown by who lacks scopes; undefined where samples.yaml has nobody of the kind. */
async function shownBy(
  operation: Operation,
  { header, without, ways }: Lacking
): Promise<Provocation['shown']> {
  const samples = await operation.samples()
  try {
    const [limited] = credentialsLacking(ways, samples)
    return { ...Object.fromEntries(without.map((name) => [name, undefined])), [header]: limited }
  } catch (cause) {
    if (!isBlocked(cause)) throw cause
    return
  }
}

/** Those that say when and how often to ask, and nothing of what was asked. */
const beside = [407, 408, 421, 425, 429]

/** The ids of the clauses about a refusal. */
export function refusalIds(clauses: RefusalClauses): string[] {
  if (typeof clauses === 'string') return [clauses]
  const { body, format, headers = {}, headerShapes = {} } = clauses
  const ofHeaders = [headers, headerShapes].flatMap((one) => Object.values(one))
  return [body ?? [], ofHeaders, format ?? []].flat()
}

/** What is seen of a refusal, by clause; nothing of a header that need not be there and is not. */
async function looksAt(
  operation: Operation,
  clauses: RefusalClauses,
  { answer, reply }: { answer: DocumentedAnswer; reply: Reply }
): Promise<[clause: string, seen: Seen][]> {
  const own: Exclude<RefusalClauses, string> =
    typeof clauses === 'string' ? { body: clauses } : clauses
  const { body, format } = own
  const looks = await headerLooks(operation, own, { answer, reply })
  if (body !== undefined) looks.push([body, await answerFinding(operation, answer, reply)])
  if (format !== undefined) looks.push([format, await formatLook(operation, { answer, reply })])
  return looks.flatMap(([id, seen]): [string, Seen][] => (seen ? [[id, seen]] : []))
}

/**
 * Provokes refusals of an operation, and holds each that is documented for its status against the
 * content type, the shape and the headers that are documented, by clause. Of a status that did not
 * come, which is no fault, it says by which ones the request was refused instead.
 */
export async function judgeRefusals(
  operation: Operation,
  clauses: Readonly<Record<string, RefusalClauses>>,
  provocations: readonly Provocation[],
  context: Context & Judge
): Promise<void> {
  const valid = await operation.insist(context)
  const looks = new Map(
    Object.values(clauses).flatMap((one) =>
      refusalIds(one).map((id) => [id, [] as Look[]] as const)
    )
  )
  const came: string[] = []
  const seen = new Set<string>()
  for (const { changes = {}, contentType, lacking, ...more } of provocations) {
    const shown = lacking === undefined ? more.shown : await shownBy(operation, lacking)
    if (lacking !== undefined && shown === undefined) continue
    const reply = shown
      ? await askShowing(operation, shown, context)
      : await operation.ask(context, changes, { ...(contentType && { contentType }) })
    const isRefused = isAnswered(reply) && reply.status >= 400 && reply.status < 500
    if (!isRefused || beside.includes(reply.status)) continue
    came.push(String(reply.status))
    const status = statusOf(operation, reply) ?? ''
    if (!Object.hasOwn(clauses, status)) continue
    seen.add(status)
    const answer = operation.answers![status]!
    for (const [id, found] of await looksAt(operation, clauses[status]!, { answer, reply })) {
      looks.get(id)!.push({ asked: reply.because, ...found, reply })
    }
  }
  const instead = came.length > 0 ? [...new Set(came)].join(', ') : 'nothing'
  for (const [status, own] of Object.entries(clauses)) {
    for (const id of refusalIds(own)) {
      const told = summary(looks.get(id)!)
      const missed = `refused with ${instead}, not with ${status}`
      if (told !== undefined) context.verify(id, ...told)
      else
        context.observe(id, seen.has(status) ? 'it did not come, or cannot be told' : missed, valid)
    }
  }
}
