import { extname } from 'node:path'
import { Piscina } from 'piscina'
import { longestTimerMs } from '../clock.ts'
import type { Unit } from './plan.ts'
import type { Asked, Finding, Question, Task } from './worker.ts'
import type { Workforce } from './workforce.ts'

/** The worker threads of this process. */
export type Pool = Workforce & {
  /**
   * Has one thread do a unit's work; rejects when the thread dies, or is ended because the deadline
   * passed or the signal was aborted.
   */
  work: (task: Task, signal: AbortSignal) => Promise<Finding[]>
  /** Has one thread say what a scenario's load is made of. */
  requests: (task: Omit<Task, 'stop'>) => Promise<Asked>
  /** Has one thread ask a target for its figures, as a soak's scenario does. */
  figures: (task: Omit<Task, 'stop'>) => Promise<Record<string, number>>
  close: () => Promise<void>
}

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
  const within = async (limitMs: number, name: string, task: unknown, ended?: AbortSignal) => {
    const deadline = AbortSignal.timeout(Math.min(limitMs, longestTimerMs))
    const signal = AbortSignal.any([deadline, ...(ended ? [ended] : [])])
    try {
      return await pool.run(task, { name, signal })
    } catch (cause) {
      if ((cause as Error).name !== 'AbortError' || ended?.aborted) throw cause
      throw new Error(`did not end within ${limitMs / 1_000} s; its thread was ended`)
    }
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
    close: () => pool.destroy()
  }
}
