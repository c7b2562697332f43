import { check } from 'plimsoll'
import { draft, withPolicy } from '../_policy.ts'
import { isBesideThePoint, isServed, isTurnedDown } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'A policy that was deleted can no longer be read',
  clauses: ['policy.delete'],
  needs: ['management'],
  async run({ management, zones, random, verify }) {
    const creation = { management, zone: largest(zones), policy: draft(random) }
    await withPolicy(creation, async ({ path }) => {
      const deletion = await management.delete(path)
      const reply = await management.get(path)
      if (isBesideThePoint(deletion)) return
      const holds = isServed(deletion) && isTurnedDown(reply)
      const saw = `delete: ${deletion.because}, then get: ${reply.because}`
      verify('policy.delete', { holds, saw }, deletion, reply)
    })
  }
})
