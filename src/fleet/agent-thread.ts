import type { Redis } from 'ioredis'
import { createMeter, returnMs } from '../caps.ts'
import { clock } from '../clock.ts'
import type { Destination, LoadWorker } from '../engine/load-worker.ts'
import { createStop, type Stop } from '../engine/stop.ts'
import type { ShareResult } from '../load/figures/result.ts'
import { createLiveMemory } from '../load/health/live-counters.ts'
import type { Load } from '../load/load.ts'
import type { Routes } from '../route.ts'
import { type LeaseEnding, whyEnd } from './lease.ts'
import { snapshot } from './live-snapshot.ts'
import type { OrderTo, PartOrder, Sign } from './order.ts'

/** Destinations as an agent's own, by its own authorisation. */
export type Adopted = {
  destinations: readonly Destination[]
  /**
   * Lets a part of a load to some of them begin, at a moment of this machine's clock, and returns
   * what is to be called when it is over; throws `Refused` for what is too much.
   */
  admit(part: { to: readonly number[]; load: Load; startAt: number }): () => void
  /** Says that nothing more is sent there. */
  leave(): void
}

/** One thread of an agent, and the connections that it keeps for whoever holds the lease. */
export type AgentThread = {
  open(order: OrderTo<'open'>, tell: () => Promise<void>): Promise<void>
  /** Carries out a part of a load, and tells how it goes; `startAt` is by this machine's clock. */
  trial(order: OrderTo<'trial'>, tell: (sign: Sign) => Promise<void>): Promise<ShareResult[]>
  /** Ends the connections, and what is under way over them. */
  close(): Promise<void>
}

/** How often a post tells how a load goes, and asks whether it is to go on. */
const signEveryMs = 250

/** How often it asks that while it only keeps connections. */
const idleEveryMs = 1_000

/** How long Redis may be out of reach before a load is ended: nobody could end it otherwise. */
const unheardMs = 10_000

/** What is said of what was broken off, or not begun, for want of anybody to tell. */
export const unwanted = 'whoever sent the load no longer waits for it'

/** A look that calls `end` when an order has to end, or when nobody could be asked for long. */
function lookout(
  redis: Redis,
  order: Pick<PartOrder, 'id' | 'lease'>,
  end: (ending: LeaseEnding) => void
): () => Promise<void> {
  let heardAt = performance.now()
  return async () => {
    if (performance.now() - heardAt > unheardMs) end('deserted')
    const ending = await whyEnd(redis, order)
    if (ending !== undefined) end(ending)
    heardAt = performance.now()
  }
}

/** A part of a load under way, which tells how it goes until `over` is called. */
type Going = {
  live: readonly SharedArrayBuffer[]
  stop: Stop
  ending(): LeaseEnding | undefined
  over(): void
}

function going(
  redis: Redis,
  order: OrderTo<'trial'>,
  { routes, tell }: { routes: Routes; tell: (sign: Sign) => Promise<void> }
): Going {
  const [live, stop] = [order.to.map(createLiveMemory), createStop()]
  let ending: LeaseEnding | undefined
  const end = (why: LeaseEnding) => {
    ending ??= why
    stop.request()
  }
  const look = lookout(redis, order, end)
  const meters = Object.values(routes).flatMap(({ caps }) => (caps ? createMeter(caps) : []))
  // What cannot be told is of no account for the result.
  const sign = () => {
    if (meters.some(({ isOver }) => isOver(clock.now() - returnMs))) end('stopped')
    look().catch(() => {})
    tell({ live: live.map(snapshot) }).catch(() => {})
  }
  const timer = setInterval(sign, signEveryMs)
  sign()
  return { live, stop, ending: () => ending, over: () => clearInterval(timer) }
}

/** A post of one worker, which keeps no connections yet. */
export function createAgentThread(
  redis: Redis,
  worker: LoadWorker,
  adopt: (order: OrderTo<'open'>) => Promise<Adopted>
): AgentThread {
  let kept: { adopted: Adopted; lease: string; watch: NodeJS.Timeout } | undefined
  let isDeserted = false
  let underWay: Going | undefined
  const close = async () => {
    isDeserted = true
    underWay?.stop.request()
    if (kept === undefined) return
    clearInterval(kept.watch)
    kept.adopted.leave()
    kept = undefined
    await worker.close()
  }
  return {
    async open(order, tell) {
      await close()
      await tell()
      const { lease, limitMs, share, withinMs } = order
      const adopted = await adopt(order)
      const look = lookout(redis, order, () => void close())
      const watch = setInterval(() => void look().catch(() => {}), idleEveryMs)
      kept = { adopted, lease, watch }
      isDeserted = false
      await worker
        .open({ destinations: adopted.destinations, share, withinMs }, limitMs)
        .catch(async (cause) => {
          await close()
          throw cause
        })
    },
    async trial(order, tell) {
      const { to, load, seed, startAt, limitMs, traced } = order
      if (kept?.lease !== order.lease) throw new Error('it was given no connections to send over')
      const asked = to.map((one) => kept!.adopted.destinations[one]?.routes ?? {})
      const routes = Object.assign({}, ...asked)
      const leave = kept.adopted.admit(order)
      underWay = going(redis, order, { routes, tell })
      const { live, stop, ending, over } = underWay
      try {
        const part = { to, load, seed, startAt, live, stop: stop.buffer, traced }
        const result = await worker.trial(part, limitMs)
        // What was broken off for want of anybody to tell is not the part that was asked for.
        if (isDeserted || ending() === 'deserted') throw new Error(unwanted)
        return result
      } finally {
        over()
        underWay = undefined
        leave()
      }
    },
    close
  }
}
