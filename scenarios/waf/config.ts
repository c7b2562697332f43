import { check } from 'plimsoll'
import { isBesideThePoint, isServed, item, quoted } from '../_reply.ts'
import { calls } from './_stage.ts'

export default check({
  title: 'The configuration that a migration would lead to can be read',
  clauses: ['waf-migration.config'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    for (const [name, zone] of Object.entries(zones)) {
      const reply = await calls(management, zone).config()
      if (isBesideThePoint(reply)) continue
      const fields = Object.keys(item(reply))
      const isConfiguration = fields.includes('name') || fields.includes('rules')
      const saw = `${name}: ${reply.because}, result ${quoted(reply.json?.result)}`
      verify('waf-migration.config', { holds: isServed(reply) && isConfiguration, saw }, reply)
    }
  }
})
