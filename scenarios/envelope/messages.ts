import { check } from 'plimsoll'
import { reads, refusals } from '../_replies.ts'
import { quoted } from '../_reply.ts'

export default check({
  title: 'The field `messages` is an array, whether the operation was done or not',
  clauses: ['envelope.messages-array'],
  needs: ['management'],
  async run(context) {
    for (const reply of [...(await reads(context)).all, ...(await refusals(context))]) {
      const messages: unknown = reply.json?.messages
      const seen = { holds: Array.isArray(messages), saw: `messages ${quoted(messages)}` }
      context.verify('envelope.messages-array', seen, reply)
    }
  }
})
