import type { IsolateLimits } from '../contract.ts'
import { type CallMessage, type FlowMessage, faultOf, type ResultMessage } from '../message.ts'
import type { Heeded, IsolateRules } from '../rules.ts'
import { bytesOf, checkCall } from './bounds.ts'
import type { Connection, Connections } from './connections.ts'
import { destination, longestChain, redirected } from './redirect.ts'

/** The calls one invocation makes: counted, let through as connections allow, and followed. */
export type Calls = {
  make(message: CallMessage): void
  result(message: ResultMessage): void
  /** Part of the body of a call that crosses, in either direction; true when it may pass on. */
  flow(message: FlowMessage, call: number): boolean
  /** How many have counted, by quota. */
  counts(): { external: number; internal: number }
  /** Bytes of what has been asked for and is not done. */
  heldBytes(): number
  /** Whether this call is one of them and not over. */
  has(call: number): boolean
}

type Pending = {
  message: CallMessage
  bytes: number
  connection?: Connection
  hops: number
  /** Nobody reads it any more: its connection is free once the other end is known to be closed. */
  isLeft: boolean
  isSacrificed: boolean
}

/** Counts calls by quota. */
function createCounter(limits: IsolateLimits, quota: IsolateRules['quota']) {
  const counts = { external: 0, internal: 0, none: 0 }
  const allowed = {
    external: limits.subrequests,
    internal: limits.internalSubrequests,
    none: Infinity
  }
  return {
    counts,
    /** Counts one more call to a service, where there may be one more. */
    count(service: string, method: string) {
      const from = quota[`${service}.${method}`] ?? quota[service] ?? 'external'
      if (counts[from] >= allowed[from]) throw new Error('Too many subrequests.')
      counts[from]++
    }
  }
}

function pendingOf(message: CallMessage): Pending {
  const bytes = bytesOf(message)
  return { message, bytes, hops: 0, isLeft: false, isSacrificed: false }
}

/** Begins with no calls. `toPlatform` and `toGuest` carry messages on. */
export function createCalls(options: {
  limits: IsolateLimits
  rules: IsolateRules
  connections: Connections
  toPlatform: (message: CallMessage | FlowMessage) => void
  toGuest: (message: ResultMessage | FlowMessage) => void
  warn: (text: string) => void
}): Calls {
  const { limits, rules, connections, toPlatform, toGuest } = options
  const pending = new Map<number, Pending>()
  const { counts, count } = createCounter(limits, rules.quota)

  const release = (call: number) => {
    const connection = pending.get(call)?.connection
    pending.delete(call)
    if (connection) connections.release(connection)
  }
  const attempt = (call: number, act: () => void) => {
    try {
      act()
    } catch (error) {
      release(call)
      toGuest({ t: 'result', call, fault: faultOf(error) })
    }
  }
  /** Goes after a redirect; each hop counts, and has the platform leave the one before it. */
  const follow = (entry: Pending, to: { status: number; location: string }) => {
    if (++entry.hops > longestChain) throw new TypeError('Too many redirects.')
    count('fetch', 'redirect')
    entry.message = redirected(entry.message, to)
    toPlatform(entry.message)
  }
  return {
    make(message) {
      const { call, service, method } = message
      const entry = pendingOf(message)
      pending.set(call, entry)
      attempt(call, () => {
        checkCall(message)
        count(service, method)
        if (!rules.connects[service]?.[method]) return toPlatform(message)
        entry.connection = connectionOf(entry, options)
        connections.want(entry.connection)
      })
    },
    result(message) {
      const entry = pending.get(message.call)
      if (!entry) return
      const to = destination(entry.message, message)
      if (to) return attempt(message.call, () => follow(entry, to))
      toGuest(message)
      if (!message.hasBody) return release(message.call)
      if (!entry.connection) return
      connections[nextOf(entry, rules)](entry.connection)
    },
    flow(message, call) {
      const entry = pending.get(call)
      if (!entry || message.stream.startsWith('b')) return entry !== undefined
      if (entry.isSacrificed) {
        if (message.t === 'pull') afterSacrifice(message.stream, { rules, toGuest })
        if (message.t === 'end') connections.release(entry.connection!)
        return false
      }
      if (entry.connection) touch(connections, entry.connection, message)
      if (isOver(entry, message, rules)) release(call)
      return true
    },
    counts: () => counts,
    heldBytes: () => [...pending.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    has: (call) => pending.has(call)
  }
}

const stalled = 'A stalled response was cancelled to end a deadlock: read or cancel every body.'

/** What becomes of a call as its connection opens, or does not. */
function connectionOf(
  entry: Pending,
  { toPlatform, warn }: Pick<Parameters<typeof createCalls>[0], 'toPlatform' | 'warn'>
): Connection {
  return {
    start: () => toPlatform(entry.message),
    sacrifice() {
      entry.isSacrificed = true
      warn(stalled)
      toPlatform({ t: 'cancel', stream: `r${entry.message.call}` })
    },
    refuse() {
      throw new Error('Too many open connections.')
    }
  }
}

/** What becomes of a connection once its call is answered, and its body or socket is there. */
function nextOf(entry: Pending, rules: IsolateRules): 'idle' | 'release' {
  if (entry.message.service === 'socket') return rules.openSocketHolds ? 'idle' : 'release'
  return isHeeded(rules.unreadHolds, entry) ? 'idle' : 'release'
}

/** Whether nothing more comes of a call's body, and its connection is free for the next. */
function isOver(entry: Pending, { t }: FlowMessage, { cancelFrees }: IsolateRules): boolean {
  if (t === 'cancel') entry.isLeft = true
  return (t === 'end' || t === 'broken') && (isHeeded(cancelFrees, entry) || !entry.isLeft)
}

function isHeeded(rule: Heeded, { message }: Pending): boolean {
  if (typeof rule === 'boolean') return rule
  return rule === 'unless streamed' ? !message.hasBody : message.service === 'fetch'
}

/** Whoever reads waits for the other end; whoever has read is about to do something himself. */
function touch(connections: Connections, connection: Connection, { t }: FlowMessage) {
  if (t === 'pull') connections.busy(connection)
  if (t === 'chunk') connections.idle(connection)
}

/** Tells what reading from a connection that was given up comes to. */
function afterSacrifice(
  stream: string,
  { rules, toGuest }: Pick<Parameters<typeof createCalls>[0], 'rules' | 'toGuest'>
) {
  const fault = faultOf(new Error('Response closed due to connection limit'))
  if (rules.cancelledUse === 'throws') toGuest({ t: 'broken', stream, fault })
  else if (rules.cancelledUse === 'ends') toGuest({ t: 'end', stream })
}
