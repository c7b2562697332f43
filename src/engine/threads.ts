import { Piscina } from 'piscina'
import * as v from 'valibot'
import { longestTimerMs } from '../clock.ts'
import { Faulty, faultSchema } from '../fault.ts'
import type { Leftover } from './confine.ts'
import { createPulse, threadOf, watchPulse } from './pulse.ts'
import { createThreadLeftovers, type ThreadLeftovers } from './thread-leftovers.ts'
import type { Unit } from './unit.ts'

/** Worker threads of one file, which do what its functions do. */
export type Threads = {
  /**
   * Has one thread call a function of its file; rejects with `Faulty` for what the code of others
   * threw, and with another Error when the thread dies, or is ended because the work took too long,
   * the thread stood still, or the signal was aborted.
   */
  ask<Value>(task: object, watched: Watched): Promise<Value>
  /** The same, and once more where the thread that should have begun it could not. */
  askAgain<Value>(task: object, watched: Watched): Promise<Value>
  /**
   * Waits a moment for what scenarios have left behind, once all work is done, and resolves to what
   * went wrong with it: it threw, or took its thread with it.
   */
  settle(signal: AbortSignal): Promise<Leftover[]>
  close(): Promise<void>
}

const leftover = v.strictObject({
  kind: v.literal('leftover'),
  scenario: v.string(),
  fault: faultSchema
})

/** Longest time that every thread may take to come. */
const meetingMs = 60_000

/**
 * A thread whose event loop has not turned for so long is in a loop without end, and is ended.
 * Nothing that is right to do takes as long in one turn, even where a core is shared by many.
 */
const stillForMs = 60_000

/** Memory one thread may hold; a scenario that wants all of it would take the whole run down. */
const mostMemoryMb = 2_048

/** Why a thread gave nothing back that had not begun: what was there before stands in the way. */
class Unbegun extends Error {}

/** How some work is to be watched: which function, whose it is, and how long it may take. */
export type Watched = { name: string; limitMs: number; unit?: Unit; ended?: AbortSignal } & {
  /** Whether it is the second thread that it is given to, which may have to start first. */
  again?: true
}

/** Has a thread of the pool do something, and watches it. */
function createAsking(
  pool: Piscina,
  leftovers: ThreadLeftovers,
  most: { mostMs: number; stillMs: number }
) {
  return async function ask<Value>(task: object, watched: Watched): Promise<Value> {
    const { name, unit, ended, again } = watched
    const limitMs = Math.min(watched.limitMs, most.mostMs, longestTimerMs)
    const { stillMs } = most
    const pulse = createPulse()
    const still = new AbortController()
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), limitMs)
    const signal = AbortSignal.any([late.signal, still.signal, ...(ended ? [ended] : [])])
    using _ = watchPulse(pulse, {
      stillMs,
      // What waits for a thread that is busy, or is starting, has no pulse yet, and needs none.
      isDue: () => threadOf(pulse) !== 0 || (!again && pool.queueSize === 0),
      onStill: () => still.abort()
    })
    try {
      const outcome = await pool.run({ ...task, pulse }, { name, signal })
      if (outcome === undefined || outcome === null) throw new Error('its thread fell')
      if (unit) leftovers.leave(threadOf(pulse), unit)
      if ('fault' in outcome) throw new Faulty(outcome.fault)
      return outcome.ok
    } catch (cause) {
      if (cause instanceof Faulty) throw cause
      const isBegun = threadOf(pulse) !== 0
      // A thread that falls while nobody's code has begun was left so by who was there last.
      if (unit || signal.aborted) leftovers.forget(threadOf(pulse))
      if (ended?.aborted) throw cause
      if (!isBegun && still.signal.aborted) throw new Unbegun('no thread was there to begin it')
      const isLate = cause instanceof Error && cause.name === 'AbortError'
      if (!isLate) throw cause
      const what = still.signal.aborted
        ? `stood still for ${stillMs / 1_000} s, as in a loop without end`
        : `did not end within ${limitMs / 1_000} s`
      throw new Error(`${what}; its thread was ended`)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Starts so many threads of a file; `onMessage` hears of what they tell meanwhile. */
export function createThreads(options: {
  file: URL
  count: number
  onMessage?: (message: unknown) => void
  /** Longest time anything may take, where that is less than is usual for it. */
  mostMs?: number
  /** Longest time a thread may stand still; default: a minute. */
  stillMs?: number
}): Threads {
  const { file, count, onMessage, mostMs = longestTimerMs, stillMs = stillForMs } = options
  const pool = new Piscina({
    filename: file.href,
    minThreads: count,
    maxThreads: count,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
    // The default parks an idle thread in Atomics.wait, which freezes its sockets and timers.
    atomics: 'disabled'
  })
  const leftovers = createThreadLeftovers(() => pool.threads.map(({ threadId }) => threadId))
  pool.on('message', (message: unknown) => {
    onMessage?.(message)
    if (v.is(leftover, message)) leftovers.add(message)
  })
  // A thread that falls while it has nothing to do is replaced.
  pool.on('error', () => {})
  const ask = createAsking(pool, leftovers, { mostMs, stillMs })
  return {
    ask,
    async askAgain(task, watched) {
      try {
        return await ask(task, watched)
      } catch (cause) {
        // The thread it was given to is gone with whoever held it up, and there is another one.
        if (cause instanceof Unbegun) return ask(task, { ...watched, again: true })
        throw cause
      }
    },
    async settle(ended) {
      // Every thread is to come, each of them once.
      const call = { arrived: new SharedArrayBuffer(4), workers: count }
      const watched = { name: 'settle', limitMs: meetingMs, ended }
      const all = Array.from({ length: count }, () => ask<Leftover[]>(call, watched))
      for (const one of await Promise.allSettled(all)) {
        if (one.status === 'fulfilled') for (const leftover of one.value) leftovers.add(leftover)
      }
      return leftovers.all()
    },
    close: () => pool.destroy()
  }
}
