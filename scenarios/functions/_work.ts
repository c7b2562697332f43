import type { Reply } from 'plimsoll'
import type { Command } from './_command.ts'
import { outcomeOf } from './_command.ts'

/** How a probe is asked. */
type Ask = (command: Command) => Promise<Reply>

const looks = 8
const firstWork = 64
const mostWork = 16_777_216
/** An answer that takes longer by this much takes longer for its work. */
const enoughMs = 2

/**
 * How much of the probe's work takes a millisecond of processor time on the target, told from the
 * outside: by how much longer the fastest of several answers takes with work than without.
 * Undefined where the probe does not answer.
 */
export async function workPerMs(ask: Ask): Promise<number | undefined> {
  const fastest = async (work: number) => {
    const replies: Reply[] = []
    for (let look = 0; look < looks; look++) replies.push(await ask({ do: 'burn', work }))
    return Math.min(...replies.filter(outcomeOf).map(({ ms }) => ms))
  }
  await fastest(0)
  for (let work = firstWork; work <= mostWork; work *= 2) {
    const tookMs = (await fastest(work)) - (await fastest(0))
    if (!Number.isFinite(tookMs)) return undefined
    if (tookMs >= enoughMs) return work / tookMs
  }
  return undefined
}
