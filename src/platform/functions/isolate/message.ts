import type {
  DeployError,
  FunctionSpec,
  LogLine,
  ObjectAddress,
  Outcome,
  Pairs,
  QueueMessage,
  QueueVerdict,
  RequestHead
} from './contract.ts'
import type { IsolateRules } from './rules.ts'

/** Chunks of an answer that need not be asked for: most answers are one, and an end. */
export const grantedChunks = 2

/** An error as it crosses from one thread or process to another. */
export type Fault = { name: string; message: string; stack?: string }

/**
 * Streams cross by being pulled: one pull, one chunk. A stream is named by what it belongs to:
 * `q` and an invocation's number for its request, `a` for its answer, `b` and a call's number for
 * what the call sends, `r` for what it returns.
 */
export type FlowMessage =
  | { t: 'pull'; stream: string }
  | { t: 'chunk'; stream: string; data: Uint8Array }
  | { t: 'end'; stream: string }
  | { t: 'broken'; stream: string; fault: Fault }
  | { t: 'cancel'; stream: string }

/** An event as it enters the isolate; a body follows as stream `q`. */
export type EventMessage =
  | (RequestHead & {
      kind: 'fetch'
      hasBody: boolean
      facts?: Record<string, unknown>
      object?: ObjectAddress
    })
  | { kind: 'scheduled'; cron: string; scheduledMs: number }
  | { kind: 'queue'; queue: string; messages: QueueMessage[] }
  | { kind: 'alarm'; object: ObjectAddress; scheduledMs: number; attempts: number }

/**
 * A call as the function makes it; bytes are all of its body, otherwise stream `b` may follow, or
 * its body is another stream that the function never touched and that need not pass through it.
 */
export type CallMessage = {
  t: 'call'
  call: number
  invocation: number
  service: string
  method: string
  id: string
  args: any[]
  bytes?: Uint8Array
  hasBody: boolean
  bodyFrom?: string
}

/** What came of a call; with `hasBody` stream `r` follows. */
export type ResultMessage = {
  t: 'result'
  call: number
  value?: unknown
  hasBody?: boolean
  fault?: Fault
}

/** What an instance is to run, and by which rules. */
export type LoadMessage = {
  t: 'load'
  spec: Pick<FunctionSpec, 'modules' | 'main' | 'env' | 'limits'>
  rules: IsolateRules
}

/** The guest's own modules as JavaScript by address; `main` is the address of the first one. */
export type GuestCode = { modules: Record<string, string>; main: string }

/** What a process is sent first: it is of no use before. */
export type BeginMessage = { t: 'begin'; code: GuestCode }

/** From the platform to the host of an instance. */
export type ToHost =
  | LoadMessage
  | { t: 'start'; invocation: number; allowanceMs: number; event: EventMessage }
  | { t: 'drop'; invocation: number }
  | { t: 'ping' }
  | ResultMessage
  | FlowMessage

/** What was used in total by an invocation that is forgotten. */
export type UsageMessage = {
  t: 'usage'
  invocation: number
  cpuUs: number
  peakMemoryBytes: number
  subrequests: number
  internalSubrequests: number
}

/** What a function does that concerns the platform. */
export type ActMessage =
  | {
      t: 'head'
      invocation: number
      status: number
      headers: Pairs
      hasBody: boolean
      /** The stream that is the body as it is, without passing through the function. */
      bodyFrom?: string
      queue?: QueueVerdict
    }
  | { t: 'threw'; invocation: number; fault: Fault; passesThrough: boolean }
  | { t: 'waiting'; invocation: number; promises: number }
  | { t: 'line'; invocation: number; line: LogLine }

/** From the host of an instance to the platform. */
export type FromHost =
  | { t: 'up' }
  | { t: 'pong' }
  | { t: 'loaded' }
  /** With what the global scope had used by then, which may be after the start. */
  | { t: 'refused'; error: DeployError; usedUs: number }
  | CallMessage
  | ActMessage
  | FlowMessage
  | UsageMessage
  | { t: 'stopped'; invocation: number; outcome: Outcome }
  | { t: 'condemned' }
  | { t: 'dying'; outcome: Outcome; invocation: number }

/** From the host to the guest: each message is the beginning of at most one turn. */
export type ToGuest =
  | LoadMessage
  | { t: 'start'; invocation: number; event: EventMessage }
  | { t: 'drop'; invocation: number }
  | ResultMessage
  | FlowMessage
  | { t: 'fire'; timer: number }
  | ResumeMessage

/**
 * Nothing but a message, as the so-manieth that the guest was sent: it tells by that how many
 * before it were lost, since what ends a turn may hit a message on its way in.
 */
export type ResumeMessage = { t: 'resume'; posted: number }

/** From the guest to the host; `ownBytes` is what it uses itself, which no function pays for. */
export type FromGuest =
  | { t: 'up'; ownBytes: number }
  | { t: 'loaded'; handlers: string[] }
  | { t: 'refused'; fault: Fault }
  | CallMessage
  | ActMessage
  | FlowMessage
  | { t: 'timer'; invocation: number; timer: number; ms: number; repeats: boolean }
  | { t: 'clear'; timer: number }
  | { t: 'wake' }
  | OffloadMessage
  | { t: 'full'; invocation: number; bytes: number }
  | { t: 'spent'; invocation: number; cpuUs: number; peakMemoryBytes: number }

/**
 * An invocation has work done by other threads: how much of it beside that of others, in about
 * microseconds; with a negative weight, so much of it is done. What is lasting may have more of it
 * done at any time.
 */
export type OffloadMessage = {
  t: 'offload'
  invocation: number
  weight: number
  isLasting: boolean
}

/** What a guest thread is started with. */
export type GuestData = { sharedTurn: SharedArrayBuffer; code: GuestCode }

/** An error, or whatever else was thrown, as it crosses. */
export function faultOf(thrown: unknown): Fault {
  const error = thrown as Error | undefined
  const name = typeof error?.name === 'string' ? error.name : 'Error'
  const stack = typeof error?.stack === 'string' ? error.stack : undefined
  return { name, message: String(error?.message ?? thrown), stack }
}

/** The error at the other side; names that mean nothing there become plain errors. */
export function errorOf({ name, message }: Fault): Error {
  if (name === 'TypeError') return new TypeError(message)
  if (name === 'RangeError') return new RangeError(message)
  if (/^(AbortError|TimeoutError|DataCloneError)$/.test(name))
    return new DOMException(message, name)
  return new Error(message)
}
