import type { Reply } from 'plimsoll'
import * as type from '../_field-type.ts'
import { fieldsCheck, type Sighting } from '../_fields.ts'
import { draft, withPolicy } from '../_policy.ts'
import { isServed } from '../_reply.ts'
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
      let read: Reply | undefined
      const created = await withPolicy({ management, zone, policy }, async ({ path }) => {
        read = await management.get(path)
      })
      // With an id of no use the creation is all there is to look at.
      const reply = read && isServed(read) ? read : created
      seen.push({ value: isServed(reply) ? reply.json?.result : undefined, read: 'single', reply })
    }
    return seen
  }
})
