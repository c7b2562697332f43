import { check, MiB } from 'plimsoll'
import { echo } from './_echo.ts'

/** One byte more than any reading of each plan's maximum. */
const tooLarge = {
  free: 100 * MiB + 1,
  pro: 100 * MiB + 1,
  business: 200 * MiB + 1,
  enterprise: 500 * MiB + 1
}

export default check({
  title: 'A body over the plan’s maximum is refused with 413, whichever method carries it',
  clauses: ['error.body-413.post', 'error.body-413.put', 'error.body-413.patch'],
  needs: ['edge'],
  async run({ edge, verify }) {
    for (const [plan, bytes] of Object.entries(tooLarge)) {
      for (const method of ['POST', 'PUT', 'PATCH']) {
        const body = { bytes, framing: 'length' as const }
        const reply = await edge.zone(plan).send({ method, path: echo, body })
        const seen = { holds: reply.status === 413, saw: `${plan}: ${reply.because}` }
        verify(`error.body-413.${method.toLowerCase()}`, seen, reply)
      }
    }
  }
})
