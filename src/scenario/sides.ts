import { isOk, type Reply, said } from '../client/reply.ts'
import type { Context } from './context.ts'
import { isRefusal, type Manner, type Operation } from './operation.ts'
import { absent } from './place.ts'
import type { Changes } from './request-parts.ts'
import type { Judge } from './scenario.ts'
import { type Look, summary } from './summary.ts'

/** Values on both sides of a statement, and the place in the request that they are for. */
export type ValueSides = {
  at: string
  accepted?: readonly unknown[]
  refused?: readonly unknown[]
  /**
   * The place of the list that it is in, which may have but one item: where that is refused as a
   * whole, it is not for what stands in it.
   */
  listOfOne?: string
}

const longest = 60

function inWords(at: string, value: unknown): string {
  if (value === absent) return `without ${at}`
  const text = JSON.stringify(value) ?? String(value)
  return `${at} ${text.length > longest ? `${text.slice(0, longest)}… (${text.length})` : text}`
}

/** Whether a value was taken, or turned down; undefined where the reply says neither. */
function taken(reply: Reply): boolean | undefined {
  if (isOk(reply)) return true
  // An operation that fails at a value has not turned it down, and has not served it either.
  if (reply.status === 500 || reply.status === 501) return undefined
  return isRefusal(reply) ? false : undefined
}

/**
 * Asks a valid request with each value of both sides, by clause, and judges whether those are taken
 * that should be and no others. Throws `Blocked` where not even the valid request is served; says
 * nothing of a clause of which an answer is about something else (401, 403, 404, 409).
 */
export async function judgeSides(
  operation: Operation,
  sides: Readonly<Record<string, ValueSides>>,
  context: Context & Judge
): Promise<void> {
  await operation.insist(context)
  for (const [clause, one] of Object.entries(sides)) {
    const { at, accepted = [], refused = [], listOfOne } = one
    const questions = [
      ...accepted.map((value) => ({ value, expected: true })),
      ...refused.map((value) => ({ value, expected: false }))
    ]
    const looks: Look[] = []
    for (const { value, expected } of questions) {
      const reply = await operation.ask(context, { [at]: value })
      // What names nothing that is there is not refused for what it is, and is not taken either: of
      // an id that is none, "there is none" is as good an answer as any.
      const isLost = at.startsWith('path') && [404, 410].includes(reply.status)
      const isDefect = reply.status === 500 || reply.status === 501
      const was = isLost ? expected : taken(reply)
      if (was === undefined && !isDefect) {
        context.leave(clause, `${inWords(at, value)} was answered ${said(reply)}`, reply)
        break
      }
      const holds = was === expected
      if (!holds && expected && listOfOne !== undefined) {
        const list = await operation.ask(context, { [listOfOne]: operation.optional?.[listOfOne] })
        if (taken(list) === false) {
          context.leave(clause, `a valid ${listOfOne} was answered ${said(list)}`, list)
          break
        }
      }
      looks.push({ asked: inWords(at, value), holds, saw: reply.because, reply })
    }
    const isTold = looks.length === questions.length || looks.some(({ holds }) => !holds)
    const told = isTold ? summary(looks) : undefined
    if (told !== undefined) context.verify(clause, ...told)
  }
}

/** Whether the valid request is refused when it is sent in some manner, by clause. */
export async function judgeRefused(
  operation: Operation,
  manners: Readonly<Record<string, Manner & { changes?: Changes }>>,
  context: Context & Judge
): Promise<void> {
  const valid = await operation.insist(context)
  for (const [clause, { changes, ...manner }] of Object.entries(manners)) {
    const reply = await operation.ask(context, changes, manner)
    const isTold = isOk(reply) || isRefusal(reply)
    if (isTold) {
      context.verify(clause, { holds: isRefusal(reply), saw: reply.because }, reply, valid)
    } else context.leave(clause, `sent so it was answered ${said(reply)}`, reply)
  }
}

const isElsewhere = ([name]: [string, unknown]) => /^(query|cookie)[.[]/.test(name)

/**
 * Whether the valid request is refused without its credential, or with another one, by clause. What
 * differs is a header by its name, or a place such as `query.api_key`; undefined takes it away.
 */
export async function judgeCredentials(
  operation: Operation,
  manners: Readonly<Record<string, Manner['headers']>>,
  context: Context & Judge
): Promise<void> {
  const valid = await operation.insist(context)
  for (const [clause, shown] of Object.entries(manners)) {
    const { true: elsewhere = [], false: inHeaders = [] } = Object.groupBy(
      Object.entries(shown ?? {}),
      (entry) => `${isElsewhere(entry)}` as const
    )
    const changes = elsewhere.map(([place, value]) => [place, value ?? absent])
    const headers = Object.fromEntries(inHeaders)
    const reply = await operation.ask(context, Object.fromEntries(changes), { headers })
    const isDenied = reply.status === 401 || reply.status === 403
    if (isOk(reply) || isDenied) {
      context.verify(clause, { holds: isDenied, saw: reply.because }, reply, valid)
    } else context.leave(clause, `who should not be let in was answered ${said(reply)}`, reply)
  }
}
