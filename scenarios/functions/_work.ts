import type { Client, Reply } from 'plimsoll'
import { type Command, outcomeOf } from './_command.ts'

/** Who is asked to work, and where. */
export type Worker = { edge: Client; ask: (command: Command) => Promise<Reply> }

const probe = new URL('./_probe/probe.js', import.meta.url)
const firstWork = 64
const mostWork = 16_777_216
/** Processor time that is long against the steps in which systems count it. */
const countableMs = 20
const looks = 24
/** An answer that takes longer by this much takes longer for its work. */
const enoughMs = 2

/**
 * How much of the probe's work takes a millisecond of processor time on the target. On the same
 * machine that is what it takes here, however busy it is; of others it can only be told by how much
 * longer the fastest of many answers takes with work than without. Undefined where none comes.
 */
export async function workPerMs({ edge, ask }: Worker): Promise<number | undefined> {
  if (!/^(127\.|localhost$|\[::1\]$)/.test(new URL(edge.url).hostname)) return fromOutside(ask)
  return onThisThread()
}

async function onThisThread(): Promise<number> {
  const { burn } = await import(probe.href)
  for (let work = firstWork; ; work *= 2) {
    const before = process.threadCpuUsage()
    burn({ work })
    const { user, system } = process.threadCpuUsage(before)
    const usedMs = (user + system) / 1_000
    if (usedMs >= countableMs) return work / usedMs
  }
}

async function fromOutside(ask: Worker['ask']): Promise<number | undefined> {
  const fastest = async (work: number) => {
    const replies: Reply[] = []
    for (let look = 0; look < looks; look++) replies.push(await ask({ do: 'burn', work }))
    return Math.min(...replies.filter(outcomeOf).map(({ ms }) => ms))
  }
  for (let work = firstWork; work <= mostWork; work *= 2) {
    const tookMs = (await fastest(work)) - (await fastest(0))
    if (!Number.isFinite(tookMs)) return undefined
    if (tookMs >= enoughMs) return work / tookMs
  }
  return undefined
}
