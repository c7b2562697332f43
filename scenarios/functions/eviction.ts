import { check } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { askToLeave } from './_departure.ts'
import { anyProbe } from './_stage.ts'

const clause = 'runtime.nodes-evicted'

export default check({
  title: 'A node that is evicted takes the globals of its function with it',
  clauses: [clause],
  needs: ['edge', 'probe', 'evict'],
  async run(context) {
    const probe = await anyProbe(context)
    const before = await probe.ask({ do: 'count' })
    await context.adapter.evict(probe.function)
    const after = await probe.ask({ do: 'count' })
    const [old, fresh] = [before, after].map((reply) => outcomeOf(reply)?.ok)
    if (!old || !fresh) return
    const saw = `request ${old.requests} of its instance, then request ${fresh.requests}`
    const holds = old.instance !== fresh.instance && fresh.requests === 1
    context.verify(clause, { holds, saw }, before, after)
    // Who leaves while a fresh one is begun for him takes it from nobody.
    await context.adapter.evict(probe.function)
    const client = await askToLeave(context.edge, probe, { do: 'count' })
    client.leave()
    const next = await probe.ask({ do: 'count' })
    const { instance } = outcomeOf(next)?.ok ?? {}
    const came = instance === undefined ? next.because : 'an answer comes'
    const words = `where the first client leaves while it begins anew, ${came} for the next`
    const isFresh = instance !== undefined && instance !== fresh.instance
    context.verify(clause, { holds: isFresh, saw: words }, next)
  }
})
