import { check, isAnswered } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isTurnedDown, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'Operations on what does not exist fail in the envelope’s `success` and `errors`',
  clauses: ['error.management-envelope'],
  needs: ['management'],
  async run({ management, zones, random, verify }) {
    const path = `/zones/${largest(zones)}/page_shield`
    const replies = await Promise.all([
      management.get(`/zones/${freshId(random)}/page_shield`),
      management.get(`${path}/connections/${freshId(random)}`),
      management.get(`${path}/cookies/${freshId(random)}`),
      management.delete(`${path}/policies/${freshId(random)}`)
    ])
    for (const reply of replies) {
      if (isAnswered(reply) && !isTurnedDown(reply)) continue
      const { success, errors } = reply.json ?? {}
      const holds = success === false && Array.isArray(errors) && errors.length > 0
      const saw = `${reply.because}, success ${quoted(success)}, errors ${quoted(errors)}`
      verify('error.management-envelope', { holds, saw }, reply)
    }
  }
})
