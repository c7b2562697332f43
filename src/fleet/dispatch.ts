import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Queue, QueueEvents } from 'bullmq'
import type { Redis } from 'ioredis'
import { clock } from '../clock.ts'
import type { LoadWorker, LoadWorkers } from '../engine/load-worker.ts'
import { type AgentEntry, agents } from './agent-registry.ts'
import { type Lease, leaseHolder, takeLease } from './lease.ts'
import {
  type Bare,
  openingOf,
  type PartOrder,
  queueOf,
  type Sign,
  toText,
  trialOf
} from './order.ts'
import { createPending, type Given } from './pending.ts'
import { answered, connect } from './redis.ts'
import { keepOffset, sharedMs } from './shared-time.ts'

/** The threads of all agents, to be used like those of this process. */
export type Fleet = LoadWorkers & {
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

/** Time for orders to reach every agent: at first, and once it is known how long that takes. */
const lead = { firstMs: 1_000, leastMs: 50, mostMs: 2_000, factor: 2 }
/** So many orders show how long it takes. */
const looksBack = 64
/** What an agent sees of a stop, it sees within half a second as a rule. */
const patienceMs = 5_000
/** How long ending connections may take. */
const closingMs = 5_000
const lookEveryMs = 250
/** How long taking leave of a Redis may take. */
const partingMs = 3_000

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

async function assembled(redis: Redis, url: string, wanted: Wanted): Promise<AgentEntry[]> {
  const { least, waitMs, version, signal, onWaiting } = wanted
  const until = clock.now() + waitMs
  let told = -1
  for (;;) {
    const there = await answered(agents(redis), { url, signal, until })
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

/** How long before its start a trial has to be sent, from how long orders took to be taken. */
function createLead() {
  const taken: number[] = []
  return {
    onTaken(ms: number) {
      taken.push(ms)
      if (taken.length > looksBack) taken.shift()
    },
    ms() {
      const slowest = taken.length > 0 ? Math.max(...taken) * lead.factor : lead.firstMs
      return Math.min(lead.mostMs, Math.max(lead.leastMs, slowest))
    }
  }
}

/** The queues of agents, and what is heard of them. */
async function mailboxes(redis: Redis, there: readonly AgentEntry[]) {
  const boxes = there.map(({ id }) => {
    const queue = new Queue<string, string>(queueOf(id), { connection: redis })
    const events = new QueueEvents(queueOf(id), { connection: redis })
    // Both connect again by themselves.
    queue.on('error', () => {})
    events.on('error', () => {})
    return { id, queue, events }
  })
  // What happens before there is somebody to hear of it is lost.
  await Promise.all(boxes.map(({ events }) => events.waitUntilReady()))
  return {
    all: boxes,
    queueOf: (agent: string) => boxes.find(({ id }) => id === agent)!.queue,
    // Orders hold what a load sends, secrets among it. All at once: each ends what it repeats,
    // whether or not Redis answers the others.
    close: () =>
      Promise.all(
        boxes.map(async ({ queue, events }) => {
          const emptied = queue.trimEvents(0).then(() => queue.close())
          await Promise.all([events.close(), emptied])
        })
      )
  }
}

/** The first thread of every agent, then the second ones: few workers are of many machines. */
function inTurn(there: readonly AgentEntry[]): { id: string; thread: number }[] {
  const all = there.flatMap(({ id, threads }) =>
    Array.from({ length: threads }, (_, thread) => ({ id, thread }))
  )
  return all.sort((one, other) => one.thread - other.thread)
}

/** The threads of agents under a lease. */
async function threadsOf(
  redis: Redis,
  parts: { lease: Lease; there: readonly AgentEntry[]; version: string }
) {
  const { lease, there, version } = parts
  const boxes = await mailboxes(redis, there)
  const { offset, end: endOffset } = await keepOffset(() => sharedMs(redis), clock)
  const { onTaken, ms: leadMs } = createLead()
  const pending = createPending({
    present: async () => (await agents(redis)).map(({ id }) => id),
    ...{ isHeld: lease.isHeld, stop: lease.stop },
    forget: async (order, agent) => void (await boxes.queueOf(agent).remove(order)),
    onTaken
  })
  for (const { events } of boxes.all) {
    events.on('progress', ({ jobId, data }) => pending.sign(jobId, data as Sign))
    events.on('completed', ({ jobId, returnvalue }) => pending.complete(jobId, returnvalue))
    events.on('failed', ({ jobId, failedReason }) => pending.fail(jobId, new Error(failedReason)))
  }
  let sent = 0
  const send = (thread: number, bare: () => Bare, given: Given) => {
    const id = `${lease.id}-${sent++}`
    const result = pending.add(id, given)
    // A part that fails is lost, and nobody takes it up anew; nothing of it stays behind.
    const once = { jobId: id, attempts: 1, removeOnComplete: true, removeOnFail: true }
    const add = async () => {
      const order = { ...bare(), id, lease: lease.id, version, thread, limitMs: given.limitMs }
      await boxes.queueOf(given.agent).add('order', toText(order satisfies PartOrder), once)
    }
    // Whoever waits for the result also hears when the order does not get away.
    add().catch((cause) => pending.fail(id, cause))
    return result
  }
  const worker = (agent: string, thread: number): LoadWorker => ({
    async open(order, limitMs) {
      await send(thread, () => openingOf(order), { agent, limitMs: Math.max(1, limitMs) })
    },
    async trial(order, limitMs) {
      const { live, stop, startAt } = order
      const bare = () => trialOf({ ...order, startAt: startAt + offset().ms })
      return (await send(thread, bare, { agent, limitMs, live, stop }))!
    },
    async close() {
      await send(thread, () => ({ kind: 'close' }), { agent, limitMs: closingMs })
    }
  })
  return {
    all: inTurn(there).map(({ id, thread }) => worker(id, thread)),
    ...{ leadMs, patienceMs },
    async close() {
      pending.close()
      endOffset()
      await Promise.all([lease.release(), boxes.close()])
    }
  }
}

/** Waits for what is done last; without an answer from Redis nothing can be done properly. */
async function parting(work: Promise<unknown>): Promise<void> {
  const late = new AbortController()
  await Promise.race([work, pause(partingMs, undefined, late)]).catch(() => {})
  late.abort()
}

/**
 * Takes all agents that offer themselves through the Redis at `url`, once there are enough of them.
 * Throws an Error that says what to do when there are not, or when they are taken, and `AllLost`
 * when the Redis answers no more.
 */
export async function openFleet(url: string, wanted: Wanted): Promise<Fleet> {
  const { version, signal } = wanted
  const { redis, part } = await connect(url)
  let lease: Lease | undefined
  try {
    const there = await assembled(redis, url, wanted)
    lease = await answered(leased(redis), { url, signal })
    const opening = threadsOf(redis, { lease, there, version })
    const { close, ...rest } = await answered(opening, { url, signal })
    return {
      ...rest,
      agents: there,
      async close() {
        await parting(close())
        part()
      }
    }
  } catch (cause) {
    if (lease) await parting(lease.release())
    part()
    throw cause
  }
}
