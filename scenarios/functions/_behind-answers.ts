import { setTimeout as pause } from 'node:timers/promises'
import type { Channel, Context, Look } from 'plimsoll'
import { type Command, fetching, repeat, series, waiting } from './_command.ts'
import { askToLeave } from './_departure.ts'
import { type CallableServer, graceMs, type Probe, patienceMs } from './_stage.ts'

const manyTicks = 400
const tickMs = 50
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Whether nothing more comes in for a while, once what was under way is over. */
export async function isQuiet(channel: Channel): Promise<boolean> {
  await channel.until(() => false, graceMs)
  const { requests } = channel.seen()
  return !(await channel.until((seen) => seen.requests > requests, 2 * graceMs))
}

/** Requests one after another. */
export function loopOf(channel: Channel, times: number): Command {
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
export async function behindAnswers(
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
