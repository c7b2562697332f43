import { check } from 'plimsoll'
import { outcomeOf } from './_command.ts'
import { anyProbe } from './_stage.ts'

const clause = 'subrequests.service-bindings'

export default check({
  title: 'A service binding leads to the other function it names',
  clauses: [clause],
  needs: ['edge', 'probe'],
  async run(context) {
    const probe = await anyProbe(context, { withService: true })
    const reply = await probe.ask({ do: 'service', of: { do: 'env', name: 'NAME' } })
    const outcome = outcomeOf(reply)
    if (outcome === undefined) return
    const name: unknown = outcome.ok?.ok
    const saw = `answered by ${name ?? outcome.error ?? 'nobody'}`
    context.verify(clause, { holds: name === 'other', saw }, reply)
  }
})
