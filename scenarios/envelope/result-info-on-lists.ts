import { check } from 'plimsoll'
import { reads } from '../_reads.ts'
import { isEnvelope, isItem, only, quoted } from '../_reply.ts'

const clause = 'envelope.result-info-only-on-lists'

export default check({
  title: 'Lists have a `result_info`, and nothing else has one',
  clauses: [clause],
  needs: ['management'],
  async run(context) {
    const { lists, singles } = await reads(context)
    for (const reply of only(isEnvelope, lists)) {
      const info: unknown = reply.json?.result_info
      context.verify(clause, { holds: isItem(info), saw: `of a list: ${quoted(info)}` }, reply)
    }
    for (const reply of only(isEnvelope, singles)) {
      const info: unknown = reply.json?.result_info
      const holds = info === undefined
      context.verify(clause, { holds, saw: `of a single read: ${quoted(info)}` }, reply)
    }
  }
})
