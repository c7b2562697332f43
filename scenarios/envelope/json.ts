import { check } from 'plimsoll'
import { reads } from '../_reads.ts'
import { refusals } from '../_refusals.ts'
import { quoted } from '../_reply.ts'

const clause = 'envelope.all-bodies-json'

export default check({
  title: 'Every body is JSON, whether the operation was done or not',
  clauses: [clause],
  needs: ['management'],
  expectedReplies: ['garbage'],
  async run(context) {
    for (const reply of [...(await reads(context)).all, ...(await refusals(context))]) {
      const type = reply.headers['content-type']
      // What is declared to be something else is not JSON to who heeds that; nothing need be said.
      const holds = reply.json !== undefined && /^$|[/+]json *(;|$)/i.test(type ?? '')
      const saw = `${reply.because}, ${holds ? 'JSON' : `${quoted(type)}, ${quoted(reply.body)}`}`
      context.verify(clause, { holds, saw }, reply)
    }
  }
})
