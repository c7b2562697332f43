import { hostname } from 'node:os'
import { Worker } from 'bullmq'
import { clock } from '../clock.ts'
import { createStop } from '../engine/stop.ts'
import { Refused, type Workforce } from '../engine/workforce.ts'
import { createLiveMemory } from '../load/live.ts'
import { type Ending, whyEnd } from './lease.ts'
import {
  fromText,
  type Order,
  type Outcome,
  type Part,
  queueName,
  type Sign,
  toText
} from './order.ts'
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

const unwanted = 'whoever sent the load no longer waits for it'

/** How long Redis may be out of reach before a load is ended: nobody could end it otherwise. */
const unheardMs = 10_000

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

/**
 * Offers the threads of a pool to whoever sends loads through the Redis at `url`. `adopt` makes an
 * order's part one of this machine's own; it throws `Refused` for what may not be sent from here.
 */
export async function createAgent(options: {
  url: string
  version: string
  pool: Workforce
  adopt: (order: Pick<Order, 'task' | 'digest'>) => Part
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
  const accepted = async (order: Order): Promise<Part> => {
    if (order.version !== version) {
      throw new Error(`Plimsoll is ${version} here, and the load comes from ${order.version}`)
    }
    if ((await whyEnd(redis, order)) !== undefined) throw new Error(unwanted)
    return adopt(order)
  }
  const carryOut = async (order: Order, tell: (sign: Sign) => Promise<void>): Promise<Outcome> => {
    const own = await accepted(order)
    const startAt = order.task.startAt - (await offset()).ms
    const [live, stop] = [createLiveMemory(), createStop()]
    let ending: Ending | undefined
    const end = (why: Ending) => {
      ending ??= why
      stop.request()
    }
    const look = lookout(() => whyEnd(redis, order), end)
    const sign = () => {
      look().catch(() => {})
      return tell({ agent: id, live: snapshot(live) })
    }
    await sign()
    const timer = setInterval(() => void sign().catch(() => {}), signEveryMs)
    try {
      const task = { ...own, startAt, live, stop: stop.buffer }
      const result = await pool.share(task, order.limitMs)
      // What was broken off for want of anybody to tell is not the part that was asked for.
      if (ending === 'deserted') throw new Error(unwanted)
      await sign()
      return { result }
    } finally {
      clearInterval(timer)
    }
  }
  const worker = new Worker<string, string>(
    queueName,
    async (job) => {
      const done = carryOut(fromText(job.data), (sign) => job.updateProgress(sign))
      return toText(await done.catch(toldOf))
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
      await worker.close()
      // Until its last part is done it is there, or that part would be taken for lost.
      await withdraw()
      part()
    }
  }
}
