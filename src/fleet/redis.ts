import { Redis } from 'ioredis'

/** How long a Redis may take to answer for the first time. */
const connectMs = 5_000

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
