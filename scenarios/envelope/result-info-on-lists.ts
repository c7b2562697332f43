import { check } from 'plimsoll'
import { reads } from '../_reads.ts'
import { isEnvelope, only, quoted } from '../_reply.ts'

const clause = 'envelope.result-info-only-on-lists'

export default check({
  title: 'Nothing but a list has a `result_info`',
  clauses: [clause],
  needs: ['management'],
  async run(context) {
    const { singles } = await reads(context)
    for (const reply of only(isEnvelope, singles)) {
      const info: unknown = reply.json?.result_info
      const holds = info === undefined
      context.verify(clause, { holds, saw: `result_info ${quoted(info)}` }, reply)
    }
  }
})
