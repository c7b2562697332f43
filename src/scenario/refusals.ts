import { isAnswered, type Reply } from '../client/reply.ts'
import { answerFinding } from './answers.ts'
import { isBlocked } from './blocked.ts'
import type { Context } from './context.ts'
import { askShowing } from './letting-in.ts'
import type { Manner, Operation } from './operation.ts'
import type { Changes } from './request-parts.ts'
import { credentialsLacking } from './samples.ts'
import type { Judge } from './scenario.ts'
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

/**
 * Provokes refusals of an operation, and holds each that is documented for its status against the
 * content type and the shape that are documented, by clause. Of a status that did not come, which
 * is no fault, it says by which ones the request was refused instead.
 */
export async function judgeRefusals(
  operation: Operation,
  clauses: Readonly<Record<string, string>>,
  provocations: readonly Provocation[],
  context: Context & Judge
): Promise<void> {
  const valid = await operation.insist(context)
  const looks = new Map<string, Look[]>(Object.keys(clauses).map((status) => [status, []]))
  const came: string[] = []
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
    const own = looks.get(status)
    const found = own && (await answerFinding(operation, operation.answers![status]!, reply))
    if (found !== undefined) own!.push({ asked: reply.because, ...found, reply })
  }
  for (const [status, own] of looks) {
    const told = summary(own)
    if (told !== undefined) context.verify(clauses[status]!, ...told)
    else {
      const instead = came.length > 0 ? [...new Set(came)].join(', ') : 'nothing'
      context.observe(clauses[status]!, `refused with ${instead}, not with ${status}`, valid)
    }
  }
}
