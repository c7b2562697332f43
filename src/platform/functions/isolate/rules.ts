/** The quota a call is taken from: of subrequests, of internal services, or of none. */
export type Quota = 'external' | 'internal' | 'none'

/** Whether a rule is heeded, or is but where a call has not sent a stream, or of fetches alone. */
export type Heeded = boolean | 'unless streamed' | 'of fetches'

/**
 * The decisions of the runtime that can be got wrong, as plain data that crosses to the isolate.
 * The clauses are those of the document on subrequests, connections and runtime resources.
 */
export const isolateRules = {
  /**
   * Which quota calls of each service are taken from, or of one method, as `cache.put`; each hop of
   * a chain of redirects is a call, `fetch.redirect`.
   */
  quota: {
    fetch: 'external',
    cache: 'external',
    objects: 'external',
    service: 'external',
    kv: 'internal',
    stateful: 'internal',
    queue: 'internal',
    storage: 'none',
    socket: 'none'
  } as Record<string, Quota>,
  /** The calls that hold a connection, by service and method. */
  connects: {
    fetch: { fetch: true },
    kv: { get: true, put: true, list: true, delete: true },
    cache: { put: true, match: true, delete: true },
    objects: { list: true, get: true, put: true, delete: true, head: true },
    queue: { send: true, sendBatch: true },
    socket: { connect: true }
  } as Record<string, Record<string, boolean>>,
  /** What happens to a call beyond the connections allowed. */
  beyondConnections: 'queue' as 'queue' | 'refuse',
  /** When a call that waits for a connection may begin: of several the first, or the last. */
  queueMoves: 'as one closes' as 'as one closes' | 'once all are closed' | 'last first',
  /** Whether a response holds its connection until its body has been read. */
  unreadHolds: true as Heeded,
  /** Whether a socket holds its connection for as long as it is open. */
  openSocketHolds: true,
  /** Whether giving up on a body frees its connection. */
  cancelFrees: true as Heeded,
  /** Which open connection ends a deadlock. */
  deadlockVictim: 'least recently used' as 'least recently used' | 'first opened' | 'last' | 'none',
  /** Whether using a connection that was ended this way throws, or is answered otherwise. */
  cancelledUse: 'throws' as 'throws' | 'ends' | 'hangs',
  /** What the limit of processor time is compared with. */
  cpuMeasure: 'cpu' as 'cpu' | 'cpu of a turn' | 'wall',
  /** So many of the last `of` invocations may overrun, up to `factor` times the limit. */
  overruns: { tolerated: 3, of: 20, factor: 3, leastExtraMs: 10 },
  /** Whether bytes outside of the heap count as memory. */
  buffersCount: true,
  /** Resident bytes beyond the limit that show that a built-in which answers nobody eats memory. */
  unreadableBytes: 300_000_000
}

/** The shape of `isolateRules`. */
export type IsolateRules = typeof isolateRules
