import { check } from 'plimsoll'
import { judgeMost } from './_connections.ts'

const clause = 'limits.function.connections.paid'

export default check({
  title: 'A request on a paid plan has six connections open at once, and no more',
  clauses: [clause],
  needs: ['edge', 'probe', 'reach'],
  expectedReplies: ['timeout'],
  run: (context) => judgeMost(context, { clause, plans: ['bundled', 'unbound', 'standard'] })
})
