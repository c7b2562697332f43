import * as v from 'valibot'
import { keptSchema, type Reply } from '../client/reply.ts'
import type { Answer } from '../limit/answer.ts'
import { eventsSchema } from '../load/events/events-asked.ts'
import type { Iteration } from '../load/requests/journey.ts'
import { prepare, type Request } from '../load/requests/request.ts'
import { finite } from '../number.ts'
import type { Context } from '../scenario/context.ts'
import type { CheckScenario, Judge, LimitScenario } from '../scenario/scenario.ts'
import type { Adapter } from '../target/adapter.ts'

const reply = v.looseObject({ ...keptSchema.entries, body: v.string() })
const answer = v.looseObject({
  kind: v.picklist(['accepted', 'rejected', 'unclear']),
  proper: v.boolean(),
  because: v.string(),
  evidence: v.looseObject({ ...keptSchema.entries, excerpt: v.string() })
})
const seen = v.union([v.boolean(), v.looseObject({ holds: v.boolean(), saw: v.string() })])

function insist(holds: boolean, what: string): void {
  if (!holds) throw new TypeError(what)
}

/** The replies as copies, of which every part was read once: what was looked at is what is kept. */
function asReplies(name: string, replies: readonly unknown[]): [Reply, ...Reply[]] {
  const read = v.safeParse(v.pipe(v.array(reply), v.nonEmpty()), replies)
  const [issue] = read.issues ?? []
  const where = issue === undefined ? '' : ` (${v.getDotPath(issue) ?? 'none'}: ${issue.message})`
  insist(read.success, `${name} rests on replies: give it at least one, and nothing else${where}`)
  return read.output as [Reply, ...Reply[]]
}

/** The context of a check whose judge insists that what it is told is what it can keep. */
function insisting(context: Context & Judge): Context & Judge {
  const { verify, observe, leave } = context
  const careful: Judge = {
    verify(clause, holds, ...replies) {
      insist(typeof clause === 'string', 'verify takes the id of a clause first')
      const { success, output } = v.safeParse(seen, holds)
      insist(success, `verify of "${clause}" takes a boolean, or { holds, saw }, second`)
      verify(clause, output as typeof holds, ...asReplies(`verify of "${clause}"`, replies))
    },
    observe(clause, saw, ...replies) {
      insist(typeof clause === 'string', 'observe takes the id of a clause first')
      insist(typeof saw === 'string', `observe of "${clause}" takes a text second`)
      observe(clause, saw, ...asReplies(`observe of "${clause}"`, replies))
    },
    leave(clause, saw, ...replies) {
      insist(typeof clause === 'string', 'leave takes the id of a clause first')
      insist(typeof saw === 'string', `leave of "${clause}" takes a text second`)
      leave(clause, saw, asReplies(`leave of "${clause}"`, replies)[0])
    }
  }
  return Object.create(context, {
    verify: { value: careful.verify },
    observe: { value: careful.observe },
    leave: { value: careful.leave }
  })
}

/** The scenario, with its own code held to what it may tell of the target. */
export function toldPlainly<Kind extends CheckScenario | LimitScenario>(scenario: Kind): Kind {
  if (scenario.kind === 'check') {
    return { ...scenario, run: (context: Context & Judge) => scenario.run(insisting(context)) }
  }
  const probe: LimitScenario['probe'] = async (...asked) => {
    const told = await scenario.probe(...asked)
    const { success, output } = v.safeParse(answer, told)
    insist(success, 'probe has to return accepted(…), rejected(…) or unclear(…)')
    return output as Answer
  }
  return { ...scenario, probe }
}

/** The capabilities that a function returned, which is called so where it stands. */
export function asAdapter(told: unknown, named: string): Adapter {
  const isRight = typeof told === 'object' && told !== null && !(told instanceof Promise)
  insist(isRight, `${named} has to return an object with capabilities`)
  for (const [name, capability] of Object.entries(told as object)) {
    const isOne = capability === undefined || typeof capability === 'function'
    insist(isOne, `${named}: the capability "${name}" is no function`)
  }
  return told as Adapter
}

/** Requests that a scenario's `request` returned; at least one, and each of them can be sent. */
export function asRequests(told: unknown): Request[] {
  const all = [told].flat() as Request[]
  insist(all.length > 0, 'request has to return at least one request')
  for (const one of all) {
    insist(typeof one === 'object' && one !== null, 'request has to return requests')
    insist(typeof one.url === 'string', 'request has to return requests with a url')
    prepare(one, { route: 0, keeps: false })
    const { issues } = v.safeParse(v.optional(eventsSchema), one.events)
    insist(issues === undefined, `request: events: ${issues?.[0].message}`)
  }
  return all.map(({ url, method, headers, body, route, events, answer }) => {
    return { url, method, headers, body, route, events, answer }
  })
}

/** What a load's `request` returned: requests, or what each iteration does. */
export function asAsked(told: unknown): Request[] | Iteration {
  return typeof told === 'function' ? (told as Iteration) : asRequests(told)
}

/** Figures that a soak's scenario returned. */
export function asFigures(told: unknown): Record<string, number> {
  const isRight = v.is(v.record(v.string(), finite), told)
  insist(isRight, 'figures has to return numbers by name')
  return told as Record<string, number>
}
