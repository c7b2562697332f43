import { check } from 'plimsoll'
import { bearing, paired } from '../_credential.ts'
import { freshId } from '../_id.ts'
import { reach } from '../_reach.ts'
import { isRefused, isServed } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'A call is served with the token it bears, and not with one nobody was given',
  clauses: ['auth.bearer'],
  needs: ['management'],
  async run({ management, zones, credentials, random, verify }) {
    if (!('token' in credentials)) return
    const zone = largest(zones)
    const own = await reach(bearing(credentials.token!, management), zone)
    const pair = isServed(own) ? undefined : paired({ management, credentials })
    const isPairServed = pair !== undefined && isServed(await reach(pair, zone))
    // Who finds nothing there has not been turned away, unless somebody else does find it.
    const isElsewhere = own.status === 404 || own.status >= 500
    if (own.status === 429 || (isElsewhere && !isPairServed)) return
    const foreign = await reach(bearing(freshId(random), management), zone)
    const saw = `own token: ${own.because}, unknown token: ${foreign.because}`
    verify('auth.bearer', { holds: isServed(own) && isRefused(foreign), saw }, own, foreign)
  }
})
