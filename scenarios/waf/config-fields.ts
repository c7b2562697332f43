import * as type from '../_field-type.ts'
import { fieldsCheck } from '../_fields.ts'
import { isItem, isServed } from '../_reply.ts'
import { calls } from './_stage.ts'

export default fieldsCheck({
  title: 'The proposed configuration has a name and rules',
  clause: 'waf-migration.config.field',
  fields: { name: type.text, rules: type.arrayOf({ name: 'an object', is: isItem }) },
  required: 'every read',
  read: ({ management, zones }) =>
    Promise.all(
      Object.values(zones).map(async (zone) => {
        const reply = await calls(management, zone).config()
        const value = isServed(reply) ? reply.json?.result : undefined
        return { value, read: 'single' as const, reply }
      })
    )
})
