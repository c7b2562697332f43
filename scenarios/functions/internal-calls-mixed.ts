import { check } from 'plimsoll'
import { outcomesOf, repeat, series, type Tally } from './_command.ts'
import { ampleCpuMs, anyProbe } from './_stage.ts'

const most = 1_000
/** So many of each in turn, and so often that there are more of each than there may be. */
const [inTurn, turns] = [50, 21]

export default check({
  title: 'Calls of the key-value store and of stateful objects in turn are 1,000, or that of each',
  clauses: ['key-value', 'stateful-objects'].map((of) => `limits.subrequests.internal.${of}`),
  tier: 'full',
  needs: ['edge', 'probe'],
  async run(context) {
    const probe = await anyProbe(context, { cpuMs: ampleCpuMs })
    const services = {
      'key-value': { do: 'kv', call: 'get', args: ['plimsoll'] },
      'stateful-objects': { do: 'state', name: 'one', of: { do: 'time' } }
    }
    const turn = Object.values(services).map((call) => repeat(inTurn, call))
    const reply = await probe.ask(series(...Array.from({ length: turns }, () => turn).flat()))
    const tallies = outcomesOf(reply).map(({ ok }) => ok as Tally | undefined)
    if (tallies.length < turns * turn.length || !tallies.every((one) => one !== undefined)) return
    const names = Object.keys(services)
    const made = names.map((_, nth) =>
      tallies.reduce((sum, one, at) => sum + (at % names.length === nth ? one.succeeded : 0), 0)
    )
    // Whether it is one limit for both, or one for each, can be read either way.
    const isOne = made.reduce((sum, count) => sum + count) === most
    for (const [nth, of] of names.entries()) {
      const saw = `in turn, ${made.join(' and ')} of ${turns * inTurn} calls of each`
      const holds = isOne || made[nth] === most
      context.verify(`limits.subrequests.internal.${of}`, { holds, saw }, reply)
    }
  }
})
