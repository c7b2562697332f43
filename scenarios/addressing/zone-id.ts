import { check } from 'plimsoll'
import * as type from '../_field-type.ts'
import { reach } from '../_reach.ts'
import { contents } from '../_reply.ts'

export default check({
  title: 'A zone is identified by a hexadecimal string',
  clauses: ['addressing.zone-id-hex'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    for (const id of Object.values(zones)) {
      const reply = await reach(management, id)
      const holds = type.hex.is(id)
      // That it addresses something is what makes it an id.
      if (holds && contents(reply) === 0) continue
      verify('addressing.zone-id-hex', { holds, saw: `zone ${id}, ${reply.because}` }, reply)
    }
  }
})
