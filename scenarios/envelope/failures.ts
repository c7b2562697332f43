import { check } from 'plimsoll'
import { refusals } from '../_refusals.ts'
import { quoted } from '../_reply.ts'

const clause = 'envelope.failure-via-success-and-errors'

export default check({
  title: 'What was not done says so: `success` is false, and `errors` is not empty',
  clauses: [clause],
  needs: ['management'],
  async run(context) {
    for (const reply of await refusals(context)) {
      const { success, errors } = reply.json ?? {}
      const holds = success === false && Array.isArray(errors) && errors.length > 0
      const saw = `${reply.because}, success ${quoted(success)}, errors ${quoted(errors)}`
      context.verify(clause, { holds, saw }, reply)
    }
  }
})
