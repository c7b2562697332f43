import { check } from 'plimsoll'
import { anonymous } from '../_credential.ts'
import { reach } from '../_reach.ts'
import { isTurnedDown } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'A call without a credential is not served',
  clauses: ['auth.missing-credential-refused'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    const reply = await reach(anonymous(management), largest(zones))
    verify('auth.missing-credential-refused', isTurnedDown(reply), reply)
  }
})
