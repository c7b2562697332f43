import {
  type Answer,
  accepted,
  type Channel,
  improper,
  type Reply,
  rejected,
  unclear
} from 'plimsoll'
import { type Command, repeat, tallyOf } from './_command.ts'
import type { Probe } from './_stage.ts'

/** Requests that hardly need any processor time, and calls that each of them makes. */
const rest = { requests: 20, calls: 2 }

/**
 * Asks a probe for something that may need somewhat more processor time than its plan has, such as
 * many calls on the free plan. Occasional overruns are tolerated, so it is made an occasional one
 * where the probe was not given time of its own, which is enough however busy a machine is.
 */
export async function askRested(probe: Probe, command: Command, idle: Command): Promise<Reply> {
  const requests = probe.cpuMs === undefined ? rest.requests : 0
  for (let request = 0; request < requests; request++) await probe.ask(idle)
  return probe.ask(command)
}

/**
 * Has a probe make so many calls in one request: accepted when it made all of them and the backend,
 * where they lead there, saw as many.
 */
export async function calls(
  probe: Probe,
  {
    count,
    of,
    channel
  }: {
    count: number
    /** What is called, or several things in turn. */
    of: Command | readonly Command[]
    channel?: Channel
  }
): Promise<Answer> {
  const before = probe.cpuMs === undefined ? rest.requests * rest.calls : 0
  const reply = await askRested(probe, repeat(count, of), repeat(rest.calls, of))
  const tally = tallyOf(reply)
  if (tally === undefined) return unclear(reply, `the probe did not answer: ${reply.because}`)
  const { succeeded, errors } = tally
  if (succeeded === 0) return unclear(reply, `not one call came through: ${errors.join(', ')}`)
  if (succeeded < count) return rejected(reply, `call ${succeeded + 1}: ${errors.join(', ')}`)
  const seen = channel ? channel.seen().requests - before : count
  if (seen === count) return accepted(reply, `all ${count} calls came through`)
  const told = `the function counts ${count} calls, and the backend ${seen}`
  // What becomes of a call beyond the limit is not said: it may seem to succeed.
  return seen < count ? rejected(reply, told) : improper(reply, told)
}
