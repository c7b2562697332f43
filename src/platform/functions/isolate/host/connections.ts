import type { IsolateRules } from '../rules.ts'
import { createLookout } from './deadlock.ts'

/** A connection as it is wanted, opened and given up; the first two are told, the last is done. */
export type Connection = {
  /** It may open now. */
  start(): void
  /** It is given up to end a deadlock. */
  sacrifice(): void
  /** It is one more than there may be, and may not wait. */
  refuse(): void
}

/** The connections of one invocation: so many at once, the others wait their turn. */
export type Connections = {
  want(connection: Connection): void
  /** Something is being sent or awaited on it, which nobody but its other end can hasten. */
  busy(connection: Connection): void
  /** That has come to its end; the connection stays open for its body to be read. */
  idle(connection: Connection): void
  release(connection: Connection): void
  /** Gives up all of them. */
  close(): void
}

type State = { openedAt: number; usedAt: number; pending: number }

/** When the last of `limit` connections came to rest; undefined while one is in use or free. */
function idleSince(open: Map<Connection, State>, limit: number): number | undefined {
  const states = [...open.values()]
  const isIdle = states.length >= limit && states.every(({ pending }) => pending === 0)
  return isIdle ? Math.max(...states.map(({ usedAt }) => usedAt)) : undefined
}

/** The connection that is given up to end a deadlock. */
function victimOf(open: Map<Connection, State>, rule: IsolateRules['deadlockVictim']) {
  if (rule === 'none') return undefined
  const order = rule === 'first opened' ? 'openedAt' : 'usedAt'
  const sorted = [...open].sort(([, a], [, b]) => a[order] - b[order])
  return sorted.at(rule === 'last' ? -1 : 0)?.[0]
}

/** An invocation's connections; the clauses are those on simultaneous connections. */
export function createConnections(options: {
  limit: number
  rules: Pick<IsolateRules, 'beyondConnections' | 'queueMoves' | 'deadlockVictim'>
  now: () => number
  /** Calls back after milliseconds. */
  later: (ms: number, then: () => void) => void
  /** Something that changes with whatever the function does; undefined while it is at work. */
  trace: () => string | undefined
}): Connections {
  const { limit, rules, now, later, trace } = options
  const open = new Map<Connection, State>()
  const queue: Connection[] = []
  let isClosed = false

  const start = (connection: Connection) => {
    open.set(connection, { openedAt: now(), usedAt: now(), pending: 1 })
    connection.start()
  }
  const startNext = () => {
    if (rules.queueMoves === 'once all are closed' && open.size > 0) return
    const next = () => (rules.queueMoves === 'last first' ? queue.pop()! : queue.shift()!)
    while (!isClosed && queue.length > 0 && open.size < limit) start(next())
    look()
  }
  const sacrifice = () => {
    const victim = victimOf(open, rules.deadlockVictim)
    if (!victim) return
    // It is released once its other end is known to be closed: until then nothing is stuck.
    open.get(victim)!.pending++
    victim.sacrifice()
  }
  const stuckSince = () => (queue.length > 0 ? idleSince(open, limit) : undefined)
  const look = createLookout({ stuckSince, trace, later, onDeadlock: sacrifice })
  const touch = (connection: Connection, change: 1 | -1) => {
    const state = open.get(connection)
    if (!state) return
    state.pending += change
    state.usedAt = now()
    look()
  }
  return {
    want(connection) {
      const isFree = open.size < limit && queue.length === 0
      if (isFree) return start(connection)
      if (rules.beyondConnections === 'refuse') return connection.refuse()
      queue.push(connection)
      look()
    },
    busy: (connection) => touch(connection, 1),
    idle: (connection) => touch(connection, -1),
    release(connection) {
      if (open.delete(connection)) return startNext()
      const place = queue.indexOf(connection)
      if (place >= 0) queue.splice(place, 1)
    },
    close() {
      isClosed = true
      open.clear()
      queue.length = 0
    }
  }
}
