import { check, isAnswered, MB } from 'plimsoll'
import { anyProbe, patienceMs } from './_stage.ts'

const clause = 'limits.response.no-size-limit'
/** More than the largest file that most zones may cache. */
const bytes = 540 * MB

export default check({
  title: 'The size of a response is not limited',
  clauses: [clause],
  tier: 'full',
  // Where the edge serves others, an answer that is cut off each time is no outage.
  expectedReplies: ['closed', 503],
  needs: ['edge', 'probe'],
  async run(context) {
    const probe = await anyProbe(context)
    const reply = await probe.ask({ do: 'stream', bytes }, { timeoutMs: patienceMs })
    const holds = isAnswered(reply) && reply.received === bytes
    context.verify(clause, { holds, saw: `${reply.received} of ${bytes} bytes arrive` }, reply)
  }
})
