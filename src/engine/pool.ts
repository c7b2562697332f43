import { extname } from 'node:path'
import { Piscina } from 'piscina'
import * as v from 'valibot'
import { longestTimerMs } from '../clock.ts'
import { Faulty, faultSchema } from '../fault.ts'
import type { Leftover, Outcome } from './confine.ts'
import type { Finding } from './finding.ts'
import type { Unit } from './plan.ts'
import type { Asked, Question, Task } from './worker.ts'
import type { Workforce } from './workforce.ts'

/** The worker threads of this process. */
export type Pool = Workforce & {
  /**
   * Has one thread do a unit's work; rejects with `Faulty` for what the scenario threw, and with
   * another Error when the thread dies, or is ended because the deadline passed or the signal was
   * aborted. The same goes for whatever else runs the code of others.
   */
  work: (task: Task, signal: AbortSignal) => Promise<Finding[]>
  /** Has one thread say what a scenario's load is made of. */
  requests: (task: Omit<Task, 'stop'>) => Promise<Asked>
  /** Has one thread ask a target for its figures, as a soak's scenario does. */
  figures: (task: Omit<Task, 'stop'>) => Promise<Record<string, number>>
  /** What threw after its work had ended, since this was last asked. */
  leftovers: () => Leftover[]
  close: () => Promise<void>
}

/** What threads tell meanwhile; scenarios run in them and can post what they like. */
const question = v.looseObject({
  ...{ scenario: v.string(), clause: v.string(), unit: v.string(), variant: v.string() },
  asked: v.looseObject({
    value: v.number(),
    kind: v.picklist(['accepted', 'rejected', 'unclear']),
    proper: v.boolean(),
    ...{ because: v.string(), status: v.number(), phase: v.string() }
  })
})
const leftover = v.strictObject({
  kind: v.literal('leftover'),
  scenario: v.string(),
  fault: faultSchema
})

/** Leftovers kept at most: a timer that goes on throwing says the same again and again. */
const mostLeftovers = 100

const worker = new URL(`./worker${extname(import.meta.url)}`, import.meta.url).href

/** Longest time a question about a scenario may take: its thread is ended then. */
const askingMs = 120_000

/** Longest time one unit may take, a search being several questions; likewise. */
function deadlineMs({ kind, tier }: Unit): number {
  if (tier === 'long') return 4 * 3_600_000
  if (tier === 'full') return 1_800_000
  return kind === 'limit' ? 600_000 : askingMs
}

/** How much later than planned a load may end. */
const graceMs = 60_000

/** Memory one thread may hold; a scenario that wants all of it would take the whole run down. */
const mostMemoryMb = 2_048

/** Starts the threads; `onQuestion` hears of every question put to the target once answered. */
export function createPool(options: {
  workers: number
  onQuestion: (question: Question) => void
  /** Longest time anything may take, where that is less than is usual for it. */
  mostMs?: number
}): Pool {
  const { mostMs = longestTimerMs } = options
  const pool = new Piscina({
    filename: worker,
    minThreads: options.workers,
    maxThreads: options.workers,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    // The default parks an idle thread in Atomics.wait, which freezes its sockets and timers.
    atomics: 'disabled'
  })
  const leftovers: Leftover[] = []
  pool.on('message', (message: unknown) => {
    if (v.is(question, message)) options.onQuestion(message)
    if (!v.is(leftover, message) || leftovers.length >= mostLeftovers) return
    const isKnown = leftovers.some(({ scenario }) => scenario === message.scenario)
    if (!isKnown) leftovers.push(message)
  })
  // A thread that falls while it has nothing to do is replaced, and nobody's verdict.
  pool.on('error', () => {})
  const within = async <Value>(
    usualMs: number,
    name: string,
    task: unknown,
    ended?: AbortSignal
  ): Promise<Value> => {
    const limitMs = Math.min(usualMs, mostMs, longestTimerMs)
    const deadline = AbortSignal.timeout(limitMs)
    const signal = AbortSignal.any([deadline, ...(ended ? [ended] : [])])
    const run = async (): Promise<Outcome<Value> | undefined> => {
      try {
        return await pool.run(task, { name, signal })
      } catch (cause) {
        const isLate = cause instanceof Error && cause.name === 'AbortError' && !ended?.aborted
        if (!isLate) throw cause
        throw new Error(`did not end within ${limitMs / 1_000} s; its thread was ended`)
      }
    }
    const outcome = await run()
    if (outcome === undefined || outcome === null) throw new Error('its thread fell')
    if ('fault' in outcome) throw new Faulty(outcome.fault)
    return outcome.ok
  }
  return {
    workers: options.workers,
    leadMs: 500,
    async ready() {
      const arrived = new SharedArrayBuffer(4)
      const { workers } = options
      const calls = Array.from({ length: workers }, () => ({ arrived, workers }))
      await Promise.all(calls.map((call) => within(graceMs, 'ready', call)))
    },
    work: (task, signal) => within(deadlineMs(task.unit), 'work', task, signal),
    requests: (task) => within(askingMs, 'requests', task),
    figures: (task) => within(askingMs, 'figures', task),
    share: (task, limitMs) => within(limitMs + graceMs, 'share', task),
    leftovers: () => leftovers.splice(0),
    close: () => pool.destroy()
  }
}
