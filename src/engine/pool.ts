import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import * as v from 'valibot'
import { longestTimerMs } from '../clock.ts'
import type { Leftover } from './confine.ts'
import type { Finding } from './finding.ts'
import type { Asked, Busy, Question, Task } from './task.ts'
import { createThreads } from './threads.ts'
import type { Unit } from './unit.ts'

/** The worker threads that ask what checks and limits ask, and run most other code of scenarios. */
export type Pool = {
  workers: number
  /** Has one thread do a unit's work; rejects as `Threads` do, and so does all else here. */
  work: (task: Task, signal: AbortSignal) => Promise<Finding[]>
  /** Has one thread say why nothing can be asked of the endpoints a unit needs, if so. */
  missing: (task: Omit<Task, 'stop'>, signal: AbortSignal) => Promise<string | undefined>
  /** Has one thread say what a scenario's load is made of. */
  requests: (task: Omit<Task, 'stop'>, signal: AbortSignal) => Promise<Asked>
  /** Has one thread ask a target for its figures, as a soak's scenario does. */
  figures: (task: Omit<Task, 'stop'>, signal: AbortSignal) => Promise<Record<string, number>>
  /** What went wrong with what scenarios have left behind, once all work is done. */
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
const file = new URL(`./check-thread${extname(import.meta.url)}`, import.meta.url)

/** Longest time a question about a scenario may take: its thread is ended then. */
const askingMs = 120_000

/** What a thread tells of work that it does not end; only who does that work knows its ticket. */
const busy = v.looseObject({
  kind: v.literal('busy'),
  ticket: v.string(),
  findings: v.array(v.any())
})

/** So many times the longest attempt of a check is the longest that all of them may take. */
const attemptsAtMost = 4

/**
 * Longest time one unit may take, a search being several questions, and one attempt at a check;
 * likewise.
 */
function deadlineMs({ kind, tier }: Unit): number {
  if (tier === 'long') return 4 * 3_600_000
  if (tier === 'full') return 1_800_000
  return kind === 'limit' ? 600_000 : askingMs
}

/** Starts the threads; `onQuestion` hears of every question put to the target once answered. */
export function createPool(options: {
  workers: number
  /** How many units there are to work on, where that is known: threads beyond would stay idle. */
  units?: number
  onQuestion: (question: Question) => void
  /** Longest time anything may take, where that is less than is usual for it. */
  mostMs?: number
  /** Longest time a thread may stand still; default: a minute. */
  stillMs?: number
}): Pool {
  const { workers, units = workers, onQuestion, ...most } = options
  const { mostMs = longestTimerMs } = most
  const waiting = new Map<string, (told: Finding[]) => void>()
  const threads = createThreads({
    ...{ file, count: Math.max(1, Math.min(workers, units)), ...most },
    onMessage(message) {
      if (v.is(question, message)) onQuestion(message)
      else if (v.is(busy, message)) waiting.get(message.ticket)?.((message as Busy).findings)
    }
  })
  const asking = <Value>(name: string, task: Omit<Task, 'stop'>, ended: AbortSignal) => {
    return threads.askAgain<Value>(task, { name, limitMs: askingMs, unit: task.unit, ended })
  }
  return {
    workers,
    async work(task, signal) {
      const { unit } = task
      const ticket = randomUUID()
      const told = new AbortController()
      let findings: Finding[] | undefined
      waiting.set(ticket, (found) => {
        findings = found
        told.abort()
      })
      const ended = AbortSignal.any([signal, told.signal])
      // The thread itself sees first that an attempt takes too long, where it can still turn.
      const attemptMs = Math.min(deadlineMs(unit), mostMs / 2)
      const limitMs = deadlineMs(unit) * (unit.kind === 'check' ? attemptsAtMost : 1)
      const timed = { ...task, ticket, attemptMs }
      try {
        return await threads.askAgain<Finding[]>(timed, { name: 'work', limitMs, unit, ended })
      } catch (cause) {
        if (findings) return findings
        throw cause
      } finally {
        waiting.delete(ticket)
      }
    },
    missing: (task, ended) => asking('missing', task, ended),
    requests: (task, ended) => asking('requests', task, ended),
    figures: (task, ended) => asking('figures', task, ended),
    settle: threads.settle,
    close: threads.close
  }
}
