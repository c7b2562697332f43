import { check } from 'plimsoll'
import { anonymous } from '../_credential.ts'
import { reach } from '../_reach.ts'
import { isRefused, isServed } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'A call without a credential is not served',
  clauses: ['auth.missing-credential-refused'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    const zone = largest(zones)
    // Where nobody is let in, nothing is learnt from who is not.
    if (!isServed(await reach(management, zone))) return
    const reply = await reach(anonymous(management), zone)
    verify('auth.missing-credential-refused', isRefused(reply), reply)
  }
})
