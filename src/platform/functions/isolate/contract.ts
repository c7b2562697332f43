import type { Bytes } from '../../kernel/data/files.ts'

export type { Bytes }

/** Names and values, in order, repeated ones apart. */
export type Pairs = [name: string, value: string][]

/** What a binding leads to. */
export type BindingKind = 'kv' | 'objects' | 'queue' | 'stateful' | 'service'

/** A member of `env`: text (a secret is text too), or a way to something outside the isolate. */
export type EnvValue = string | { kind: BindingKind; id: string }

/** The kinds of event that start a function; each handler goes by this name in its module. */
export type EventKind = 'fetch' | 'scheduled' | 'queue' | 'alarm'

/** What a function may use; all of it is enforced by the isolate, inclusively. */
export type IsolateLimits = {
  /** Processor time of one invocation, in milliseconds; a custom limit replaces the plan's. */
  cpuMs: Record<EventKind, number>
  /** Heap and buffers of the whole instance, in bytes. */
  memoryBytes: number
  /** Processor time to parse and run the global scope, in milliseconds. */
  startupMs: number
  /** Subrequests, cache and object storage calls of one invocation, redirect hops included. */
  subrequests: number
  /** Calls of one invocation to key-value store, stateful objects and queues. */
  internalSubrequests: number
  /** Connections one invocation may have open at once. */
  connections: number
  /** How long promises handed to `waitUntil` delay the end, in milliseconds. */
  waitUntilMs: number
  /** Wall-clock time of one invocation, in milliseconds; absent where there is no limit. */
  durationMs: Partial<Record<EventKind, number>>
  /** Console output, exceptions, request metadata and headers that are recorded, in bytes. */
  consoleBytes: number
}

/** A version of a function, with everything it takes to run it. */
export type FunctionSpec = {
  /** The function: its versions share nothing but this, and overruns are counted by it. */
  id: string
  version: string
  /** The account it belongs to: what runs for one is not to crowd out what runs for another. */
  owner: string
  /** Sources by path; text is an ES module, bytes are imported as an `ArrayBuffer`. */
  modules: Record<string, string | Uint8Array>
  /** Path of the module that exports the handlers. */
  main: string
  env: Record<string, EnvValue>
  limits: IsolateLimits
}

/** The head of a request that a function receives or sends. */
export type RequestHead = { method: string; url: string; headers: Pairs }

/** The head of a response that a function receives or gives. */
export type ResponseHead = { status: number; headers: Pairs }

/** A stateful object: the binding it is reached by, the class exported for it, and its own id. */
export type ObjectAddress = { binding: string; className: string; id: string }

/** A message as a queue's consumer gets it; the body is whatever can be cloned. */
export type QueueMessage = { id: string; atMs: number; attempts: number; body: unknown }

type Event =
  | (RequestHead & {
      kind: 'fetch'
      body: Bytes | null
      /** What the function sees as `request.cf`; plain data. */
      facts?: Record<string, unknown>
      /** With an address, the request is for this stateful object and not for the module. */
      object?: ObjectAddress
    })
  | { kind: 'scheduled'; cron: string; scheduledMs: number }
  | { kind: 'queue'; queue: string; messages: QueueMessage[] }
  | { kind: 'alarm'; object: ObjectAddress; scheduledMs: number; attempts: number }

/** One event for a function. */
export type Invocation = Event & {
  /** The request's ray or an id of its own; not shown to the function. */
  id: string
  /** Whatever services want to know of the cause: zone, host, depth; not shown to the function. */
  context: Readonly<Record<string, unknown>>
  /** Aborted when the client has gone; an answer that was sent in full is no reason to. */
  gone?: AbortSignal
}

/** What became of a queue's messages, by id; those in neither list follow the handler's outcome. */
export type QueueVerdict = { acknowledged: string[]; retried: string[] }

/** What a function answers: to events other than a request, 204 once the handler has ended. */
export type Answer = ResponseHead & { body: Bytes | null; queue?: QueueVerdict }

/** How an invocation ended. */
export type Outcome =
  | 'ok'
  | 'exception'
  | 'exceededCpu'
  | 'exceededMemory'
  | 'exceededDuration'
  | 'canceled'
  | 'waitUntilTimeout'
  | 'internal'

/** A line of console output, or an exception (`level` exception). */
export type LogLine = { atMs: number; level: string; text: string }

