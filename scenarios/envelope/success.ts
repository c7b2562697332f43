import { check } from 'plimsoll'
import { reads } from '../_reads.ts'
import { refusals } from '../_refusals.ts'
import { isEnvelope, only, quoted } from '../_reply.ts'

const clause = 'envelope.success-boolean'

export default check({
  title: 'The field `success` is a boolean, and true of what was served',
  clauses: [clause],
  needs: ['management'],
  async run(context) {
    const saw = (success: unknown) => `success ${quoted(success)}`
    const { all, others } = await reads(context)
    for (const reply of only(isEnvelope, [...all, ...others])) {
      const success: unknown = reply.json?.success
      context.verify(clause, { holds: success === true, saw: saw(success) }, reply)
    }
    for (const reply of only(isEnvelope, await refusals(context))) {
      const success: unknown = reply.json?.success
      context.verify(clause, { holds: typeof success === 'boolean', saw: saw(success) }, reply)
    }
  }
})
