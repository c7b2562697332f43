import { check } from 'plimsoll'
import { isBesideThePoint, isServed } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

const clause = 'waf-migration.config-accepted-by-update'

export default check({
  title: 'The proposed configuration is accepted by the update as it is, empty fields included',
  clauses: [clause],
  needs: ['management', 'disposableZone'],
  async run(context) {
    const on = await stage(context, 'pro')
    const config = await on.config()
    if (configurationIn(config) === undefined) return
    const reply = await on.update('pending', config.json.result)
    if (isBesideThePoint(reply)) return
    context.verify(clause, isServed(reply), config, reply)
  }
})
