import { check } from 'plimsoll'
import * as type from '../_field-type.ts'
import { freshId } from '../_id.ts'
import { draft, withPolicy } from '../_policy.ts'
import { reach } from '../_reach.ts'
import { contents, isServed, item } from '../_reply.ts'
import { largest } from '../_zone.ts'

const clause = 'addressing.zone-id-hex'

export default check({
  title: 'A zone is identified by a hexadecimal string, which is that of no other zone',
  clauses: [clause],
  needs: ['management'],
  async run({ management, zones, random, verify }) {
    for (const id of Object.values(zones)) {
      const reply = await reach(management, id)
      const holds = type.hex.is(id)
      // That it addresses something is what makes it an id.
      if (holds && contents(reply) === 0) continue
      verify(clause, { holds, saw: `zone ${id}, ${reply.because}` }, reply)
    }
    const zone = largest(zones)
    const others = new Set([...Object.values(zones), freshId(random)])
    others.delete(zone)
    await withPolicy({ management, zone, policy: draft(random) }, async ({ id, path }) => {
      for (const other of others) {
        const reply = await management.get(path.replace(zone, other))
        const holds = !isServed(reply) || item(reply).id !== id
        const saw = `a policy of zone ${zone} in zone ${other}, ${reply.because}`
        verify(clause, { holds, saw }, reply)
      }
    })
  }
})
