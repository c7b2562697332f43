import * as type from '../_field-type.ts'
import { fieldsCheck } from '../_fields.ts'
import { isItem, isServed } from '../_reply.ts'

/** The live interface puts the service's own name where the document says "service". */
const neutral = 'use_service_reporting_endpoint'
const own = /^use_[a-z0-9]+_reporting_endpoint$/

/** The settings with the one field that has another name in each service under the document's. */
function underNeutralName(settings: unknown): unknown {
  if (!isItem(settings)) return settings
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name.replace(own, neutral), value])
  )
}

export default fieldsCheck({
  title: 'The settings have the documented fields, each of its type',
  clause: 'page-protection.settings.field',
  fields: {
    enabled: type.boolean,
    updated_at: type.timestamp,
    [neutral]: type.boolean,
    use_connection_url_path: type.boolean
  },
  required: 'every read',
  read: ({ management, zones }) =>
    Promise.all(
      Object.values(zones).map(async (zone) => {
        const reply = await management.get(`/zones/${zone}/page_shield`)
        const settings = isServed(reply) ? reply.json?.result : undefined
        return { value: underNeutralName(settings), read: 'single' as const, reply }
      })
    )
})
