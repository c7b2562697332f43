import { check, matrix } from 'plimsoll'
import { echo } from './_echo.ts'
import { judgeTooLarge, methods, plans, tooLargeClauses } from './_too-large.ts'

/** A body that says how long it is costs nothing, and one that does not all of its bytes. */
const announced = matrix({ plan: plans, method: methods, framing: ['length'] as const })
const unannounced = [
  { plan: 'free', method: 'PATCH', framing: 'chunked' },
  { plan: 'business', method: 'POST', framing: 'chunked' }
] as const

export default check({
  title: 'A body over the plan’s maximum is refused with 413, whichever method carries it',
  clauses: tooLargeClauses,
  needs: ['edge'],
  async run(context) {
    for (const way of [...announced, ...unannounced])
      await judgeTooLarge(context, { client: context.edge.zone(way.plan), path: echo, ...way })
  }
})
