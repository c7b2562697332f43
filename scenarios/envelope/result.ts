import { check } from 'plimsoll'
import { reads } from '../_reads.ts'
import { isItem, only, quoted } from '../_reply.ts'

export default check({
  title: 'What an operation gives is in the field `result`, as an object or an array',
  clauses: ['envelope.result-present'],
  needs: ['management'],
  async run(context) {
    for (const reply of only(({ json }) => json !== undefined, (await reads(context)).all)) {
      const result: unknown = reply.json?.result
      const holds = isItem(result) || Array.isArray(result)
      context.verify('envelope.result-present', { holds, saw: `result ${quoted(result)}` }, reply)
    }
  }
})
