import { type Answer, accepted, improper, type Lane, type Reply, rejected, unclear } from 'plimsoll'
import { tallyOf } from './_command.ts'

/** Processor time that is enough for any number of calls, so that only the number can be at fault. */
export const ampleCpuMs = 20_000

/**
 * Reads how a probe fared that was to make so many calls: accepted when it made all of them and the
 * backend, where they lead there, saw as many.
 */
export function counted(reply: Reply, count: number, lane?: Lane): Answer {
  const tally = tallyOf(reply)
  if (tally === undefined) return unclear(reply, `the probe did not answer: ${reply.because}`)
  const { succeeded, errors } = tally
  if (succeeded < count) return rejected(reply, `call ${succeeded + 1}: ${errors.join(', ')}`)
  const seen = lane?.seen().requests ?? count
  return seen === count
    ? accepted(reply, `all ${count} calls came through`)
    : improper(reply, `the function counts ${count} calls, and the backend ${seen}`)
}
