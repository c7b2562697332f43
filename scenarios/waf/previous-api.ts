import { check, isAnswered, type Look, type Reply, summary } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { plans } from './_owasp.ts'
import { type Parts, partsOf } from './_previous-api.ts'
import { configurationIn, stage } from './_stage.ts'

const clauseOf = (part: string) => `waf-migration.after.previous-api-stops.${part}`

/** The operations on each part: what is asked, and what it is changed to where it is. */
const operations = {
  packages: [['packages'], ['package'], ['package', { sensitivity: 'low' }]],
  groups: [['groups'], ['group'], ['group', { mode: 'off' }]],
  rules: [['rules'], ['rule'], ['rule', { mode: 'off' }]]
} satisfies { [part: string]: [place: keyof Parts, json?: object][] }

const parts = Object.keys(operations) as (keyof typeof operations)[]

export default check({
  title: 'After the migration the management API of the previous WAF stops working',
  clauses: parts.map(clauseOf),
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { management, verify } = context
    const looks: (Look & { part: string })[] = []
    for (const plan of plans) {
      const on = await stage(context, plan)
      const paths: Parts | undefined = await partsOf(management, on.zone.id)
      if (paths === undefined) continue
      const all = parts.flatMap((part) =>
        operations[part].map(([place, json]) => ({ part, place, json }))
      )
      type One = (typeof all)[number]
      const ask = ({ place, json }: One): Promise<Reply> =>
        json ? management.patch(paths[place], { json }) : management.get(paths[place])
      // What there is not has nothing to stop.
      const served: One[] = []
      for (const one of all) if (isServed(await ask(one))) served.push(one)
      const configuration = configurationIn(await on.config())
      if (configuration === undefined) continue
      if (!isServed(await on.migrate('pending', configuration))) continue
      for (const one of served) {
        const { part, place, json } = one
        const reply = await ask(one)
        const holds = isAnswered(reply) && !isServed(reply)
        const asked = `${plan}, ${json ? 'change of' : 'read of'} ${place}`
        looks.push({ part, asked, holds, saw: `served before, and now ${reply.because}`, reply })
      }
    }
    for (const part of parts) {
      const found = summary(looks.filter((look) => look.part === part))
      if (found) verify(clauseOf(part), ...found)
    }
  }
})
