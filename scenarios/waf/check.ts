import { check } from 'plimsoll'
import { isBesideThePoint, isServed, item, quoted } from '../_reply.ts'
import { calls } from './_stage.ts'

export default check({
  title: 'Whether a zone can migrate can be asked, and how far its migration is',
  clauses: ['waf-migration.check'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    for (const [name, zone] of Object.entries(zones)) {
      const reply = await calls(management, zone).check()
      if (isBesideThePoint(reply)) continue
      const fields = Object.keys(item(reply))
      const isResult = fields.includes('compatible') || fields.includes('migration_state')
      const saw = `${name}: ${reply.because}, result ${quoted(reply.json?.result)}`
      verify('waf-migration.check', { holds: isServed(reply) && isResult, saw }, reply)
    }
  }
})
