import { check, isAnswered } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { type Parts, partsOf } from './_previous-api.ts'
import { configurationIn, stage } from './_stage.ts'

const parts = ['packages', 'groups', 'rules'] as const
const clauseOf = (part: string) => `waf-migration.after.previous-api-stops.${part}`

export default check({
  title: 'After the migration the management API of the previous WAF stops working',
  clauses: parts.map(clauseOf),
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { management, verify } = context
    const on = await stage(context, 'pro')
    const paths: Parts | undefined = await partsOf(management, on.zone.id)
    const configuration = configurationIn(await on.config())
    if (paths === undefined || configuration === undefined) return
    const update = await on.migrate('pending', configuration)
    if (!isServed(update)) return
    for (const part of parts) {
      const reply = await management.get(paths[part])
      const holds = isAnswered(reply) && !isServed(reply)
      verify(clauseOf(part), { holds, saw: `served before, and now ${reply.because}` }, reply)
    }
  }
})