/** What is recorded of an invocation once everything about it has ended. */
export type InvocationRecord = {
  functionId: string
  version: string
  /** The invocation's own id. */
  id: string
  kind: EventKind
  outcome: Outcome
  startedMs: number
  wallMs: number
  cpuUs: number
  /** Calls that counted: to the internet and object storage, and to internal services. */
  subrequests: number
  internalSubrequests: number
  /** The most bytes the instance was seen to use while it worked on this. */
  peakMemoryBytes: number
  /** Metadata and headers of the request, as far as there was room for them. */
  request?: RequestHead
  logs: LogLine[]
  /** Whether output was left out because there was no more room. */
  isTruncated: boolean
  exception?: { name: string; message: string }
}

/** Why a function gave no answer; `passesThrough` when it asked for the origin in that case. */
export class FunctionFailed extends Error {
  readonly outcome: Outcome
  readonly passesThrough: boolean
  constructor(message: string, given: { outcome: Outcome; passesThrough: boolean }) {
    super(message)
    this.name = 'FunctionFailed'
    this.outcome = given.outcome
    this.passesThrough = given.passesThrough
  }
}

/** An invocation under way. */
export type Run = {
  /** Rejects with FunctionFailed; a body that fails later fails while it is read. */
  answer: Promise<Answer>
  /** Resolves after the answer, when all has ended; never rejects. */
  record: Promise<InvocationRecord>
}

/** On whose behalf a service is asked; nobody waits any more once the signal is aborted. */
export type Caller = { spec: FunctionSpec; invocation: Invocation; signal: AbortSignal }

/** Where a URL leads: nowhere, to another address than its own host's, or to that. */
export type FetchTarget = { refused: string } | { at?: { host: string; port: number } }

/**
 * A call to a service of the platform. `id` is the binding's; args by service and method:
 * - kv: get [key] → {metadata} and body, or null; put [key, {expirationTtl?, expiration?,
 *   metadata?}] and body; delete [key]; list [{prefix?, limit?,
 *   cursor?}] → {keys, list_complete, cursor?}
 * - objects: head [key] → facts or null; get [key, {range?}] → facts and body, or null;
 *   put [key, {httpMetadata?, customMetadata?}] and body → facts; delete [keys]; list [{prefix?,
 *   limit?, cursor?, delimiter?}] → {objects, truncated, cursor?, delimitedPrefixes}
 * - queue: send [{body, delaySeconds?}]; sendBatch [the same, several]
 * - stateful: fetch [object id, request head] and body → response head and body
 * - storage (of the object that runs): get [object, keys] → entries; put [object, entries];
 *   delete [object, keys] → number; list [object, {prefix?, start?, end?, limit?, reverse?}] →
 *   entries; deleteAll [object]; getAlarm [object] → ms or null; setAlarm [object, ms];
 *   deleteAlarm [object]; `object` is its ObjectAddress
 * - service: fetch [request head] and body → response head and body
 * - cache (id is the cache's name): match [request head, {ignoreMethod?}] → response head and body,
 *   or null; put [request head, response head] and body; delete [request head] → boolean
 */
export type Call = {
  service: BindingKind | 'cache' | 'storage'
  method: string
  id: string
  args: any[]
  body?: Bytes
}

/** What a service returns: plain data, and bytes where the call has them. */
export type Result = { value?: unknown; body?: Bytes }

/** What the platform does for functions outside of their isolates. A throw rejects the call. */
export type Services = {
  /** Asked before each hop of a fetch, and before a TCP socket (`tcp://host:port`). */
  fetchTarget(url: URL, caller: Caller): FetchTarget | Promise<FetchTarget>
  call(call: Call, caller: Caller): Promise<Result>
}

/** Why a version cannot be deployed. */
export type DeployError = {
  kind: 'startup-cpu' | 'startup-memory' | 'startup-error' | 'no-handlers'
  message: string
}

/** Every function that runs on this machine. */
export type Isolates = {
  /** Loads a version as deploying it does; undefined when it starts within its limits. */
  check(spec: FunctionSpec): Promise<DeployError | undefined>
  invoke(spec: FunctionSpec, invocation: Invocation): Run
  /**
   * Has the next event meet a fresh instance of this function, or of every one; of those of its
   * versions that are meant, where not all of them are.
   */
  evict(functionId?: string, isMeant?: (version: string) => boolean): void
  /** Ends every instance, and everything under way on it. */
  close(): Promise<void>
}
