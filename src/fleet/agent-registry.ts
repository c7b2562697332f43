import type { Redis } from 'ioredis'
import { sharedMs } from './shared-time.ts'

/** A machine, or a part of one, that carries out parts of loads. */
export type AgentEntry = {
  /** Host and process: no two have the same. */
  id: string
  /** Worker threads it offers. */
  threads: number
  /** Plimsoll's version there; parts of one load are measured alike only by the same. */
  version: string
  /** How far its clock may be from the fleet's, in milliseconds. */
  clockErrorMs: number
}

const rosterKey = 'plimsoll:agents'

/** Entries that are not renewed for so long are of agents that are gone. */
const goneMs = 10_000
const renewEveryMs = 2_000

/** Adds an agent to the roster and keeps it there until the function returned is called. */
export async function register(redis: Redis, entry: AgentEntry): Promise<() => Promise<void>> {
  const renew = async () => {
    const atMs = await sharedMs(redis)
    await redis.hset(rosterKey, entry.id, JSON.stringify({ ...entry, atMs }))
  }
  await renew()
  const timer = setInterval(() => void renew().catch(() => {}), renewEveryMs)
  return async () => {
    clearInterval(timer)
    await redis.hdel(rosterKey, entry.id)
  }
}

/** The agents that are there, in the order of their names; entries of gone ones are removed. */
export async function agents(redis: Redis): Promise<AgentEntry[]> {
  const [now, entries] = await Promise.all([sharedMs(redis), redis.hgetall(rosterKey)])
  const all = Object.values(entries).map((text): AgentEntry & { atMs: number } => JSON.parse(text))
  const gone = all.filter(({ atMs }) => now - atMs > goneMs).map(({ id }) => id)
  if (gone.length > 0) await redis.hdel(rosterKey, ...gone)
  return all
    .filter(({ id }) => !gone.includes(id))
    .map(({ atMs: _, ...entry }) => entry)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}
