import { check } from 'plimsoll'
import { echo } from './_echo.ts'
import { announced, judgeTooLarge, tooLargeClauses } from './_too-large.ts'

/** Such a body costs all of its bytes. */
const unannounced = [
  { plan: 'free', method: 'PATCH', framing: 'chunked' },
  { plan: 'business', method: 'POST', framing: 'chunked' }
] as const

export default check({
  title: 'A body over the plan’s maximum is refused with 413, whichever method carries it',
  clauses: tooLargeClauses,
  needs: ['edge'],
  async run(context) {
    const dear = context.tier === 'quick' ? unannounced.slice(0, 1) : unannounced
    const ways = [...announced.map((way) => ({ ...way, framing: 'length' as const })), ...dear]
    for (const way of ways)
      await judgeTooLarge(context, { client: context.edge.zone(way.plan), path: echo, ...way })
  }
})
