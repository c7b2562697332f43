import type { Redis } from 'ioredis'

/** What is kept in Redis of whoever has the fleet to itself. */
const leaseKey = 'plimsoll:lease'
const stopKey = (order: string) => `plimsoll:stop:${order}`

/** A lease that is not renewed for so long is over, and so is the load under it. */
const leaseMs = 10_000
const renewEveryMs = 2_000

/** Renews, or gives back, only what is still one's own. */
const ifOwn = (then: string) => `if redis.call('get', KEYS[1]) == ARGV[1] then ${then} end`

/** The right to have all agents to oneself: loads that share machines measure each other. */
export type Lease = {
  id: string
  /** Whether it still is: a Redis may have lost it, or it was not renewed in time. */
  isHeld(): Promise<boolean>
  /** Has the agent that carries out this order end it. */
  stop(order: string): Promise<void>
  release(): Promise<void>
}

/** Takes the lease; undefined while somebody else has it. */
export async function takeLease(redis: Redis, id: string): Promise<Lease | undefined> {
  if ((await redis.set(leaseKey, id, 'PX', leaseMs, 'NX')) === null) return
  const renewal = ifOwn(`return redis.call('pexpire', KEYS[1], ${leaseMs})`)
  const timer = setInterval(() => {
    redis.eval(renewal, 1, leaseKey, id).catch(() => {})
  }, renewEveryMs)
  return {
    id,
    isHeld: async () => (await leaseHolder(redis)) === id,
    // The marker outlasts whatever an agent may still be at.
    async stop(order) {
      await redis.set(stopKey(order), '1', 'PX', 10 * leaseMs)
    },
    async release() {
      clearInterval(timer)
      await redis.eval(ifOwn(`return redis.call('del', KEYS[1])`), 1, leaseKey, id)
    }
  }
}

/** Who has the lease, as the name they gave; null when nobody does. */
export function leaseHolder(redis: Redis): Promise<string | null> {
  return redis.get(leaseKey)
}

/** Why an order ends early: it was told to, or whoever sent it is gone. */
export type LeaseEnding = 'stopped' | 'deserted'

/** Why an order under a lease has to end; undefined while it may go on. */
export async function whyEnd(
  redis: Redis,
  { lease, id }: { lease: string; id: string }
): Promise<LeaseEnding | undefined> {
  const [holder, stopped] = await redis.mget(leaseKey, stopKey(id))
  if (stopped !== null) return 'stopped'
  return holder === lease ? undefined : 'deserted'
}
