import { check } from 'plimsoll'
import { largest } from '../_zone.ts'

const clause = 'unspecified.limits.management-rate'
const requests = 200

export default check({
  title: 'Whether the management API limits how often it is called',
  clauses: [clause],
  expectedReplies: [429],
  needs: ['management'],
  async run({ management, zones, observe }) {
    const path = `/zones/${largest(zones)}/page_shield`
    for (let count = 1; count <= requests; count++) {
      const reply = await management.get(path)
      const told = Object.entries(reply.headers).filter(([name]) => /ratelimit|retry/.test(name))
      const headers = told.map(([name, value]) => `, ${name}: ${value}`).join('')
      if (reply.status !== 429 && count < requests) continue
      observe(clause, `request ${count}, one after another: ${reply.because}${headers}`, reply)
      return
    }
  }
})
