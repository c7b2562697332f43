import { check } from 'plimsoll'
import { type Command, fetching, series } from './_command.ts'
import { probeSource } from './_probing.ts'
import { openServer } from './_stage.ts'
import { versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const clause = 'limits.runtime.cpu.bundled.scheduled'
const limitMs = 50
const rounds = 20

export default check({
  title: 'A scheduled event may take 50 ms of processor time on plan bundled, and not much more',
  clauses: [clause],
  tier: 'full',
  needs: ['edge', 'account', 'deploy', 'fire', 'reach'],
  async run(context) {
    const { adapter } = context
    const { ask, account } = await versions(context, 'bundled')
    const perMs = await workPerMs({ edge: context.edge, ask })
    if (perMs === undefined) return
    await using server = await openServer(context)
    /** Fires so much work some times; resolves to how often it came to its end. */
    const fired = async (name: string, ms: number) => {
      const [begin, end] = [server.channel(`${name}-begin`), server.channel(`${name}-end`)]
      const work: Command = { do: 'burn', work: Math.round(ms * perMs) }
      const all = series(fetching(begin.url()), work, fetching(end.url()))
      const env = { SCHEDULED: JSON.stringify(all) }
      const said = await adapter.deploy({ account, name, source: probeSource(), env })
      if (!said.accepted) return undefined
      for (let round = 0; round < rounds; round++) await adapter.fire(said.id)
      return begin.seen().requests === rounds ? end.seen().requests : undefined
    }
    const below = await fired('below', 0.6 * limitMs)
    const beyond = await fired('beyond', 2 * limitMs)
    const reply = await ask({ do: 'count' })
    if (below === undefined || beyond === undefined) return
    const saw =
      `about ${0.6 * limitMs} ms of work: ${below} of ${rounds} events came to their end; ` +
      `about ${2 * limitMs} ms: ${beyond} of ${rounds}`
    context.verify(clause, { holds: below >= rounds - 1 && beyond <= rounds / 2, saw }, reply)
  }
})
