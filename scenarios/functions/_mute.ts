import type { Look, Reply } from 'plimsoll'
import { type Command, type Outcome, outcomeOf } from './_command.ts'
import type { Probe } from './_stage.ts'

/** How often who does not answer is asked: a slow one is late once, and a mute one each time. */
const times = 3

/** How long an answer is waited for each time, and at most for one that is asked for beside it. */
const [silenceMs, soonMs] = [10_000, 2_000]

/** The first answer there is; the last reply, where there is none however often it is asked. */
export async function answered(ask: () => Promise<Reply>): Promise<Reply> {
  let reply = await ask()
  for (let asked = 1; reply.kind === 'timeout' && asked < times; asked++) reply = await ask()
  return reply
}

/** What a probe says to a command, if anything, and whether it is mute on it. */
export type Told = { reply: Reply; outcome: Outcome | undefined; isMute: boolean }

/**
 * The first answer of a probe to a command, which is made anew each time. Where none comes, the
 * same function is asked beside it for what takes nothing: only where that is answered soon, each
 * time again, is it mute on the command, and neither the function nor the machine is to blame.
 */
export async function told(probe: Probe, command: () => Command): Promise<Told> {
  const ask = (of: Command) => probe.ask(of, { timeoutMs: silenceMs })
  let reply = await ask(command())
  let isMute = reply.kind === 'timeout'
  for (let asked = 1; isMute && asked < times; asked++) {
    const [again, beside] = await Promise.all([ask(command()), ask({ do: 'time' })])
    const isThere = outcomeOf(beside) !== undefined && beside.ms < soonMs
    isMute = isThere && again.kind === 'timeout'
    reply = again
  }
  return { reply, outcome: outcomeOf(reply), isMute }
}

/** What is seen of a probe that is mute; undefined where it is not. */
export function muteness(asked: string, { reply, isMute }: Told): Look | undefined {
  const saw = `no answer, ${times} times in a row, where one without it comes at once`
  return isMute ? { asked, holds: false, saw, reply } : undefined
}
