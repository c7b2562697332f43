import { check, isAnswered, MB } from 'plimsoll'
import { fetching } from './_command.ts'
import { functionPlans } from './_plan.ts'
import { deployedOnFirst, openServer, patienceMs } from './_stage.ts'

const clause = 'limits.response.no-size-limit'
/** What takes more than any plan's least processor time, if somebody reads it on the way. */
const sizes = { quick: 32 * MB, full: 540 * MB }

export default check({
  title: 'The size of a response is not limited where a function only passes it on',
  clauses: [clause],
  // Where the edge serves others, an answer that is cut off each time is no outage.
  expectedReplies: ['closed', 503],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    // Those that may take the least processor time come first: to pass something on takes none.
    const probe = await deployedOnFirst(context, functionPlans)
    await using server = await openServer(context)
    const bytes = context.tier === 'quick' ? sizes.quick : sizes.full
    const url = server.channel('large').url({ bytes })
    const reply = await probe.ask(fetching(url, { body: 'pass' }), { timeoutMs: patienceMs })
    const holds = isAnswered(reply) && reply.received === bytes
    context.verify(clause, { holds, saw: `${reply.received} of ${bytes} bytes arrive` }, reply)
  }
})
