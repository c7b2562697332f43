import { createStop } from '../engine/stop.ts'
import { Refused } from '../engine/workforce.ts'
import type { ShareResult } from '../load/run.ts'
import { fromText, type Outcome, type Sign } from './order.ts'
import { restore } from './snapshot.ts'

/** Parts of loads that agents are at. */
export type Pending = {
  /** Waits for an order's result; rejects when its agent fails, is gone, or takes too long. */
  add(
    order: string,
    part: { live: SharedArrayBuffer; stop: SharedArrayBuffer; limitMs: number }
  ): Promise<ShareResult>
  /** Somebody is at an order, and this is how it goes. */
  sign(order: string, sign: Sign): void
  complete(order: string, text: string): void
  fail(order: string, cause: Error): void
  close(): void
}

/** One part of a load, and what is known of who is at it. */
type Part = {
  live: SharedArrayBuffer
  stopped: () => boolean
  isToldToStop: boolean
  sentAt: number
  limitMs: number
  agent?: string
  result: PromiseWithResolvers<ShareResult>
}

const lookEveryMs = 250
/** Agents that cannot ask whether to go on end their parts after as long. */
const unheardMs = 10_000
/** Whoever is there takes an order at once; after so long nobody will. */
const untakenMs = 20_000
/** How much later than planned a part may end. */
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
async function resultIn(text: string): Promise<ShareResult> {
  const outcome = fromText<Outcome>(text)
  if ('refused' in outcome) throw new Refused(outcome.refused)
  return outcome.result
}

/**
 * Keeps what is under way. `present` says which agents are there, `stop` has one end its order,
 * `forget` takes an order back.
 */
export function createPending(options: {
  leadMs: number
  present: () => Promise<string[]>
  stop: (order: string) => Promise<void>
  forget: (order: string) => Promise<void>
}): Pending {
  const { leadMs, present, stop, forget } = options
  const parts = new Map<string, Part>()
  const settle = (order: string, how: (part: Part) => void) => {
    const part = parts.get(order)
    parts.delete(order)
    if (part) how(part)
  }
  const fail = (order: string, cause: Error) => {
    settle(order, ({ result }) => result.reject(cause))
  }
  const overdue = (part: Part, there: readonly string[]): string | undefined => {
    const waitedMs = performance.now() - part.sentAt
    if (part.agent === undefined) {
      return waitedMs > leadMs + untakenMs ? 'no agent took it' : undefined
    }
    if (!there.includes(part.agent)) return `${part.agent} is gone`
    return waitedMs > part.limitMs + graceMs ? `${part.agent} did not end it in time` : undefined
  }
  const look = async (there: readonly string[]) => {
    for (const [order, part] of parts) {
      if (part.stopped() && !part.isToldToStop) {
        part.isToldToStop = true
        await stop(order)
      }
      const because = overdue(part, there)
      if (because === undefined) continue
      fail(order, new Error(because))
      await forget(order)
    }
  }
  const failAll = (because: string) => {
    for (const order of parts.keys()) fail(order, new Error(because))
  }
  const rounds = goRound(
    async () => look(await present()),
    () => failAll('the Redis answers no more')
  )
  return {
    add(order, { live, stop: buffer, limitMs }) {
      const result = Promise.withResolvers<ShareResult>()
      const { requested } = createStop(buffer)
      const sentAt = performance.now()
      parts.set(order, { live, stopped: requested, isToldToStop: false, sentAt, limitMs, result })
      return result.promise
    },
    sign(order, { agent, live }) {
      const part = parts.get(order)
      if (part === undefined) return
      part.agent = agent
      try {
        restore(part.live, live)
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
