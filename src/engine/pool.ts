import { extname } from 'node:path'
import { Piscina } from 'piscina'
import type { ShareResult } from '../load/run.ts'
import type { ShareTask } from './drive.ts'
import type { Asked, Finding, Question, Task } from './worker.ts'

/** The worker threads of this process. */
export type Pool = {
  workers: number
  /** Resolves once every thread has started and loaded its code. */
  ready: () => Promise<void>
  /** Has one thread do a unit's work; rejects when the thread dies or the deadline passes. */
  work: (task: Task) => Promise<Finding[]>
  /** Has one thread say what a scenario's load is made of. */
  requests: (task: Omit<Task, 'stop'>) => Promise<Asked>
  /** Has one thread ask a target for its figures, as a soak's scenario does. */
  figures: (task: Omit<Task, 'stop'>) => Promise<Record<string, number>>
  /** Has one thread carry out its part of a load, which should end within `limitMs`. */
  share: (task: ShareTask, limitMs: number) => Promise<ShareResult>
  close: () => Promise<void>
}

const worker = new URL(`./worker${extname(import.meta.url)}`, import.meta.url).href

/** Longest time one unit may take; the thread of one that takes longer is ended. */
const deadlineMs = { check: 120_000, limit: 600_000 }

/** How much later than planned a load may end; a timer can wait no longer than the maximum. */
const graceMs = 60_000
const longestTimerMs = 2 ** 31 - 1

/** Starts the threads; `onQuestion` hears of every question put to the target once answered. */
export function createPool(options: {
  workers: number
  onQuestion: (question: Question) => void
}): Pool {
  const pool = new Piscina({
    filename: worker,
    minThreads: options.workers,
    maxThreads: options.workers,
    // The default parks an idle thread in Atomics.wait, which freezes its sockets and timers.
    atomics: 'disabled'
  })
  pool.on('message', options.onQuestion)
  const within = async (limitMs: number, name: string, task: unknown) => {
    const signal = AbortSignal.timeout(Math.min(limitMs, longestTimerMs))
    try {
      return await pool.run(task, { name, signal })
    } catch (cause) {
      if ((cause as Error).name !== 'AbortError') throw cause
      throw new Error(`did not end within ${limitMs / 1_000} s; its thread was ended`)
    }
  }
  return {
    workers: options.workers,
    async ready() {
      const arrived = new SharedArrayBuffer(4)
      const { workers } = options
      const calls = Array.from({ length: workers }, () => ({ arrived, workers }))
      await Promise.all(calls.map((call) => within(graceMs, 'ready', call)))
    },
    work: (task) => within(deadlineMs[task.unit.kind as 'check' | 'limit'], 'work', task),
    requests: (task) => within(deadlineMs.check, 'requests', task),
    figures: (task) => within(deadlineMs.check, 'figures', task),
    share: (task, limitMs) => within(limitMs + graceMs, 'share', task),
    close: () => pool.destroy()
  }
}
