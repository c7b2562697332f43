import { hostname } from 'node:os'
import { Worker } from 'bullmq'
import { clock } from '../clock.ts'
import type { Workforce } from '../engine/drive.ts'
import { createStop } from '../engine/stop.ts'
import { createLiveMemory } from '../load/live.ts'
import { whyEnd } from './lease.ts'
import { fromText, type Order, type Outcome, queueName, type Sign, toText } from './order.ts'
import { connect } from './redis.ts'
import { enrol } from './roster.ts'
import { measureOffset, sharedMs } from './shared-time.ts'
import { snapshot } from './snapshot.ts'

/** An agent that waits for orders. */
export type Agent = {
  id: string
  /** Takes no more orders, and resolves when those it has are done. */
  leave(): Promise<void>
}

/** How often an agent tells how it goes, and asks whether it is to go on. */
const signEveryMs = 250

/** How long Redis may be out of reach before a load is ended: nobody could end it otherwise. */
const unheardMs = 10_000

/** A look that calls `end` when an order has to end, or when nobody could be asked for long. */
function lookout(whyEnd: () => Promise<string | undefined>, end: () => void): () => Promise<void> {
  let heardAt = performance.now()
  return async () => {
    if (performance.now() - heardAt > unheardMs) end()
    if ((await whyEnd()) !== undefined) end()
    heardAt = performance.now()
  }
}

/**
 * Offers the threads of a pool to whoever sends loads through the Redis at `url`. `approve` says
 * why an order is not to be carried out, undefined when it may; `onOrder` hears of those that are.
 */
export async function createAgent(options: {
  url: string
  version: string
  pool: Workforce
  approve: (task: Order['task']) => string | undefined
  onOrder: (task: Order['task']) => void
}): Promise<Agent> {
  const { url, version, pool, approve, onOrder } = options
  const id = `${hostname()}-${process.pid}`
  const [redis, blocking] = await Promise.all([connect(url), connect(url)])
  await pool.ready()
  const offset = () => measureOffset(() => sharedMs(redis), clock)
  const refusal = async (order: Order): Promise<string | undefined> => {
    if (order.version !== version) {
      return `${id} has version ${version}, and the load comes from ${order.version}`
    }
    return (await whyEnd(redis, order)) ?? approve(order.task)
  }
  const carryOut = async (order: Order, tell: (sign: Sign) => Promise<void>): Promise<Outcome> => {
    const refused = await refusal(order)
    if (refused !== undefined) return { agent: id, refused }
    onOrder(order.task)
    const startAt = order.task.startAt - (await offset()).ms
    const [live, stop] = [createLiveMemory(), createStop()]
    const look = lookout(() => whyEnd(redis, order), stop.request)
    const sign = () => {
      look().catch(() => {})
      return tell({ agent: id, live: snapshot(live) })
    }
    await sign()
    const timer = setInterval(() => void sign().catch(() => {}), signEveryMs)
    try {
      const task = { ...order.task, startAt, live, stop: stop.buffer }
      const result = await pool.share(task, order.limitMs)
      await sign()
      return { agent: id, result }
    } finally {
      clearInterval(timer)
    }
  }
  const worker = new Worker<string, string>(
    queueName,
    async (job) => {
      return toText(await carryOut(fromText(job.data), (sign) => job.updateProgress(sign)))
    },
    // What an agent left half done is nobody else's to begin anew.
    { connection: blocking, concurrency: pool.workers, maxStalledCount: 0 }
  )
  // It connects again by itself.
  worker.on('error', () => {})
  const { errorMs: clockErrorMs } = await offset()
  const withdraw = await enrol(redis, { id, threads: pool.workers, version, clockErrorMs })
  return {
    id,
    async leave() {
      await worker.close()
      // Until its last part is done it is there, or that part would be taken for lost.
      await withdraw()
      redis.disconnect()
      blocking.disconnect()
    }
  }
}
