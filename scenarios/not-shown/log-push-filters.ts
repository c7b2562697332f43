import { check, type Reply } from 'plimsoll'
import { byOutcome } from '../_outcomes.ts'
import { isServed, quoted } from '../_reply.ts'
import { and, eq, where } from '../log-push/_filter.ts'
import { stage } from '../log-push/_stage.ts'

const single = 'unspecified.implied.filter-single-condition'
const others = 'unspecified.implied.filter-other-operators'
const failure = 'unspecified.logpush.filter-error'

/** Operators that services of this kind are known to have, each with a value it would take. */
const operators: [operator: string, key: string, value: unknown][] = [
  ...['!eq', '!contains', 'startsWith', 'endsWith', '!startsWith', '!endsWith'].map(
    (operator): [string, string, unknown] => [operator, 'ClientRequestPath', '/a']
  ),
  ...['lt', 'leq', 'gt', 'geq'].map((operator): [string, string, unknown] => [
    operator,
    'EdgeResponseStatus',
    '300'
  ]),
  ...['in', '!in'].map((operator): [string, string, unknown] => [
    operator,
    'ClientRequestPath',
    ['/a', '/b']
  ]),
  ['like', 'ClientRequestPath', '/a']
]

export default check({
  title: 'Which filters are taken beyond those that are shown, and how a too large one fails',
  clauses: [single, others, failure],
  needs: ['management', 'zone', 'destination'],
  async run(context) {
    await using on = await stage(context)
    const { observe } = context
    const ask = (filter: string) => on.offer({ filter })
    const fate = (reply: Reply) => `${isServed(reply) ? 'taken' : 'refused'}, ${reply.because}`

    const bare = await ask(where(eq('ClientRequestPath', '/a')))
    observe(single, fate(bare), bare)

    const replies: Reply[] = []
    for (const [operator, key, value] of operators)
      replies.push(await ask(where(and({ key, operator, value }))))
    const outcomes = operators.map(([asked], index) => ({ asked, came: fate(replies[index]!) }))
    observe(others, byOutcome(outcomes), ...(replies as [Reply, ...Reply[]]))

    const large = await ask(where(and(eq('ClientRequestPath', 'a'.repeat(2_000)))))
    observe(failure, `${large.because}, errors ${quoted(large.json?.errors)}`, large)
  }
})
