import { check, type Look, type Reply, summary } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { attacks } from './_attacks.ts'
import { managed, overriding } from './_managed.ts'
import { scoreOverride } from './_owasp.ts'
import { isStopped, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.after.rulesets-api-manages'

/** No request is as bad as that. */
const most = 400

export default check({
  title: 'A request is an attack when its score is the threshold or higher',
  clauses: [clause],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const zone = await managed(context)
    if (zone === undefined) return
    const { name, rules } = { name: 'Plimsoll', rules: zone.rules }
    const rule = rules.find((one) => scoreOverride({ name, rules: [one] }) !== undefined)
    if (rule === undefined) return
    const { id } = scoreOverride({ name, rules: [rule] })!
    const client = context.edge.as(zone.on.zone.host)
    const looks: Look[] = []
    let last: Reply | undefined
    /** The highest threshold that a request comes to, by bisection; 0 where it comes to none. */
    async function scoreOf(...texts: string[]): Promise<number> {
      let [stopped, through] = [0, most]
      while (through - stopped > 1) {
        const middle = (stopped + through) >> 1
        const changed = overriding(rule!, [{ id, score_threshold: middle }])
        last = await zone!.on.deploy({ name, rules: [changed] })
        if (!isServed(last)) return 0
        const query = new URLSearchParams(
          texts.map((text, at): [string, string] => [`q${at}`, text])
        )
        const reply = await client.get(`/?${query}`)
        if (isStopped(reply)) stopped = middle
        else through = middle
      }
      return stopped
    }
    const pairs = [
      [attacks['a script'], attacks['a second query']],
      [attacks['a shell command'], attacks['a handler of events']]
    ] as const
    for (const [one, other] of pairs) {
      const scores = [await scoreOf(one), await scoreOf(other), await scoreOf(one, other)] as const
      const [first, second, together] = scores
      // What several rules see in both counts once: together they are no more than one by one.
      const holds =
        together <= first + second && together >= Math.max(first, second) && together > first
      if (first === 0 || second === 0 || last === undefined) continue
      const saw = `scores ${first} and ${second}, together ${together}`
      looks.push({ asked: `${one} and ${other}`, holds, saw, reply: last })
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
