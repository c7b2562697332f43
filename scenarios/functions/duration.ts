import { check } from 'plimsoll'
import { fetching, outcomeOf, outcomesOf, series, waiting } from './_command.ts'
import { anyProbe, deployedOn, openServer, patienceMs } from './_stage.ts'

const minuteMs = 60_000
const hoursMs = 3 * 60 * minuteMs
const none = 'runtime.no-hard-duration-limit'
const plans = ['free', 'bundled'] as const

export default check({
  title: 'A request may take as long as its client stays connected',
  clauses: [none, ...plans.map((plan) => `limits.runtime.duration.${plan}`)],
  // A request that is ended in the midst is answered so, or not at all.
  expectedReplies: [503, 'closed'],
  needs: ['edge', 'probe', 'reach', 'clock'],
  alone: ['clock'],
  async run(context) {
    await using server = await openServer(context)
    const probes = [
      [none, await anyProbe(context)] as const,
      ...(await deployedOn(context, plans)).map(
        ([plan, probe]) => [`limits.runtime.duration.${plan}`, probe] as const
      )
    ]
    const channels = probes.map(([clause]) => server.channel(clause))
    const asked = probes.map(([, probe], index) =>
      probe.ask(series(fetching(channels[index]!.url({ hold: 'head' })), waiting(1)))
    )
    for (const channel of channels) await channel.until(({ open }) => open === 1, patienceMs)
    await context.adapter.clock(hoursMs)
    for (const channel of channels) channel.release()
    for (const [index, reply] of (await Promise.all(asked)).entries()) {
      const [clause] = probes[index]!
      if (channels[index]!.seen().requests === 0) continue
      const isDone = outcomesOf(reply)[0]?.error === undefined && outcomeOf(reply) !== undefined
      const saw = `after three hours on the target's clock: ${isDone ? 'done' : reply.because}`
      context.verify(clause, { holds: isDone, saw }, reply)
    }
  }
})
