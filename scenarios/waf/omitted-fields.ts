import { check } from 'plimsoll'
import { isBesideThePoint, isServed } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'
import { stripped } from './_stripped.ts'

const clause = 'waf-migration.validation-may-omit-id-version-ref'

export default check({
  title: 'On the validation update a rule may do without id, version and ref',
  clauses: [clause],
  needs: ['management', 'disposableZone'],
  async run(context) {
    const on = await stage(context, 'enterprise')
    const configuration = configurationIn(await on.config())
    if (configuration === undefined) return
    const reply = await on.update('validation', stripped(configuration))
    if (isBesideThePoint(reply)) return
    context.verify(clause, isServed(reply), reply)
  }
})
