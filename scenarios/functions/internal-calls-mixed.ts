import { check } from 'plimsoll'
import { repeat, tallyOf } from './_command.ts'
import { ampleCpuMs, anyProbe } from './_stage.ts'

const clauses = ['key-value', 'stateful-objects'].map((of) => `limits.subrequests.internal.${of}`)
const most = 1_000
/** One more than of each there may be. */
const attempts = 2 * most + 1

export default check({
  title: 'Calls of the key-value store and of stateful objects in turn are 1,000, or that of each',
  clauses,
  tier: 'full',
  needs: ['edge', 'probe'],
  async run(context) {
    const probe = await anyProbe(context, { cpuMs: ampleCpuMs })
    const kv = { do: 'kv', call: 'get', args: ['plimsoll'] }
    const state = { do: 'state', name: 'one', of: { do: 'time' } }
    const reply = await probe.ask(repeat(attempts, [kv, state]))
    const tally = tallyOf(reply)
    if (tally === undefined) return
    const { succeeded } = tally
    // Whether it is one limit for both, or one for each, can be read either way.
    const holds = succeeded === most || succeeded === 2 * most
    const saw = `in turn, ${succeeded} of ${attempts} calls`
    for (const clause of clauses) context.verify(clause, { holds, saw }, reply)
  }
})
