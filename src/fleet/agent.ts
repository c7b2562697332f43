import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { clock } from '../clock.ts'
import { type LoadWorkers, Refused } from '../engine/load-worker.ts'
import { register } from './agent-registry.ts'
import { type Adopted, createAgentThread, unwanted } from './agent-thread.ts'
import { whyEnd } from './lease.ts'
import {
  type OrderTo,
  type PartOrder,
  type PartOutcome,
  queueOf,
  readOrder,
  type Sign,
  toText
} from './order.ts'
import { connect } from './redis.ts'
import { keepOffset, sharedMs } from './shared-time.ts'

/** An agent that waits for orders. */
export type Agent = {
  id: string
  /**
   * Takes no more orders, and resolves when those it has are done: at once where there is no Redis
   * to tell of them.
   */
  leave(): Promise<void>
}

/** No load begins as far ahead: its sender gives notice of two seconds. */
const furthestMs = 60_000

/** How often is looked whether a Redis is there. */
const lookEveryMs = 250

/** How long taking leave of a Redis may take. */
const partingMs = 3_000

/** Resolves once a Redis has been away for as long as taking leave of it may take, or on abort. */
async function unheard(redis: Redis, signal: AbortSignal): Promise<void> {
  let silentMs = 0
  while (silentMs < partingMs && !signal.aborted) {
    await pause(lookEveryMs, undefined, { signal }).catch(() => {})
    silentMs = redis.status === 'ready' ? 0 : silentMs + lookEveryMs
  }
}

/**
 * Offers threads to whoever sends loads through the Redis at `url`. `adopt` makes the destinations
 * of an order this machine's own; it rejects with `Refused` for what may not be sent from here.
 */
export async function createAgent(options: {
  url: string
  version: string
  workers: LoadWorkers
  adopt: (order: OrderTo<'open'>) => Promise<Adopted>
}): Promise<Agent> {
  const { url, version, workers, adopt } = options
  const id = `${hostname()}-${process.pid}`
  const { redis, part } = await connect(url)
  const { offset, end: endOffset } = await keepOffset(() => sharedMs(redis), clock)
  const threads = workers.all.map((worker) => createAgentThread(redis, worker, adopt))
  // A refusal is an answer; what else goes wrong is a part that is lost.
  const toldOf = (cause: Error): PartOutcome => {
    const message = `${id}: ${cause.message}`
    if (cause instanceof Refused) return { refused: message }
    throw new Error(message, { cause })
  }
  const carryOut = async (
    order: PartOrder,
    tell: (sign: Sign) => Promise<void>
  ): Promise<PartOutcome> => {
    const thread = threads[order.thread]
    if (thread === undefined) throw new Error(`there is no thread ${order.thread} here`)
    if (order.version !== version) {
      throw new Error(`Plimsoll is ${version} here, and the load comes from ${order.version}`)
    }
    if ((await whyEnd(redis, order)) !== undefined) throw new Error(unwanted)
    if (order.kind === 'close') return thread.close().then(() => ({}))
    if (order.kind === 'open') return thread.open(order, () => tell({})).then(() => ({}))
    const startAt = order.startAt - offset().ms
    if (startAt > clock.now() + furthestMs) throw new Error('the load begins too far ahead')
    return { result: await thread.trial({ ...order, startAt }, tell) }
  }
  const inbox = new Worker<string, string>(
    queueOf(id),
    async (job) => {
      const read = async () => readOrder(job.data)
      const done = read().then((order) => carryOut(order, (sign) => job.updateProgress(sign)))
      return toText(await done.catch(toldOf))
    },
    // A thread may be told to close while it is at something. What an agent left half done is
    // nobody else's to begin anew.
    { connection: redis, concurrency: 2 * threads.length, maxStalledCount: 0 }
  )
  // It connects again by itself.
  inbox.on('error', () => {})
  const { errorMs: clockErrorMs } = offset()
  const withdraw = await register(redis, { id, threads: threads.length, version, clockErrorMs })
  const closeThreads = () => Promise.allSettled(threads.map((thread) => thread.close()))
  return {
    id,
    async leave() {
      const parted = new AbortController()
      // Until its last part is done it is there, or that part would be taken for lost.
      const parting = inbox
        .close()
        .then(withdraw)
        .finally(() => parted.abort())
      await Promise.race([parting.catch(() => {}), unheard(redis, parted.signal)])
      // Without a Redis nobody would hear of what is under way, and nobody could end it.
      await closeThreads()
      if (!parted.signal.aborted) withdraw().catch(() => {})
      endOffset()
      part()
    }
  }
}
