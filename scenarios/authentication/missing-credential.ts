import { check } from 'plimsoll'
import { anonymous } from '../_credential.ts'
import { isTurnedDown } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'A call without a credential is not served',
  clauses: ['auth.missing-credential-refused'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    const path = `/zones/${largest(zones)}/page_shield`
    for (const below of ['', '/scripts', '/policies']) {
      const reply = await anonymous(management).get(`${path}${below}`)
      verify('auth.missing-credential-refused', isTurnedDown(reply), reply)
    }
  }
})
