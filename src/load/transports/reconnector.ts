import { createBackoff } from './backoff.ts'
import type { ConnectionKind, Pooled } from './pooled.ts'

/** Attempts under way at a time while connections are first made; listen queues are not endless. */
const attemptsAtOnce = 128

/** Keeps connections made. */
export type Reconnector<Connection> = {
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

/** A reconnector of the given connections, none of which is made before `open`. */
export function createReconnector<Connection extends Pooled>(
  options: Pick<ConnectionKind<Connection>, 'connect' | 'expire' | 'destroy'> & {
    connections: readonly Connection[]
    timeoutMs: number
    /** Called now and then, after connections that take too long were broken. */
    onSweep: () => void
  }
): Reconnector<Connection> {
  const { connections, timeoutMs, onSweep, connect, expire, destroy } = options
  const backoff = createBackoff()
  let begun = 0
  const unsettled = new Set(connections)
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
      backoff.retry(connection.failures, () => connect(connection))
    },
    isHopeless: () => backoff.pending() === connections.length,
    close() {
      backoff.close()
      clearInterval(sweep)
      for (const connection of connections) destroy(connection)
      opened.resolve()
    }
  }
}
