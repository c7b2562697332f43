import * as type from '../_field-type.ts'
import { fieldsCheck } from '../_fields.ts'
import { isServed } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default fieldsCheck({
  title: 'A list says with integers which page it is, of how many',
  clause: 'envelope.result-info',
  fields: {
    page: type.integer,
    per_page: type.integer,
    count: type.integer,
    total_count: type.integer,
    total_pages: type.integer
  },
  required: 'every read',
  read: ({ management, zones }) =>
    Promise.all(
      ['scripts', 'connections', 'cookies'].map(async (kind) => {
        const path = `/zones/${largest(zones)}/page_shield/${kind}`
        const reply = await management.get(path, { query: { page: 1, per_page: 5 } })
        const info = isServed(reply) ? reply.json?.result_info : undefined
        return { value: info, read: 'list' as const, reply }
      })
    )
})
