import { type Channel, check, type Reply, summary } from 'plimsoll'
import { behindAnswers, isQuiet, loopOf } from './_behind-answers.ts'
import {
  type Command,
  fetching,
  inWords,
  outcomesOf,
  series,
  together,
  waiting
} from './_command.ts'
import { askToLeave } from './_departure.ts'
import { leftOverHttp2 } from './_departure-http2.ts'
import { anyProbe, openServer, patienceMs } from './_stage.ts'

const clause = 'runtime.disconnect-cancels'
const [ticks, manyTicks] = [40, 400]
/** Long enough for the first client to have gone by then, on a machine that is not busy. */
const stayMs = 1_500

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
    const [beside, early] = [server.channel('beside'), server.channel('early')]
    // Nobody has asked this function yet: it may not even have begun when its client has gone.
    const hasty = await askToLeave(context.edge, probe, loopOf(early, manyTicks))
    hasty.leave()
    const other = probe.ask(bystander(beside))
    if (!(await beside.until(({ requests }) => requests >= 2, patienceMs))) {
      beside.release()
      const seen = `${beside.seen().requests} of two requests of a function came`
      return context.leave(clause, seen, await other)
    }
    const work = {
      'a loop of requests': [ticking, loopOf(ticking, ticks)],
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
    const left = await leftOverHttp2(context, { probe, channel: server.channel('http2') })
    const behind = summary([...(await behindAnswers(context, { probe, server })), ...left])
    if (behind) context.verify(clause, ...behind)
    const isStill = await isQuiet(early)
    beside.release()
    const reply = await other
    const fate = isStill ? 'is cancelled' : 'goes on'
    const when = 'when the client has gone before anything came of it'
    context.verify(clause, { holds: isStill, saw: `a loop of requests ${fate} ${when}` }, reply)
    const outcomes = outcomesOf(reply)
    const holds = outcomes.length > 0 && outcomes.every(({ ok }) => ok)
    const words = outcomes.length > 0 ? inWords(outcomes) : reply.because
    context.verify(clause, { holds, saw: `the request of somebody else: ${words}` }, reply)
  }
})
