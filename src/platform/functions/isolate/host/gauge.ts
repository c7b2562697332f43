import type { Worker } from 'node:worker_threads'
import type { IsolateLimits } from '../contract.ts'
import type { IsolateRules } from '../rules.ts'
import type { Inspector } from './inspector.ts'
import type { ThreadClock } from './thread-clock.ts'

const timeoutsMs = { heap: 300, collect: 500 }

/**
 * Makes the look from outside at the bytes the guest uses, after collecting garbage where there
 * are too many; it answers 0 when that cannot be known.
 */
export function createGauge(options: {
  worker: Worker
  /** Bytes the guest uses itself, which are not counted. */
  ownBytes: number
  inspector: Inspector
  thread: Pick<ThreadClock, 'cpuUs'>
  limits: Pick<IsolateLimits, 'memoryBytes'>
  rules: Pick<IsolateRules, 'buffersCount' | 'unreadableBytes'>
  /** Bytes that wait in the host for what the guest has asked for. */
  heldBytes: () => number
  /** So many bytes were seen in use. */
  onBytes: (bytes: number) => void
}): () => Promise<number> {
  const { worker, ownBytes, inspector, thread, limits, rules, onBytes } = options

  /** Bytes in use; undefined when the guest is in a built-in that answers nobody. */
  const reading = async (): Promise<number | undefined> => {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, timeoutsMs.heap)
    const asked = worker.getHeapStatistics().catch(() => undefined)
    const heap = await Promise.race([asked, late.promise])
    clearTimeout(timer)
    if (!heap) return undefined
    const outside = rules.buffersCount ? heap.external_memory + options.heldBytes() : 0
    const bytes = heap.used_heap_size + outside - ownBytes
    onBytes(bytes)
    return bytes
  }
  return async () => {
    // Buffers are swept by another thread: the first reading after it may still count freed ones.
    for (let collections = 0; ; collections++) {
      const bytes = await reading()
      if (bytes === undefined) {
        const isHuge = process.memoryUsage.rss() > limits.memoryBytes + rules.unreadableBytes
        return isHuge ? Infinity : 0
      }
      if (bytes <= limits.memoryBytes || collections === 2) return bytes
      await inspector.call('collect', { ms: timeoutsMs.collect, cpuUs: thread.cpuUs })
    }
  }
}
