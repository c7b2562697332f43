import { extname } from 'node:path'
import type { Leftover } from './confine.ts'
import type { Destination, LoadWorker, LoadWorkers } from './load-worker.ts'
import { createThreads, type Threads } from './threads.ts'
import type { Unit } from './unit.ts'

/** Threads of this process that send loads. */
export type SenderThreads = LoadWorkers & {
  /** What went wrong with what scenarios have left behind, once all loads are over. */
  settle(signal: AbortSignal): Promise<Leftover[]>
  close(): Promise<void>
}

const file = new URL(`./sender-thread${extname(import.meta.url)}`, import.meta.url)

/** Time for an order to reach every thread. */
const leadMs = 5

/** What a thread sees of a stop, it sees within 50 ms as a rule. */
const patienceMs = 1_000

/** What a thread has for an order beyond what its requests may take, on however slow a machine. */
const graceMs = 60_000

/** How long it may take to end its connections; what does not is ended with its thread. */
const closingMs = 2_000

function unitOf({ source }: Destination): Unit | undefined {
  return 'unit' in source ? source.unit : undefined
}

/** A thread of its own, since its connections have to be there when it is asked again. */
function createThread() {
  let thread: Threads | undefined
  let units: (Unit | undefined)[] = []
  const worker: LoadWorker = {
    open(order, limitMs) {
      units = order.destinations.map(unitOf)
      thread ??= createThreads({ file, count: 1 })
      const [unit] = units.filter((one) => one !== undefined)
      return thread.askAgain(order, { name: 'open', limitMs: limitMs + graceMs, unit })
    },
    async trial(order, limitMs) {
      if (thread === undefined) throw new Error('there are no connections to send over')
      const unit = units[order.to[0]!]
      return thread.ask(order, { name: 'trial', limitMs: limitMs + graceMs, unit })
    },
    async close() {
      await thread?.ask({}, { name: 'close', limitMs: closingMs })
    }
  }
  return {
    worker,
    settle: async (signal: AbortSignal) => (await thread?.settle(signal)) ?? [],
    end: async () => void (await thread?.close())
  }
}

/** So many threads, each of which starts when it is first asked for. */
export function createSenderThreads(count: number): SenderThreads {
  const threads = Array.from({ length: count }, createThread)
  return {
    all: threads.map(({ worker }) => worker),
    ...{ leadMs: () => leadMs, patienceMs },
    settle: async (signal) => {
      const left = await Promise.all(threads.map(({ settle }) => settle(signal)))
      // Several threads may have been left with the same thing.
      return [...new Map(left.flat().map((one) => [one.scenario, one])).values()]
    },
    close: async () => void (await Promise.all(threads.map(({ end }) => end())))
  }
}
