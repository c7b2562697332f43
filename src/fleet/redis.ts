import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { clock } from '../clock.ts'
import { AllLost } from '../engine/load-worker.ts'

/** How long a Redis may take to answer for the first time. */
const connectMs = 5_000

/** How long one that answered before may take, and how much longer once nobody wants to wait. */
const answerMs = { least: 5_000, stopped: 500 }

/** A Redis URL as it may be shown: without what it takes to get in. */
export function shownUrl(url: string): string {
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  return shown.href
}

/** A connection to a Redis. */
export type RedisConnection = {
  redis: Redis
  /** Ends it, and every copy that was made of it, whether Redis answers or not. */
  part(): void
}

/**
 * A connection to the Redis at a URL (`redis:` or `rediss:`), once it answers; it connects again
 * by itself later on. Throws an Error that names the place when it does not answer.
 */
export async function connect(url: string): Promise<RedisConnection> {
  let isOver = false
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectMs,
    // What is sent while the connection is away waits for it; the callers have limits of their own.
    maxRetriesPerRequest: null,
    retryStrategy: (attempts) => (isOver ? null : Math.min(attempts * 50, 1_000))
  })
  const part = () => {
    isOver = true
    redis.disconnect()
  }
  let last: Error | undefined
  redis.on('error', (error) => {
    last = error
  })
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(last ?? new Error('no answer')), connectMs).unref()
  })
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), late])
    return { redis, part }
  } catch (cause) {
    part()
    const { message } = last ?? (cause as Error)
    throw new Error(`no Redis answers at ${shownUrl(url)}: ${message}`)
  }
}

/** Until when a Redis is waited for, beyond the time that any answer may take; by the clock. */
export type Patience = { url: string; signal: AbortSignal; until?: number }

/**
 * What comes of asking a Redis that answered before. What is sent to one that is gone waits for it
 * for ever: rejects with `AllLost` where no answer is there in time, and soon after an abort.
 */
export async function answered<Value>(
  work: Promise<Value>,
  { url, signal, until = 0 }: Patience
): Promise<Value> {
  const over = new AbortController()
  const lost = async (): Promise<never> => {
    const latest = Math.max(until, clock.now() + answerMs.least)
    await clock.until(latest, AbortSignal.any([signal, over.signal]))
    if (signal.aborted) await pause(answerMs.stopped, undefined, over)
    throw new AllLost(`no Redis answers any more at ${shownUrl(url)}`)
  }
  return Promise.race([work, lost()]).finally(() => over.abort())
}
