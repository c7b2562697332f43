import { extname } from 'node:path'
import { Piscina } from 'piscina'
import type { Unit } from './plan.ts'
import type { Finding, Question, Task } from './worker.ts'

/** The worker threads of this process. */
export type Pool = {
  workers: number
  /** Has one thread do a unit's work; rejects when the thread dies or the deadline passes. */
  work: (task: Task) => Promise<Finding[]>
  close: () => Promise<void>
}

const worker = new URL(`./worker${extname(import.meta.url)}`, import.meta.url).href

/** Longest time one unit may take; the thread of one that takes longer is ended. */
const deadlineMs: Record<Unit['kind'], number> = { check: 120_000, limit: 600_000 }

/** Starts the threads; `onQuestion` hears of every question put to the target, as it is answered. */
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
  return {
    workers: options.workers,
    async work(task) {
      const limitMs = deadlineMs[task.unit.kind]
      try {
        return await pool.run(task, { signal: AbortSignal.timeout(limitMs) })
      } catch (cause) {
        if ((cause as Error).name !== 'AbortError') throw cause
        throw new Error(`did not end within ${limitMs / 1_000} s; its thread was ended`)
      }
    },
    close: () => pool.destroy()
  }
}
