import { type Context, check, type Judge } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { type Command, fetching } from './_command.ts'
import { someOf } from './_plan.ts'
import { bindings, probeSource } from './_probing.ts'
import { type CallableServer, graceMs, openServer, patienceMs } from './_stage.ts'

const minuteMs = 60_000
const documentedMinutes = 15
const kinds = ['scheduled', 'alarm', 'queue'] as const

const clauseOf = (kind: string) => `limits.runtime.duration.unbound-standard.${kind}`

/** Judges how long events may take on a plan. */
async function judgeOn(
  { adapter, edge, verify }: Context & Judge,
  { plan, server }: { plan: FunctionPlan; server: CallableServer }
) {
  const channels = kinds.map((kind) => server.channel(`${kind} on ${plan}`))
  // Each kind of event is handled by something that never ends.
  const [scheduled, alarm, message] = channels.map((channel) =>
    fetching(channel.url({ hold: 'head' }))
  ) as [Command, Command, Command]
  const { id: account } = await adapter.account(plan)
  const env = { SCHEDULED: JSON.stringify(scheduled), ALARM: JSON.stringify(alarm) }
  const given = { account, name: 'probe', source: probeSource(), env }
  const said = await adapter.deploy({ ...given, bindings, consumes: ['probe'] })
  if (!said.accepted) return
  const ask = (command: Command) => edge.as(said.host).post('/', { json: command })
  const fired = adapter.fire(said.id)
  await ask({ do: 'state', name: 'plimsoll', of: { do: 'alarm', afterMs: 0 } })
  await ask({ do: 'queue', call: 'send', args: [message] })
  const begun = await Promise.all(
    channels.map((channel) => channel.until(({ open }) => open === 1, patienceMs))
  )
  await adapter.clock((documentedMinutes - 0.5) * minuteMs)
  await channels[0]!.until(({ dropped }) => dropped > 0, graceMs)
  const isCutEarly = channels.map((channel) => channel.seen().dropped > 0)
  await adapter.clock(minuteMs)
  const isCut = await Promise.all(
    channels.map((channel) => channel.until(({ dropped }) => dropped > 0, patienceMs))
  )
  for (const channel of channels) channel.release()
  await fired
  const reply = await ask({ do: 'count' })
  for (const [at, kind] of kinds.entries()) {
    if (!begun[at]) continue
    const late = isCut[at] ? 'at about 15 min' : 'not within 15.5 min'
    const end = isCutEarly[at] ? 'before 14.5 min' : late
    const saw = `${plan}: an event that never ends is ended ${end}`
    verify(clauseOf(kind), { holds: isCut[at]! && !isCutEarly[at], saw }, reply)
  }
}

export default check({
  title: 'Scheduled events, alarms and queue consumers may take 15 minutes, and not longer',
  clauses: kinds.map(clauseOf),
  needs: ['edge', 'account', 'deploy', 'fire', 'reach', 'clock'],
  alone: ['clock'],
  async run(context) {
    await using server = await openServer(context)
    for (const plan of someOf(['unbound', 'standard'] as const, context))
      await judgeOn(context, { plan, server })
  }
})
