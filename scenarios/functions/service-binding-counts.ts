import { check } from 'plimsoll'
import { type Command, fetching, outcomesOf, repeat, series, type Tally } from './_command.ts'
import { ampleCpuMs, deployedOnFirst, openServer } from './_stage.ts'

const clause = 'subrequests.service-bindings'
const calls = 10
/** More than may be made of these: on the plans that are asked about, and on any. */
const [beyond, beyondInternal] = [60, 1_001]

export default check({
  title: 'Calls of another function by a service binding are subrequests, and leave fewer of them',
  clauses: [clause],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const wanted = { withService: true, cpuMs: ampleCpuMs } as const
    const probe = await deployedOnFirst(context, ['bundled', 'free'], wanted)
    await using server = await openServer(context)
    const fetches = fetching(server.channel('behind').url({ status: 204 }))
    const service = { do: 'service', of: { do: 'env', name: 'NAME' } }
    /** How many calls are made behind none to the other function, and behind some. */
    const left = async (count: number, of: Command) => {
      const asked = [0, calls].map((times) =>
        probe.ask(series(repeat(times, service), repeat(count, of)))
      )
      const replies = await Promise.all(asked)
      const tallies = replies.map((reply) =>
        outcomesOf(reply).map(({ ok }): Tally | undefined => ok)
      )
      const [alone, behind] = tallies.map(([, made]) => made?.succeeded)
      const isMade = tallies[1]?.[0]?.failed === 0
      return { alone, behind, isMade, reply: replies[1]! }
    }
    // From which quota they are taken is not said in so many words, only that they are from one.
    const kv = { do: 'kv', call: 'get', args: ['plimsoll'] }
    for (const [name, count, of] of [
      ['fetches', beyond, fetches],
      ['key-value calls', beyondInternal, kv]
    ] as const) {
      const { alone, behind, isMade, reply } = await left(count, of)
      if (!isMade || alone === undefined || behind === undefined || alone === count) return
      const holds = behind <= alone - calls
      const saw = `${name}: ${behind} behind ${calls} calls of another function, ${alone} without`
      if (holds || of === kv) return context.verify(clause, { holds, saw }, reply)
    }
  }
})
