import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Queue, QueueEvents } from 'bullmq'
import type { Redis } from 'ioredis'
import { clock } from '../clock.ts'
import type { ShareTask } from '../engine/drive.ts'
import type { Workforce } from '../engine/workforce.ts'
import type { ShareResult } from '../load/run.ts'
import { fileDigest } from './file-digest.ts'
import { type Lease, leaseHolder, takeLease } from './lease.ts'
import { asPart, type Order, queueName, type Sign, toText } from './order.ts'
import { createPending } from './pending.ts'
import { connect } from './redis.ts'
import { type AgentEntry, agents } from './roster.ts'
import { measureOffset, sharedMs } from './shared-time.ts'

/** The threads of all agents, to be used like those of this process. */
export type Fleet = Workforce & {
  agents: readonly AgentEntry[]
  close(): Promise<void>
}

/** Which agents are wanted, and how long to wait for them. */
type Wanted = {
  /** At least so many. */
  least: number
  waitMs: number
  version: string
  /** Ends the waiting. */
  signal: AbortSignal
  /** Told that there are not enough yet. */
  onWaiting: (there: number) => void
}

/** Time for orders to reach every agent, and for its threads to make their connections. */
const leadMs = 2_000
const lookEveryMs = 250
/** How long taking leave of a Redis may take. */
const partingMs = 3_000

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

async function assembled(redis: Redis, wanted: Wanted): Promise<AgentEntry[]> {
  const { least, waitMs, version, signal, onWaiting } = wanted
  const until = clock.now() + waitMs
  let told = -1
  for (;;) {
    const there = await agents(redis)
    const other = there.find((agent) => agent.version !== version)
    if (other) {
      throw new Error(`${other.id} has Plimsoll ${other.version}, and this is ${version}`)
    }
    if (there.length >= least) return there
    if (signal.aborted) throw new Error('stopped while waiting for agents')
    if (clock.now() >= until) {
      const found = `${plural(there.length, 'agent')} of ${least}`
      throw new Error(`${found} came within ${waitMs / 1_000} s; start \`plimsoll agent\` there`)
    }
    if (there.length !== told) onWaiting(there.length)
    told = there.length
    await pause(lookEveryMs)
  }
}

async function leased(redis: Redis): Promise<Lease> {
  const lease = await takeLease(redis, `${hostname()}-${process.pid}-${randomUUID()}`)
  if (lease) return lease
  const holder = await leaseHolder(redis)
  throw new Error(`the agents are taken by ${holder ?? 'another load'}; wait until it is over`)
}

/** What tells a scenario's file from another of the same name; undefined for given requests. */
function digestOf(source: ShareTask['source']): string | undefined {
  return 'unit' in source ? fileDigest(source.unit.file) : undefined
}

/** The threads of agents under a lease. */
async function workforce(
  redis: Redis,
  parts: { lease: Lease; there: AgentEntry[]; version: string }
) {
  const { lease, there, version } = parts
  const queue = new Queue<string, string>(queueName, { connection: redis })
  const events = new QueueEvents(queueName, { connection: redis })
  // Both connect again by themselves.
  queue.on('error', () => {})
  events.on('error', () => {})
  const pending = createPending({
    leadMs,
    present: async () => (await agents(redis)).map(({ id }) => id),
    stop: lease.stop,
    async forget(order) {
      await queue.remove(order)
    }
  })
  events.on('progress', ({ jobId, data }) => pending.sign(jobId, data as Sign))
  events.on('completed', ({ jobId, returnvalue }) => pending.complete(jobId, returnvalue))
  events.on('failed', ({ jobId, failedReason }) => pending.fail(jobId, new Error(failedReason)))
  const send = async (order: Omit<Order, 'task' | 'digest'>, given: ShareTask) => {
    const digest = digestOf(given.source)
    const offset = await measureOffset(() => sharedMs(redis), clock)
    const task = asPart({ ...given, startAt: given.startAt + offset.ms })
    // A part that fails is lost, and nobody takes it up anew; nothing of it stays behind.
    const once = { jobId: order.id, attempts: 1, removeOnComplete: true, removeOnFail: true }
    await queue.add('share', toText({ ...order, task, digest } satisfies Order), once)
  }
  let sent = 0
  // What happens before there is somebody to hear of it is lost.
  await events.waitUntilReady()
  return {
    workers: there.reduce((sum, { threads }) => sum + threads, 0),
    leadMs,
    ready: async () => {},
    share(task: ShareTask, limitMs: number): Promise<ShareResult> {
      const { live, stop } = task
      const id = `${lease.id}-${sent++}`
      const result = pending.add(id, { live, stop, limitMs })
      // Whoever waits for the result also hears when the order does not get away.
      send({ id, lease: lease.id, version, limitMs }, task).catch((cause) =>
        pending.fail(id, cause)
      )
      return result
    },
    async close() {
      pending.close()
      // Orders hold what a load sends, secrets among it. All at once: each ends what it repeats,
      // whether or not Redis answers the others.
      const emptied = queue.trimEvents(0).then(() => queue.close())
      await Promise.all([lease.release(), events.close(), emptied])
    }
  }
}

/**
 * Takes all agents that offer themselves through the Redis at `url`, once there are enough of them.
 * Throws an Error that says what to do when there are not, or when they are taken.
 */
export async function openFleet(url: string, wanted: Wanted): Promise<Fleet> {
  const { redis, part } = await connect(url)
  let lease: Lease | undefined
  try {
    const there = await assembled(redis, wanted)
    lease = await leased(redis)
    const { close, ...rest } = await workforce(redis, { lease, there, version: wanted.version })
    return {
      ...rest,
      agents: there,
      async close() {
        // Without an answer from Redis there is nothing left to be done properly.
        const late = new AbortController()
        await Promise.race([close(), pause(partingMs, undefined, late)]).catch(() => {})
        late.abort()
        part()
      }
    }
  } catch (cause) {
    await lease?.release()
    part()
    throw cause
  }
}
