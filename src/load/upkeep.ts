import { type Random, random } from '../random.ts'
import { type Connection, connect, destroy, expire } from './connection.ts'

/** Attempts under way at a time while connections are first made; listen queues are not endless. */
const attemptsAtOnce = 128

const shortestBackoffMs = 10
const longestBackoffMs = 1_000

/**
 * How long to wait before the next attempt after so many failures in a row: twice as long each time,
 * up to a second, and somewhere in the upper half of that, so that connections do not move in step.
 */
export function backoffMs(failures: number, next: Random): number {
  if (failures === 0) return 0
  const full = Math.min(longestBackoffMs, shortestBackoffMs * 2 ** Math.min(failures - 1, 10))
  return full * (0.5 + next() / 2)
}

/** Keeps connections made. */
export type Upkeep = {
  /** Makes all connections; resolves when each is up or has failed once. */
  open(): Promise<void>
  /** An attempt has come to an end, in a connection or not. */
  settle(connection: Connection): void
  /** Makes a broken connection again: at once if it has served, later the more often it failed. */
  renew(connection: Connection): void
  /** Whether every connection has failed and waits for its next attempt. */
  isHopeless(): boolean
  close(): void
}

/** The upkeep of the given connections, none of which is made before `open`. */
export function createUpkeep(options: {
  connections: readonly Connection[]
  timeoutMs: number
  /** Called now and then, after connections that take too long were broken. */
  onSweep: () => void
}): Upkeep {
  const { connections, timeoutMs, onSweep } = options
  const chance = random(0, 'backoff')
  const timers = new Set<NodeJS.Timeout>()
  let begun = 0
  const unsettled = new Set(connections)
  let isClosed = false
  const opened = Promise.withResolvers<void>()
  // Looking at all connections now and then costs less than a timer for every request.
  const sweep = setInterval(
    () => {
      for (const connection of connections) expire(connection, timeoutMs)
      onSweep()
    },
    Math.min(100, Math.max(5, timeoutMs / 20))
  )
  const next = () => {
    if (begun < connections.length) connect(connections[begun++]!)
  }
  return {
    open() {
      for (let attempt = 0; attempt < attemptsAtOnce; attempt++) next()
      return opened.promise
    },
    settle(connection) {
      if (!unsettled.delete(connection)) return
      if (unsettled.size === 0) opened.resolve()
      next()
    },
    renew(connection) {
      if (isClosed) return
      const wait = backoffMs(connection.failures, chance)
      if (wait === 0) return connect(connection)
      const timer = setTimeout(() => {
        timers.delete(timer)
        connect(connection)
      }, wait)
      timers.add(timer)
    },
    isHopeless: () => timers.size === connections.length,
    close() {
      isClosed = true
      clearInterval(sweep)
      for (const timer of timers) clearTimeout(timer)
      for (const connection of connections) destroy(connection)
      opened.resolve()
    }
  }
}
