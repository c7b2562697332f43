import { check } from 'plimsoll'
import { isBesideThePoint, isItem, isServed, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'
import { stripped } from './_stripped.ts'

const clause = 'waf-migration.update-entrypoint'

export default check({
  title: 'The entry point is updated with a name and rules, and the answer is the updated ruleset',
  clauses: [clause],
  needs: ['management', 'disposableZone'],
  async run(context) {
    const on = await stage(context, 'pro')
    const configuration = configurationIn(await on.config())
    if (configuration === undefined) return
    const reply = await on.update('pending', stripped(configuration))
    if (isBesideThePoint(reply)) return
    const result: unknown = reply.json?.result
    const saw = `${reply.because}, result ${quoted(result)}`
    context.verify(clause, { holds: isServed(reply) && isItem(result), saw }, reply)
  }
})
