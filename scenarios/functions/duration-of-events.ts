import { type Context, check, type Judge } from 'plimsoll'
import { type Command, fetching } from './_command.ts'
import { bindings, probeSource } from './_probing.ts'
import { openServer, patienceMs } from './_stage.ts'

const minuteMs = 60_000
const documentedMinutes = 15

/** How each kind of event is sent to a probe that carries out a command on it. */
const events: Record<string, (command: Command) => { env: object; start: Command | 'fire' }> = {
  scheduled: (command) => ({ env: { SCHEDULED: JSON.stringify(command) }, start: 'fire' }),
  alarm: (command) => ({
    env: { ALARM: JSON.stringify(command) },
    start: { do: 'state', name: 'plimsoll', of: { do: 'alarm', afterMs: 0 } }
  }),
  queue: (command) => ({ env: {}, start: { do: 'queue', call: 'send', args: [command] } })
}

const clauseOf = (kind: string) => `limits.runtime.duration.unbound-standard.${kind}`

/** Has an event handled by something that never ends, and sees when the target ends it. */
async function judge(context: Context & Judge, kind: string) {
  const { adapter, edge } = context
  await using server = await openServer(context)
  const channel = server.channel(kind)
  const { env, start } = events[kind]!(fetching(channel.url({ hold: 'head' })))
  const { id: account } = await adapter.account('standard')
  const said = await adapter.deploy({
    ...{ account, name: 'probe', source: probeSource(), bindings, consumes: ['probe'] },
    env: env as Record<string, string>
  })
  if (!said.accepted) return
  const ask = (command: Command) => edge.as(said.host).post('/', { json: command })
  const started = start === 'fire' ? adapter.fire(said.id) : ask(start)
  const hasBegun = await channel.until(({ open }) => open === 1, patienceMs)
  await adapter.clock((documentedMinutes - 0.5) * minuteMs)
  const isCutEarly = await channel.until(({ dropped }) => dropped > 0, 1_000)
  await adapter.clock(minuteMs)
  const isCut = isCutEarly || (await channel.until(({ dropped }) => dropped > 0, patienceMs))
  channel.release()
  await started
  const reply = await ask({ do: 'count' })
  if (!hasBegun) return
  const when = isCutEarly ? 'before 14.5 min' : isCut ? 'at about 15 min' : 'not within 15.5 min'
  const saw = `an event that never ends is ended ${when}`
  context.verify(clauseOf(kind), { holds: isCut && !isCutEarly, saw }, reply)
}

export default check({
  title: 'Scheduled events, alarms and queue consumers may take 15 minutes, and not longer',
  tier: 'full',
  clauses: Object.keys(events).map(clauseOf),
  needs: ['edge', 'account', 'deploy', 'fire', 'reach', 'clock'],
  alone: ['clock'],
  async run(context) {
    for (const kind of Object.keys(events)) await judge(context, kind)
  }
})
