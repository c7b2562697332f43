import { setTimeout as pause } from 'node:timers/promises'
import { type Channel, type Context, check, type Look, type Reply, summary } from 'plimsoll'
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
import {
  anyProbe,
  type CallableServer,
  graceMs,
  openServer,
  type Probe,
  patienceMs
} from './_stage.ts'

const clause = 'runtime.disconnect-cancels'
const [ticks, manyTicks] = [40, 400]
const tickMs = 50
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Long enough for the first client to have gone by then, on a machine that is not busy. */
const stayMs = 1_500

/** Whether nothing more comes in for a while, once what was under way is over. */
async function isQuiet(channel: Channel): Promise<boolean> {
  await channel.until(() => false, graceMs)
  const { requests } = channel.seen()
  return !(await channel.until((seen) => seen.requests > requests, 2 * graceMs))
}

/** Requests one after another. */
function loopOf(channel: Channel, times: number): Command {
  return repeat(times, series(fetching(channel.url()), waiting(tickMs)))
}

/** What a client has had of an answer when it leaves, while something goes on behind that. */
function answersFrom(server: CallableServer): Record<string, Command> {
  const many = { do: 'stream', bytes: manyTicks, dripMs: tickMs }
  const passed = server.channel('passed').url({ hold: 'body', bytes: manyTicks })
  return {
    'all of an announced length': { do: 'stream', bytes: 1, headers: { 'content-length': '1' } },
    'all in chunks': { do: 'stream', bytes: 1 },
    'all at once': { do: 'time' },
    'a part in chunks': many,
    'a part of an announced length': { ...many, headers: { 'content-length': `${manyTicks}` } },
    'a part of what is passed on': fetching(passed, { body: 'pass' })
  }
}

/** How clients ask and what they have when they leave; of `unsent` bytes they sent nothing. */
function departures(server: CallableServer, seed: number) {
  const had = Object.entries(answersFrom(server)).map(([what, answer], at) => {
    return { what, answer, method: methods[(at + seed) % methods.length]!, unsent: 0 }
  })
  const nothing = { what: 'nothing', answer: waiting(manyTicks * tickMs), unsent: 0 }
  const none = methods.map((method) => ({ ...nothing, method }))
  const early = { ...nothing, what: 'nothing, and sent a part', method: 'POST', unsent: manyTicks }
  return [...had, ...none, early]
}

/** Whether what nobody waits for is over, too, when a client leaves, whatever it has had. */
async function behindAnswers(
  { edge, seed }: Context,
  { probe, server }: { probe: Probe; server: CallableServer }
): Promise<Look[]> {
  const looks = departures(server, seed).map(async (one): Promise<Look[]> => {
    const { what, answer, method, unsent } = one
    const asked = `${what}, by ${method}`
    const channel = server.channel(asked)
    const behind = { do: 'begin', of: loopOf(channel, manyTicks) }
    const command = series(behind, waiting(2 * tickMs), answer)
    const client = await askToLeave(edge, probe, command, { isInQuery: true, method, unsent })
    const isBegun = what.startsWith('nothing')
      ? await channel.until(({ requests }) => requests > 0, patienceMs)
      : await client.heard
    // All of an answer that is short comes at once.
    await pause(graceMs)
    client.leave()
    // A busy target may take a moment to see that.
    const holds = (await isQuiet(channel)) || (await isQuiet(channel))
    const reply = await probe.ask({ do: 'count' })
    // Nothing can be told of what was never begun.
    if (!isBegun || channel.seen().requests === 0) return []
    const saw = `what is begun behind it ${holds ? 'is over' : 'goes on'} when the client has gone`
    return [{ asked, holds, saw, reply }]
  })
  return (await Promise.all(looks)).flat()
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
    const behind = summary(await behindAnswers(context, { probe, server }))
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
