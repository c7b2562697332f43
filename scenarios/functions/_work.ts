import type { Client, Reply } from 'plimsoll'
import { type Command, outcomeOf } from './_command.ts'
import type { Answered } from './_line.ts'

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

/** What was found out about targets elsewhere, which is asked once. */
const known = new WeakMap<Worker, Promise<number | undefined>>()

/**
 * How much of the probe's work takes a millisecond of processor time on the target. On the same
 * machine that is what it takes here, however busy it is; of others it can only be told by how much
 * longer the fastest of many answers takes with work than without. Undefined where none comes.
 */
export async function workPerMs(worker: Worker): Promise<number | undefined> {
  if (isHere(worker)) return onThisThread()
  const found = known.get(worker) ?? fromOutside(worker.ask)
  known.set(worker, found)
  return found
}

/** Whether a target is on this machine. */
function isHere({ edge }: Worker): boolean {
  return /^(127\.|localhost$|\[::1\]$)/.test(new URL(edge.url).hostname)
}

/**
 * So many times less or more time may some work have taken, and so much goes beside it: of a target
 * elsewhere two milliseconds are measured, and a network takes half of one more or less.
 */
const [slack, besidesMs] = [{ here: 1.06, elsewhere: 1.5 }, 2]

/**
 * Has something work for about so long, and tells between which times that was: how much work takes
 * a millisecond is measured before and after, since it is another where others are at work.
 */
export async function worked(
  worker: Worker,
  { ms, act }: { ms: number; act: (work: number) => Promise<boolean | undefined> }
): Promise<Answered | undefined> {
  const before = await workPerMs(worker)
  if (before === undefined) return undefined
  const work = Math.round(ms * before)
  const isPassed = await act(work)
  const after = await workPerMs(worker)
  if (isPassed === undefined || after === undefined) return undefined
  const [least, most] = [work / Math.max(before, after), work / Math.min(before, after)]
  const factor = isHere(worker) ? slack.here : slack.elsewhere
  return { isPassed, from: least / factor, to: most * factor + besidesMs }
}

/** Work that took a countable time when it was last measured here, and less than twice that. */
let countableWork = firstWork
/** What was measured here last, and when: what is asked right behind that has the same answer. */
let lately = { perMs: 0, at: -Infinity }
const latelyMs = 2

async function onThisThread(): Promise<number> {
  if (performance.now() - lately.at < latelyMs) return lately.perMs
  const { burn } = await import(probe.href)
  for (let work = countableWork; ; work *= 2) {
    const before = process.threadCpuUsage()
    burn({ work })
    const { user, system } = process.threadCpuUsage(before)
    const usedMs = (user + system) / 1_000
    if (usedMs < countableMs) continue
    countableWork = usedMs < 2 * countableMs ? work : work / 2
    lately = { perMs: work / usedMs, at: performance.now() }
    return lately.perMs
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
