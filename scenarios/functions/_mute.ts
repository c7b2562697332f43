import type { Look, Reply } from 'plimsoll'
import { soonMs, times, unlessMute } from '../_mute.ts'
import { type Command, type Outcome, outcomeOf } from './_command.ts'
import type { Probe } from './_stage.ts'

/** How long an answer is waited for each time. */
const silenceMs = 10_000

/** The first answer there is; the last reply, where there is none however often it is asked. */
export async function answered(ask: () => Promise<Reply>): Promise<Reply> {
  let reply = await ask()
  for (let asked = 1; reply.kind === 'timeout' && asked < times; asked++) reply = await ask()
  return reply
}

/** What a probe says to a command, if anything, and whether it is mute on it. */
export type Told = { reply: Reply; outcome: Outcome | undefined; isMute: boolean }

/**
 * The first answer of a probe to a command, which is made anew each time. It is mute on it where
 * the same function answers soon, each time, what takes nothing.
 */
export async function told(probe: Probe, command: () => Command): Promise<Told> {
  const ask = (of: Command) => probe.ask(of, { timeoutMs: silenceMs })
  const isThere = async () => {
    const reply = await ask({ do: 'time' })
    return outcomeOf(reply) !== undefined && reply.ms < soonMs
  }
  const { reply, isMute } = await unlessMute(() => ask(command()), isThere)
  return { reply, outcome: outcomeOf(reply), isMute }
}

/** What is seen of a probe that is mute; undefined where it is not. */
export function muteness(asked: string, { reply, isMute }: Told): Look | undefined {
  const saw = `no answer, ${times} times in a row, where one without it comes at once`
  return isMute ? { asked, holds: false, saw, reply } : undefined
}
