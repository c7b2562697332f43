import type { Reply } from 'plimsoll'
import type { Command } from './_command.ts'
import { outcomeOf } from './_command.ts'

/** How a probe is asked. */
type Ask = (command: Command) => Promise<Reply>

const looks = 8
const firstWork = 64
const mostWork = 1_048_576
const enoughMs = 2

/**
 * How much of the probe's work takes a millisecond of processor time on the target, told from the
 * outside: by how much longer the fastest of several answers takes with work than without.
 * Undefined where the probe does not answer.
 */
export async function workPerMs(ask: Ask): Promise<number | undefined> {
  const fastest = async (command: Command) => {
    let least = Number.POSITIVE_INFINITY
    for (let look = 0; look < looks; look++) {
      const reply = await ask(command)
      if (outcomeOf(reply)) least = Math.min(least, reply.ms)
    }
    return least
  }
  for (let work = firstWork; work <= mostWork; work *= 2) {
    const idle = await fastest({ do: 'burn', work: 0 })
    const took = (await fastest({ do: 'burn', work })) - idle
    if (!Number.isFinite(took)) return undefined
    if (took >= enoughMs) return work / took
  }
  return undefined
}
