import { check } from 'plimsoll'
import type { Kind } from './_detections.ts'
import * as type from './_field-type.ts'
import { isBesideThePoint, isServed, item, items, quoted } from './_reply.ts'
import { largest } from './_zone.ts'

type Options = {
  title: string
  clause: string
  kind: Kind
  /** Fields that tell one record from the others; the single read and the list agree on them. */
  same: string[]
  /** Fields that make the single read more than the list. */
  adds?: string[]
}

/** A check that the items of a list can be read one by one. */
export function readCheck({ title, clause, kind, same, adds = [] }: Options) {
  return check({
    title,
    clauses: [clause],
    needs: ['management'],
    async run({ management, zones, verify }) {
      const path = `/zones/${largest(zones)}/page_shield/${kind}`
      const known = new Set<unknown>()
      // A list leaves out what is not usual, and it can be read as well; where a list has no such
      // parameter it is the same again, or none.
      for (const query of [{}, { status: 'infrequent' }]) {
        const list = await management.get(path, { query })
        // Where ids are of no use, their own clause says so.
        const named = items(list).filter(({ id }) => type.hex.is(id) && !known.has(id))
        for (const listed of named.slice(0, 3)) {
          known.add(listed.id)
          const reply = await management.get(`${path}/${listed.id}`)
          if (isBesideThePoint(reply)) continue
          const result = item(reply)
          const isSame = same.some((field) => field in result && result[field] === listed[field])
          const holds = isServed(reply) && isSame && adds.every((field) => field in result)
          const saw = `${reply.because}, asked for ${listed.id}: ${quoted(reply.json?.result)}`
          verify(clause, { holds, saw }, list, reply)
        }
      }
    }
  })
}
