import { type Channel, check, type Reply } from 'plimsoll'
import {
  type Command,
  fetching,
  inWords,
  outcomesOf,
  repeat,
  series,
  together,
  waiting
} from './_command.ts'
import { askToLeave } from './_departure.ts'
import { anyProbe, graceMs, openServer, patienceMs } from './_stage.ts'

const clause = 'runtime.disconnect-cancels'
const ticks = 40
const tickMs = 50
/** Long enough for the first client to have gone by then, on a machine that is not busy. */
const stayMs = 1_500

/** Whether nothing more comes in for a while, once what was under way is over. */
async function isQuiet(channel: Channel): Promise<boolean> {
  await channel.until(() => false, graceMs)
  const { requests } = channel.seen()
  return !(await channel.until((seen) => seen.requests > requests, 2 * graceMs))
}

/** What somebody has done who stays: a request, a body and a timer are under way meanwhile. */
function bystander(channel: Channel): Command {
  const stays = (['head', 'body'] as const).map((hold) => fetching(channel.url({ hold })))
  return together(...stays, series(waiting(stayMs), fetching(channel.url())))
}

export default check({
  title: 'When the client disconnects, what is done for its request is cancelled, and no more',
  clauses: [clause],
  needs: ['edge', 'probe', 'reach'],
  async run(context) {
    const probe = await anyProbe(context)
    await using server = await openServer(context)
    const [ticking, held] = [server.channel('ticking'), server.channel('held')]
    const beside = server.channel('beside')
    const other = probe.ask(bystander(beside))
    if (!(await beside.until(({ requests }) => requests >= 2, patienceMs))) {
      beside.release()
      const seen = `${beside.seen().requests} of two requests of a function came`
      return context.leave(clause, seen, await other)
    }
    const work = {
      'a loop of requests': [
        ticking,
        repeat(ticks, series(fetching(ticking.url()), waiting(tickMs)))
      ],
      'a request under way': [held, fetching(held.url({ hold: 'head' }))]
    } as const
    for (const [what, [channel, command]] of Object.entries(work)) {
      const client = await askToLeave(context.edge, probe, command)
      const hasBegun = await channel.until(({ requests }) => requests > 0, patienceMs)
      client.leave()
      const isCancelled =
        channel === held
          ? await channel.until(({ dropped }) => dropped > 0, patienceMs)
          : await isQuiet(channel)
      const alive: Reply = await probe.ask({ do: 'count' })
      if (!hasBegun) return context.leave(clause, `${what} never began`, alive)
      const saw = `${what} ${isCancelled ? 'is cancelled' : 'goes on'} when the client has gone`
      context.verify(clause, { holds: isCancelled, saw }, alive)
    }
    beside.release()
    const reply = await other
    const outcomes = outcomesOf(reply)
    const holds = outcomes.length > 0 && outcomes.every(({ ok }) => ok)
    const words = outcomes.length > 0 ? inWords(outcomes) : reply.because
    context.verify(clause, { holds, saw: `the request of somebody else: ${words}` }, reply)
  }
})
