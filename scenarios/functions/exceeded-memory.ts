import { check } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { recordsOf } from './_records.ts'
import { deployed } from './_stage.ts'

const clause = 'error.exceeded-memory-status'
const attempts = 5

export default check({
  title: 'An invocation that is cancelled for its memory has the status Exceeded Memory',
  clauses: [clause],
  expectedReplies: [503],
  needs: ['edge', 'probe', 'invocations'],
  async run(context) {
    const probe = await deployed(context, { plan: 'standard' })
    const command = { do: 'allocate', megabytes: 400, as: 'buffer' }
    for (let attempt = 0; attempt < attempts; attempt++) {
      const count = (await context.adapter.invocations(probe.function)).length + 1
      const reply = await probe.ask(command)
      // The runtime may cancel such a request, and need not each time.
      if (outcomeOf(reply) !== undefined) continue
      const records = await recordsOf(context, { probe, count })
      if (records.length < count) continue
      const { status } = records.at(-1)!
      const holds = status === 'Exceeded Memory'
      context.verify(clause, { holds, saw: `cancelled, with the status "${status}"` }, reply)
      return
    }
  }
})
