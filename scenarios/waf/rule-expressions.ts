import { isOk, type Look, pairwise, summary } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { type Attack, attacks, sendTo } from './_attacks.ts'
import { edgeCheck } from './_late.ts'
import { managed } from './_managed.ts'
import { fates, isStopped, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.config.field.rules.expression'

/** A request by what an expression can ask about it. */
type Asked = { path: string; method: 'get' | 'post' | 'put'; agent: string; inForm: boolean }

/** Expressions, and which requests each is true of. */
const expressions: { [expression: string]: (asked: Asked) => boolean } = {
  'http.request.uri.path eq "/in/a"': ({ path }) => path === '/in/a',
  'starts_with(http.request.uri.path, "/in/")': ({ path }) => path.startsWith('/in/'),
  'http.request.method eq "POST"': ({ method }) => method === 'post',
  'http.user_agent contains "inside"': ({ agent }) => agent.includes('inside'),
  'http.host eq "nobody.test"': () => false,
  'not http.request.uri.path contains "out" and http.request.method ne "GET"': (asked) =>
    !asked.path.includes('out') && asked.method !== 'get'
}

export default edgeCheck({
  title: 'A rule that executes a ruleset is for the requests that its expression is true of',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    const zone = await managed(context)
    if (zone === undefined) return
    const client = context.edge.as(zone.on.zone.host)
    const dimensions = {
      path: ['/in/a', '/in/b', '/out/a'],
      method: ['get', 'post', 'put'] as const,
      agent: ['an inside one', 'another'],
      inForm: [false, true]
    }
    const requests: Asked[] = pairwise(dimensions, context)
    const send = ({ path, method, agent, inForm }: Asked, text: string) => {
      const place = inForm && method !== 'get' ? 'a form' : 'the query'
      return sendTo(client.with({ 'user-agent': agent }), path, { text, place, method })
    }
    const looks: Look[] = []
    for (const [expression, isMeant] of Object.entries(expressions)) {
      const rules = zone.rules.map((rule) => ({ ...rule, expression }))
      // Which functions and fields expressions have is not documented.
      if (!isServed(await zone.on.deploy({ name: 'Plimsoll', rules }))) continue
      for (const [nth, asked] of requests.entries()) {
        const kind = Object.keys(attacks)[nth % Object.keys(attacks).length] as Attack
        const reply = await send(asked, attacks[kind])
        // A page need not be there for every method.
        if (isStopped(reply) && !isMeant(asked) && !isOk(await send(asked, 'a quiet word')))
          continue
        const holds = isMeant(asked) ? isStopped(reply) : isOk(reply)
        const { path, method } = asked
        looks.push({
          asked: `${expression}: ${method}`,
          holds,
          saw: fates({ [path]: reply }),
          reply
        })
      }
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
