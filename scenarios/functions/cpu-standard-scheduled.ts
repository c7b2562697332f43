import { check } from 'plimsoll'
import { fetching, series } from './_command.ts'
import { probeSource } from './_probing.ts'
import { openServer } from './_stage.ts'
import { versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const clause = 'limits.runtime.cpu.unbound-standard.scheduled'
/**
 * Much more than a request may take, even when it overruns, and far from 15 minutes, at which the
 * duration ends it anyway.
 */
const seconds = 200

export default check({
  title: 'A scheduled event may take more processor time than a request on plan standard',
  clauses: [clause],
  tier: 'long',
  alone: ['everything'],
  needs: ['edge', 'account', 'deploy', 'fire', 'reach'],
  async run(context) {
    const { ask, account } = await versions(context, 'standard')
    const perMs = await workPerMs({ edge: context.edge, ask })
    if (perMs === undefined) return
    await using server = await openServer(context)
    const [begin, end] = [server.channel('begin'), server.channel('end')]
    const work = { do: 'burn', work: Math.round(seconds * 1_000 * perMs) }
    const command = series(fetching(begin.url()), work, fetching(end.url()))
    const env = { SCHEDULED: JSON.stringify(command) }
    const given = { account, name: 'scheduled', source: probeSource(), env }
    const said = await context.adapter.deploy(given)
    if (!said.accepted) return
    await context.adapter.fire(said.id)
    const reply = await ask({ do: 'count' })
    if (begin.seen().requests === 0) return
    const holds = end.seen().requests === 1
    const saw = `about ${seconds} s of work ${holds ? 'come' : 'do not come'} to an end`
    context.verify(clause, { holds, saw }, reply)
  }
})
