import { check } from 'plimsoll'
import { reads } from '../_reads.ts'
import { refusals } from '../_refusals.ts'
import { isEnvelope, only, quoted } from '../_reply.ts'

export default check({
  title: 'The field `messages` is an array, whether the operation was done or not',
  clauses: ['envelope.messages-array'],
  needs: ['management'],
  async run(context) {
    const { all, others } = await reads(context)
    const replies = [...all, ...others, ...(await refusals(context))]
    for (const reply of only(isEnvelope, replies)) {
      const messages: unknown = reply.json?.messages
      const seen = { holds: Array.isArray(messages), saw: `messages ${quoted(messages)}` }
      context.verify('envelope.messages-array', seen, reply)
    }
  }
})
