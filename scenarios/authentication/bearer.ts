import { check } from 'plimsoll'
import { bearing } from '../_credential.ts'
import { freshId } from '../_id.ts'
import { reach } from '../_reach.ts'
import { isRefused, isServed } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'A call is served with the token it bears, and not with one nobody was given',
  clauses: ['auth.bearer'],
  needs: ['management'],
  async run({ management, zones, credentials, random, verify }) {
    if (credentials.token === undefined) return
    const zone = largest(zones)
    const own = await reach(bearing(credentials.token, management), zone)
    // Who finds nothing there has not been turned away.
    if (own.status === 404 || own.status === 429 || own.status >= 500) return
    const foreign = await reach(bearing(freshId(random), management), zone)
    const saw = `own token: ${own.because}, unknown token: ${foreign.because}`
    verify('auth.bearer', { holds: isServed(own) && isRefused(foreign), saw }, own, foreign)
  }
})
