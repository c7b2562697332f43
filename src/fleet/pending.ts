import { Refused } from '../engine/load-worker.ts'
import { createStop } from '../engine/stop.ts'
import type { ShareResult } from '../load/figures/result.ts'
import { restore } from './live-snapshot.ts'
import { fromText, type PartOutcome, type Sign } from './order.ts'

/** An order that an agent was given; only one that is part of a load goes on for all to see. */
export type Given = {
  agent: string
  limitMs: number
  live?: readonly SharedArrayBuffer[]
  stop?: SharedArrayBuffer
}

/** Orders that agents are at. */
export type Pending = {
  /** Waits for an order's result; rejects when its agent fails, is gone, or takes too long. */
  add(order: string, given: Given): Promise<ShareResult[] | undefined>
  /** The agent is at an order, and this is how it goes. */
  sign(order: string, sign: Sign): void
  complete(order: string, text: string): void
  fail(order: string, cause: Error): void
  close(): void
}

/** An order, and what is known of it. */
type Waiting = Given & {
  stopped: () => boolean
  isToldToStop: boolean
  isTaken: boolean
  sentAt: number
  result: PromiseWithResolvers<ShareResult[] | undefined>
}

const lookEveryMs = 250
/** Agents that cannot ask whether to go on end what they are at after as long. */
const unheardMs = 10_000
/** Who is there takes an order at once, as a rule; after so long it will not. */
const untakenMs = 20_000
/** How much later than planned it may end. */
const graceMs = 60_000

/**
 * Has somebody look again and again, never twice at once, and calls `onSilence` when for long no
 * look has come to its end; the result is to be cleared.
 */
function goRound(look: () => Promise<void>, onSilence: () => void): NodeJS.Timeout {
  let endedAt = performance.now()
  let isLooking = false
  return setInterval(async () => {
    if (performance.now() - endedAt > unheardMs) onSilence()
    if (isLooking) return
    isLooking = true
    try {
      await look()
      endedAt = performance.now()
    } catch {
      // It is looked again.
    } finally {
      isLooking = false
    }
  }, lookEveryMs)
}

/** The result in what an agent sent; rejects when there is none, or none that can be read. */
async function resultIn(text: string): Promise<ShareResult[] | undefined> {
  const outcome = fromText<PartOutcome>(text)
  if ('refused' in outcome) throw new Refused(outcome.refused)
  return outcome.result
}

/** Why an order is waited for no longer; undefined while it is. */
function overdue(
  { agent, isTaken, sentAt, limitMs }: Waiting,
  there: readonly string[]
): string | undefined {
  if (!there.includes(agent)) return `${agent} is gone`
  const waitedMs = performance.now() - sentAt
  if (!isTaken && waitedMs > untakenMs) return `${agent} did not take it`
  return waitedMs > limitMs + graceMs ? `${agent} did not end it in time` : undefined
}

/**
 * Keeps what is under way. `present` says which agents are there, `stop` has one end its order,
 * `forget` takes an order back. Without their lease agents end what they are at, and a Redis that
 * has lost it has lost the orders too, so that nobody would hear of their end.
 */
export function createPending(options: {
  present: () => Promise<string[]>
  /** Whether the agents are still this load's own. */
  isHeld: () => Promise<boolean>
  stop: (order: string) => Promise<void>
  forget: (order: string, agent: string) => Promise<void>
  /** Told how long after it was sent an order had been taken, and that was known here. */
  onTaken: (ms: number) => void
}): Pending {
  const { present, isHeld, stop, forget, onTaken } = options
  const orders = new Map<string, Waiting>()
  const settle = (order: string, how: (waiting: Waiting) => void) => {
    const waiting = orders.get(order)
    orders.delete(order)
    if (waiting) how(waiting)
  }
  const fail = (order: string, cause: Error) => {
    settle(order, ({ result }) => result.reject(cause))
  }
  const look = async (there: readonly string[]) => {
    for (const [order, waiting] of orders) {
      if (waiting.stopped() && !waiting.isToldToStop) {
        waiting.isToldToStop = true
        await stop(order)
      }
      const because = overdue(waiting, there)
      if (because === undefined) continue
      fail(order, new Error(because))
      await forget(order, waiting.agent)
    }
  }
  const failAll = (because: string) => {
    for (const order of orders.keys()) fail(order, new Error(because))
  }
  const rounds = goRound(
    async () => {
      const [there, held] = await Promise.all([present(), isHeld()])
      await look(there)
      if (!held) failAll('the lease of the agents was lost')
    },
    () => failAll('the Redis answers no more')
  )
  return {
    add(order, given) {
      const result = Promise.withResolvers<ShareResult[] | undefined>()
      const { requested: stopped } = createStop(given.stop)
      const sentAt = performance.now()
      const fresh = { stopped, isToldToStop: false, isTaken: false, sentAt, result }
      orders.set(order, { ...given, ...fresh })
      return result.promise
    },
    sign(order, { live }) {
      const waiting = orders.get(order)
      if (waiting === undefined) return
      if (!waiting.isTaken) onTaken(performance.now() - waiting.sentAt)
      waiting.isTaken = true
      try {
        waiting.live?.forEach((memory, at) => {
          if (live?.[at] !== undefined) restore(memory, live[at])
        })
      } catch (cause) {
        fail(order, cause as Error)
      }
    },
    complete(order, text) {
      settle(order, ({ result }) => result.resolve(resultIn(text)))
    },
    fail,
    close() {
      clearInterval(rounds)
      failAll('the fleet was given back')
    }
  }
}
