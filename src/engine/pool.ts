import { extname } from 'node:path'
import { Piscina } from 'piscina'
import * as v from 'valibot'
import { longestTimerMs } from '../clock.ts'
import { Faulty, faultSchema } from '../fault.ts'
import type { Leftover } from './confine.ts'
import type { Finding } from './finding.ts'
import { createHeritage, type Heritage } from './heritage.ts'
import type { Unit } from './plan.ts'
import { createPulse, threadOf, watchPulse } from './pulse.ts'
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
  /** Has one thread say why nothing can be asked of the endpoints a unit needs, if so. */
  missing: (task: Omit<Task, 'stop'>, signal: AbortSignal) => Promise<string | undefined>
  /** Has one thread say what a scenario's load is made of. */
  requests: (task: Omit<Task, 'stop'>, signal: AbortSignal) => Promise<Asked>
  /** Has one thread ask a target for its figures, as a soak's scenario does. */
  figures: (task: Omit<Task, 'stop'>, signal: AbortSignal) => Promise<Record<string, number>>
  /**
   * Waits a moment for what scenarios have left behind, once all work is done, and resolves to what
   * went wrong with it: it threw, or took its thread with it.
   */
  settle: (signal: AbortSignal) => Promise<Leftover[]>
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

const worker = new URL(`./worker${extname(import.meta.url)}`, import.meta.url).href

/** Longest time a question about a scenario may take: its thread is ended then. */
const askingMs = 120_000

/** Longest time one unit may take, a search being several questions; likewise. */
function deadlineMs({ kind, tier }: Unit): number {
  if (tier === 'long') return 4 * 3_600_000
  if (tier === 'full') return 1_800_000
  return kind === 'limit' ? 600_000 : askingMs
}

/**
 * A thread whose event loop has not turned for so long is in a loop without end, and is ended.
 * Nothing that is right to do takes as long in one turn, even where a core is shared by many.
 */
const stillForMs = 60_000

/** How much later than planned a load may end. */
const graceMs = 60_000

/** Memory one thread may hold; a scenario that wants all of it would take the whole run down. */
const mostMemoryMb = 2_048

/** Why a thread gave nothing back that had not begun: what was there before stands in the way. */
class Unbegun extends Error {}

/** How some work is to be watched: whose it is, and how long it may take. */
type Watched = { name: string; limitMs: number; unit?: Unit; ended?: AbortSignal } & {
  /** Whether it is the second thread that it is given to, which may have to start first. */
  again?: true
}

/** Has a thread of the pool do something, and watches it. */
function createAsking(
  pool: Piscina,
  heritage: Heritage,
  most: { mostMs: number; stillMs: number }
) {
  return async function ask<Value>(task: object, watched: Watched): Promise<Value> {
    const { name, unit, ended, again } = watched
    const limitMs = Math.min(watched.limitMs, most.mostMs, longestTimerMs)
    const { stillMs } = most
    const pulse = createPulse()
    const still = new AbortController()
    const deadline = AbortSignal.timeout(limitMs)
    const signal = AbortSignal.any([deadline, still.signal, ...(ended ? [ended] : [])])
    using _ = watchPulse(pulse, {
      stillMs,
      // What waits for a thread that is busy, or is starting, has no pulse yet, and needs none.
      isDue: () => threadOf(pulse) !== 0 || (!again && pool.queueSize === 0),
      onStill: () => still.abort()
    })
    try {
      const outcome = await pool.run({ ...task, pulse }, { name, signal })
      if (outcome === undefined || outcome === null) throw new Error('its thread fell')
      if (unit) heritage.leave(threadOf(pulse), unit)
      if ('fault' in outcome) throw new Faulty(outcome.fault)
      return outcome.ok
    } catch (cause) {
      if (cause instanceof Faulty) throw cause
      const isBegun = threadOf(pulse) !== 0
      // A thread that falls while nobody's code has begun is the heritage of who was there last.
      if (unit || signal.aborted) heritage.forget(threadOf(pulse))
      if (ended?.aborted) throw cause
      if (!isBegun && still.signal.aborted) throw new Unbegun('no thread was there to begin it')
      const isLate = cause instanceof Error && cause.name === 'AbortError'
      if (!isLate) throw cause
      const what = still.signal.aborted
        ? `stood still for ${stillMs / 1_000} s, as in a loop without end`
        : `did not end within ${limitMs / 1_000} s`
      throw new Error(`${what}; its thread was ended`)
    }
  }
}

/** Starts the threads; `onQuestion` hears of every question put to the target once answered. */
export function createPool(options: {
  workers: number
  onQuestion: (question: Question) => void
  /** Longest time anything may take, where that is less than is usual for it. */
  mostMs?: number
  /** Longest time a thread may stand still; default: a minute. */
  stillMs?: number
}): Pool {
  const { workers, mostMs = longestTimerMs, stillMs = stillForMs } = options
  const pool = new Piscina({
    filename: worker,
    minThreads: workers,
    maxThreads: workers,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    // The default parks an idle thread in Atomics.wait, which freezes its sockets and timers.
    atomics: 'disabled'
  })
  const heritage = createHeritage(() => pool.threads.map(({ threadId }) => threadId))
  pool.on('message', (message: unknown) => {
    if (v.is(question, message)) options.onQuestion(message)
    if (v.is(leftover, message)) heritage.add(message)
  })
  // A thread that falls while it has nothing to do is replaced.
  pool.on('error', () => {})
  const once = createAsking(pool, heritage, { mostMs, stillMs })
  const within = async <Value>(task: object, watched: Watched): Promise<Value> => {
    try {
      return await once(task, watched)
    } catch (cause) {
      // The thread it was given to is gone with whoever held it up, and there is another one.
      if (cause instanceof Unbegun) return once(task, { ...watched, again: true })
      throw cause
    }
  }
  /** Has every thread come, each of them once. */
  const together = <Value>(watched: Watched): Promise<Value>[] => {
    const arrived = new SharedArrayBuffer(4)
    return Array.from({ length: workers }, () => once({ arrived, workers }, watched))
  }
  return {
    workers,
    leadMs: 500,
    async ready() {
      await Promise.all(together({ name: 'ready', limitMs: graceMs }))
    },
    work(task, ended) {
      const { unit } = task
      return within(task, { name: 'work', limitMs: deadlineMs(unit), unit, ended })
    },
    missing(task, ended) {
      return within(task, { name: 'missing', limitMs: askingMs, unit: task.unit, ended })
    },
    requests(task, ended) {
      return within(task, { name: 'requests', limitMs: askingMs, unit: task.unit, ended })
    },
    figures(task, ended) {
      return within(task, { name: 'figures', limitMs: askingMs, unit: task.unit, ended })
    },
    share(task, limitMs, ended) {
      const unit = 'unit' in task.source ? task.source.unit : undefined
      return once(task, { name: 'share', limitMs: limitMs + graceMs, unit, ended })
    },
    async settle(ended) {
      const all = together<Leftover[]>({ name: 'settle', limitMs: graceMs, ended })
      const settled = await Promise.allSettled(all)
      for (const one of settled) {
        if (one.status === 'fulfilled') for (const leftover of one.value) heritage.add(leftover)
      }
      return heritage.all()
    },
    close: () => pool.destroy()
  }
}
