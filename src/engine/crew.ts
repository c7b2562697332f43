import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { clock, longestTimerMs } from '../clock.ts'
import { durationMs, type Load } from '../load/load.ts'
import { type LoadResult, mergeShares } from '../load/result.ts'
import type { ShareResult } from '../load/run.ts'
import type { RigOptions } from './rig.ts'
import type { Answer, Order, ThreadData } from './rig-thread.ts'
import { type Stop, Stopped } from './stop.ts'

/** Threads that keep connections to several targets open and send short loads over them. */
export type Crew = {
  /** Makes all connections to a target anew. Rejects with `Stopped`, as `trial` does. */
  open(target: number): Promise<void>
  /** Sends a load to a target; each thread its part of it. A stop cuts it short. */
  trial(target: number, trial: { load: Load; seed: number }): Promise<LoadResult>
  close(): Promise<void>
}

type Bare<Kind> = Kind extends unknown ? Omit<Kind, 'id'> : never

const file = new URL(`./rig-thread${extname(import.meta.url)}`, import.meta.url)

/** Time for an order to reach every thread. */
const leadMs = 5

/** What a thread has for an order beyond what its requests may take, on however slow a machine. */
const graceMs = 60_000

/** What it has for an order once a stop was requested, which it sees within 50 ms as a rule. */
const stopPatienceMs = 1_000

/** A thread that can be asked, and answers. */
function createThread(workerData: ThreadData, { signal }: Stop) {
  const thread = new Worker(file, { workerData })
  const waiting = new Map<number, PromiseWithResolvers<any>>()
  let asked = 0
  const failAll = (cause: Error) => {
    for (const { reject } of waiting.values()) reject(cause)
    waiting.clear()
  }
  thread.on('message', ({ id, result, error }: Answer) => {
    // Absent when it was given up, or when the thread fell while its answer was under way.
    const asker = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asker?.resolve(result)
    else asker?.reject(new Error(error))
  })
  thread.on('error', failAll)
  thread.on('exit', () => failAll(new Error('a load thread ended')))
  return {
    ask<Result>(order: Bare<Order>, limitMs: number): Promise<Result> {
      const answer = Promise.withResolvers<Result>()
      const id = asked++
      waiting.set(id, answer)
      thread.postMessage({ ...order, id })
      const tooLate = new Error(`a load thread did not answer within ${limitMs / 1_000} s`)
      const timer = setTimeout(failAll, limitMs, tooLate)
      let patience: NodeJS.Timeout
      const hurry = () => {
        const stopped = new Stopped('stopped before a load thread had answered')
        patience = setTimeout(answer.reject, stopPatienceMs, stopped)
      }
      if (signal.aborted) hurry()
      else signal.addEventListener('abort', hurry)
      return answer.promise.finally(() => {
        clearTimeout(timer)
        clearTimeout(patience)
        signal.removeEventListener('abort', hurry)
      })
    },
    end: () => thread.terminate()
  }
}

/** Starts so many threads, with no connections yet; `stop` ends a trial early. */
export function createCrew(options: {
  workers: number
  targets: readonly Omit<RigOptions, 'share'>[]
  stop: Stop
}): Crew {
  const { workers, targets, stop } = options
  const count = Math.min(workers, ...targets.map(({ connections }) => connections))
  const threads = Array.from({ length: count }, (_, index) => {
    const own = targets.map((target) => ({ ...target, share: { index, count } }))
    return createThread({ targets: own, stop: stop.buffer }, stop)
  })
  const askAll = <Result>(order: Bare<Order>, mostMs: number) => {
    const limitMs = Math.min(mostMs + graceMs, longestTimerMs)
    return Promise.all(threads.map((thread) => thread.ask<Result>(order, limitMs)))
  }
  return {
    async open(target) {
      const { connections, timeoutMs } = targets[target]!
      await askAll({ kind: 'open', target }, connections * timeoutMs)
    },
    async trial(target, { load, seed }) {
      const task = { load, seed, startAt: clock.now() + leadMs }
      const mostMs = durationMs(load.phases) + 2 * load.timeoutMs
      return mergeShares(await askAll<ShareResult>({ kind: 'trial', target, task }, mostMs))
    },
    async close() {
      await Promise.all(threads.map(({ end }) => end()))
    }
  }
}
