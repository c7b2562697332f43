import * as type from '../_field-type.ts'
import { fieldsCheck } from '../_fields.ts'
import { isServed } from '../_reply.ts'
import { calls } from './_stage.ts'

export default fieldsCheck({
  title: 'The compatibility result has the documented fields, each of its type',
  clause: 'waf-migration.compat.field',
  fields: { compatible: type.boolean, migration_state: type.text },
  required: 'every read',
  read: ({ management, zones }) =>
    Promise.all(
      Object.values(zones).map(async (zone) => {
        const reply = await calls(management, zone).check()
        const value = isServed(reply) ? reply.json?.result : undefined
        return { value, read: 'single' as const, reply }
      })
    )
})
