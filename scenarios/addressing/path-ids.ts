import { check } from 'plimsoll'
import * as type from '../_field-type.ts'
import { draft, withPolicy } from '../_policy.ts'
import { isServed, items, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

const clause = 'addressing.path-params-hex'

export default check({
  title: 'Scripts, connections, cookies and policies are addressed by hexadecimal strings',
  clauses: [clause],
  needs: ['management'],
  async run({ management, zones, random, verify }) {
    const zone = largest(zones)
    const prove = async (kind: string, id: unknown) => {
      const path = `/zones/${zone}/page_shield/${kind}/${encodeURIComponent(`${id}`)}`
      const reply = await management.get(path)
      const holds = type.hex.is(id)
      // That it addresses something is what makes it an id.
      if (holds && !isServed(reply)) return
      verify(clause, { holds, saw: `${kind}: ${quoted(id)}, ${reply.because}` }, reply)
    }
    for (const kind of ['scripts', 'connections', 'cookies']) {
      const list = await management.get(`/zones/${zone}/page_shield/${kind}`)
      const [first] = items(list)
      if (first) await prove(kind, first.id)
    }
    await withPolicy({ management, zone, policy: draft(random) }, ({ id }) => prove('policies', id))
  }
})
