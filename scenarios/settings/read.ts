import { check } from 'plimsoll'
import { isBesideThePoint, isServed, item, quoted } from '../_reply.ts'

/** A settings object shows at least one of these. */
const fields = ['enabled', 'updated_at', 'use_connection_url_path']

export default check({
  title: 'A zone’s settings can be read',
  clauses: ['page-protection.settings.get'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    for (const zone of Object.values(zones)) {
      const reply = await management.get(`/zones/${zone}/page_shield`)
      if (isBesideThePoint(reply)) continue
      const holds = isServed(reply) && fields.some((field) => field in item(reply))
      const saw = `${reply.because}, result ${quoted(reply.json?.result)}`
      verify('page-protection.settings.get', { holds, saw }, reply)
    }
  }
})
