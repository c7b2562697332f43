import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { createMeter, returnMs } from '../caps.ts'
import { clock } from '../clock.ts'
import type { ShareTask } from '../engine/drive.ts'
import { createStop } from '../engine/stop.ts'
import { Refused, type Workforce } from '../engine/workforce.ts'
import { createLiveMemory } from '../load/live.ts'
import { type Ending, whyEnd } from './lease.ts'
import { type Order, type Outcome, queueName, readOrder, type Sign, toText } from './order.ts'
import { connect } from './redis.ts'
import { enrol } from './roster.ts'
import { measureOffset, sharedMs } from './shared-time.ts'
import { snapshot } from './snapshot.ts'

/** An agent that waits for orders. */
export type Agent = {
  id: string
  /**
   * Takes no more orders, and resolves when those it has are done: at once where there is no Redis
   * to tell of them.
   */
  leave(): Promise<void>
}

/** A part of a load as an agent's own, and what is to be called when it is over. */
export type Adopted = { task: Omit<ShareTask, 'live' | 'stop'>; over: () => void }

/** How often an agent tells how it goes, and asks whether it is to go on. */
const signEveryMs = 250

const unwanted = 'whoever sent the load no longer waits for it'

/** How long Redis may be out of reach before a load is ended: nobody could end it otherwise. */
const unheardMs = 10_000

/** No load begins as far ahead: its sender gives notice of two seconds. */
const furthestMs = 60_000

/** How long taking leave of a Redis may take. */
const partingMs = 3_000

/** Resolves once a Redis has been away for as long as taking leave of it may take, or on abort. */
async function unheard(redis: Redis, signal: AbortSignal): Promise<void> {
  let silentMs = 0
  while (silentMs < partingMs && !signal.aborted) {
    await pause(signEveryMs, undefined, { signal }).catch(() => {})
    silentMs = redis.status === 'ready' ? 0 : silentMs + signEveryMs
  }
}

/** A look that calls `end` when an order has to end, or when nobody could be asked for long. */
function lookout(
  whyEnd: () => Promise<Ending | undefined>,
  end: (ending: Ending) => void
): () => Promise<void> {
  let heardAt = performance.now()
  return async () => {
    if (performance.now() - heardAt > unheardMs) end('deserted')
    const ending = await whyEnd()
    if (ending !== undefined) end(ending)
    heardAt = performance.now()
  }
}

/** Carries out parts of loads, and tells how they go. */
function createDuty({ id, redis, pool }: { id: string; redis: Redis; pool: Workforce }) {
  const underWay = new Map<Promise<unknown>, () => void>()
  return {
    async carryOut(
      order: Order,
      { task, over }: Adopted,
      tell: (sign: Sign) => Promise<void>
    ): Promise<Outcome> {
      const [live, stop] = [createLiveMemory(), createStop()]
      let ending: Ending | undefined
      const end = (why: Ending) => {
        ending ??= why
        stop.request()
      }
      const look = lookout(() => whyEnd(redis, order), end)
      const all = Object.values(task.routes).flatMap(({ caps }) => caps ?? [])
      const meters = all.map(createMeter)
      const sign = () => {
        if (meters.some(({ isOver }) => isOver(clock.now() - returnMs))) end('stopped')
        look().catch(() => {})
        return tell({ agent: id, live: snapshot(live) })
      }
      const timer = setInterval(() => void sign().catch(() => {}), signEveryMs)
      try {
        await sign()
        const sharing = pool.share({ ...task, live, stop: stop.buffer }, order.limitMs)
        underWay.set(sharing, () => end('deserted'))
        const result = await sharing.finally(() => underWay.delete(sharing))
        // What was broken off for want of anybody to tell is not the part that was asked for.
        if (ending === 'deserted') throw new Error(unwanted)
        await sign()
        return { result }
      } finally {
        clearInterval(timer)
        over()
      }
    },
    /** Ends what is under way, of which nobody would hear. */
    async desert(): Promise<void> {
      for (const end of underWay.values()) end()
      await Promise.allSettled(underWay.keys())
    }
  }
}

/**
 * Offers the threads of a pool to whoever sends loads through the Redis at `url`. `adopt` makes an
 * order's part, with its start by this machine's clock, one of this machine's own; it rejects with
 * `Refused` for what may not be sent from here.
 */
export async function createAgent(options: {
  url: string
  version: string
  pool: Workforce
  adopt: (order: Pick<Order, 'task' | 'digest'>) => Promise<Adopted>
}): Promise<Agent> {
  const { url, version, pool, adopt } = options
  const id = `${hostname()}-${process.pid}`
  const { redis, part } = await connect(url)
  await pool.ready()
  const offset = () => measureOffset(() => sharedMs(redis), clock)
  // A refusal is an answer; what else goes wrong is a part that is lost.
  const toldOf = (cause: Error): Outcome => {
    const message = `${id}: ${cause.message}`
    if (cause instanceof Refused) return { refused: message }
    throw new Error(message, { cause })
  }
  const accepted = async (order: Order): Promise<Adopted> => {
    if (order.version !== version) {
      throw new Error(`Plimsoll is ${version} here, and the load comes from ${order.version}`)
    }
    if ((await whyEnd(redis, order)) !== undefined) throw new Error(unwanted)
    const startAt = order.task.startAt - (await offset()).ms
    if (startAt > clock.now() + furthestMs) throw new Error('the load begins too far ahead')
    return adopt({ ...order, task: { ...order.task, startAt } })
  }
  const duty = createDuty({ id, redis, pool })
  const worker = new Worker<string, string>(
    queueName,
    async (job) => {
      const carryOut = async () => {
        const order = readOrder(job.data)
        const adopted = await accepted(order)
        return duty.carryOut(order, adopted, (sign) => job.updateProgress(sign))
      }
      return toText(await carryOut().catch(toldOf))
    },
    // What an agent left half done is nobody else's to begin anew.
    { connection: redis, concurrency: pool.workers, maxStalledCount: 0 }
  )
  // It connects again by itself.
  worker.on('error', () => {})
  const { errorMs: clockErrorMs } = await offset()
  const withdraw = await enrol(redis, { id, threads: pool.workers, version, clockErrorMs })
  return {
    id,
    async leave() {
      const parted = new AbortController()
      // Until its last part is done it is there, or that part would be taken for lost.
      const parting = worker
        .close()
        .then(withdraw)
        .finally(() => parted.abort())
      await Promise.race([parting.catch(() => {}), unheard(redis, parted.signal)])
      // Without a Redis nobody would hear of what is under way, and nobody could end it.
      await duty.desert()
      if (!parted.signal.aborted) withdraw().catch(() => {})
      part()
    }
  }
}
