import { check } from 'plimsoll'
import { reach } from '../_reach.ts'
import { contents, isBesideThePoint, isServed } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'The version of the management API is the last segment of its base address: v4',
  clauses: ['versioning.management-v4'],
  needs: ['management'],
  async run({ management, zones, verify }) {
    const reply = await reach(management, largest(zones))
    if (isBesideThePoint(reply) || (isServed(reply) && contents(reply) === 0)) return
    const segment = new URL(management.url).pathname.split('/').findLast((part) => part !== '')
    const holds = segment === 'v4' && isServed(reply)
    verify('versioning.management-v4', { holds, saw: `${segment}, ${reply.because}` }, reply)
  }
})
