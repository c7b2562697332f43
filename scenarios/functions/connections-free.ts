import { check } from 'plimsoll'
import { judgeMost } from './_connections.ts'

const clause = 'limits.function.connections.free'

export default check({
  title: 'A request on the free plan has six connections open at once, and no more',
  clauses: [clause],
  needs: ['edge', 'probe', 'reach'],
  expectedReplies: ['timeout'],
  run: (context) => judgeMost(context, { clause, plans: ['free'] })
})
