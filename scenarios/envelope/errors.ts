import { check } from 'plimsoll'
import { reads } from '../_reads.ts'
import { refusals } from '../_refusals.ts'
import { isEnvelope, only, quoted } from '../_reply.ts'

const clause = 'envelope.errors-array-empty-on-success'

export default check({
  title: 'The field `errors` is an array, and empty when there is nothing to complain of',
  clauses: [clause],
  needs: ['management'],
  async run(context) {
    const saw = (errors: unknown) => `errors ${quoted(errors)}`
    const { all, others } = await reads(context)
    for (const reply of only(isEnvelope, [...all, ...others])) {
      const errors: unknown = reply.json?.errors
      const holds = Array.isArray(errors) && errors.length === 0
      context.verify(clause, { holds, saw: saw(errors) }, reply)
    }
    for (const reply of only(isEnvelope, await refusals(context))) {
      const errors: unknown = reply.json?.errors
      context.verify(clause, { holds: Array.isArray(errors), saw: saw(errors) }, reply)
    }
  }
})
