import * as type from '../_field-type.ts'
import { fieldsCheck, type Sighting } from '../_fields.ts'
import { draft, withPolicy } from '../_policy.ts'
import { largest } from '../_zone.ts'

export default fieldsCheck({
  title: 'A policy has the documented fields, each of its type',
  clause: 'policy.field',
  fields: {
    id: type.text,
    description: type.text,
    action: type.oneOf('log', 'allow'),
    expression: type.text,
    enabled: type.booleanValued,
    value: type.text
  },
  required: 'every read',
  async read({ management, zones, random }) {
    const zone = largest(zones)
    const seen: Sighting[] = []
    for (const action of ['log', 'allow']) {
      const policy = { ...draft(random), action }
      await withPolicy({ management, zone, policy }, async ({ path }) => {
        const reply = await management.get(path)
        seen.push({ value: reply.json?.result, read: 'single', reply })
      })
    }
    return seen
  }
})
