import type { Timeline } from '../arrivals/timeline.ts'
import type { Ending, Sample } from '../figures/sample.ts'
import type { StreamMetric } from '../figures/stream-metrics.ts'
import {
  createInbox,
  type Match,
  messageOf,
  type SocketMessage,
  type Waiter
} from './message-inbox.ts'
import type { LineDown, SocketLine } from './socket-line.ts'

/** What came of a message, or of waiting for one; without one the message is empty. */
export type SocketAnswer = SocketMessage & {
  ending: Ending
  /** Whether there is one. */
  ok: boolean
  /** Milliseconds from the send, or from the beginning of the wait. */
  ms: number
}

/** How a WebSocket ended. */
export type SocketEnd = { ending: Ending; code: number | undefined; reason: string }

/** One WebSocket of an iteration; it is closed when the iteration ends. */
export type SocketSession = {
  /** How the handshake ended, with which status, and whether messages can be sent. */
  ending: Ending
  status: number
  ok: boolean
  /** Sends a message that nobody has to answer. */
  send(message: string | Buffer): Promise<void>
  /**
   * Sends a message and waits for its answer: the next one that comes, or the next that matches.
   * It is measured as a request is; nothing a target does makes it reject.
   */
  ask(message: string | Buffer, options?: { match?: Match; route?: string }): Promise<SocketAnswer>
  /** Waits for a message, or takes one that came and nobody waited for. */
  next(match?: Match): Promise<SocketAnswer>
  /** Says goodbye, and waits until the server has. */
  close(code?: number, reason?: string): Promise<SocketEnd>
  /** How it ended; undefined while it is open. */
  ended(): SocketEnd | undefined
}

/** What an ask came to, in the load's time. */
export type AskedSocket = Pick<
  Sample,
  'ending' | 'due' | 'sent' | 'end' | 'bytesSent' | 'bytesReceived'
>

/** What a session needs besides its line. */
export type SessionParts = {
  timeline: Pick<Timeline, 'now' | 'after'>
  timeoutMs: number
  /** The moment the next thing is due: the iteration's own for the first of it. */
  nextDue: () => number
  measure: (name: StreamMetric, value: number) => void
  /** Whether a message may leave, now or when it may; at once where nothing is capped. */
  mayLeave: () => true | Promise<boolean>
  onAsked: (asked: AskedSocket, route: string | undefined) => void
  onMessage?: (message: SocketMessage) => void
  /** The author's own function threw. */
  onFault: (cause: unknown) => void
}

/** How long a server has to say goodbye, too. */
const goodbyeMs = 2_000

const nothing = () => messageOf(Buffer.alloc(0), false)

/** What answers by a message, or by none. */
function answerOf(message: SocketMessage | undefined, ending: Ending, ms: number): SocketAnswer {
  return Object.defineProperties(
    { ending, ok: message !== undefined, ms },
    Object.getOwnPropertyDescriptors(message ?? nothing())
  ) as SocketAnswer
}

/** A message that somebody waited for, or why there is none; and when that was known. */
type Told = { message?: SocketMessage; ending: Ending; at: number }

/** Waits for messages of one line, each for so long at most. */
function createWaiting({ timeline, timeoutMs }: Pick<SessionParts, 'timeline' | 'timeoutMs'>) {
  const { now } = timeline
  const inbox = createInbox()
  const open = new Set<(ending: Ending) => void>()
  return {
    inbox,
    /** Ends all who wait. */
    end(ending: Ending): void {
      for (const give of [...open]) give(ending)
    },
    /** Resolves to a message that matches, or to why there is none; rejects with an own fault. */
    wait: (match: Match) =>
      new Promise<Told>((resolve, reject) => {
        const over = (act: () => void) => {
          open.delete(give)
          inbox.forget(waiter)
          act()
        }
        const give = (ending: Ending) => over(() => resolve({ ending, at: now() }))
        const waiter: Waiter = {
          match,
          onMessage: (message) => over(() => resolve({ message, ending: 'answered', at: now() })),
          onFault: (cause) => over(() => reject(cause))
        }
        open.add(give)
        inbox.wait(waiter)
        timeline.after(timeoutMs, () => {
          if (open.has(give)) give('timeout')
        })
      })
  }
}

/** A session as it stands. */
type SessionCore = {
  parts: SessionParts
  opened: { ending: Ending; status: number }
  waiting: ReturnType<typeof createWaiting>
  line: SocketLine | undefined
  /** How many of the bytes that have come are counted. */
  counted: number
  end: SocketEnd | undefined
  closing: PromiseWithResolvers<SocketEnd>
}

const any: Match = () => true

function finish(core: SessionCore, { ending, code, reason = '' }: SessionDown): void {
  if (core.end !== undefined) return
  core.end = { ending, code, reason }
  core.line?.destroy()
  core.closing.resolve(core.end)
  core.waiting.end(ending)
}

/** What somebody who asks of a socket that is gone, or never was, is told. */
function gone({ end, line, opened }: SessionCore): Ending | undefined {
  if (end !== undefined) return end.ending
  if (line !== undefined) return undefined
  return opened.ending === 'answered' ? 'refused' : opened.ending
}

function send({ parts, line }: SessionCore, message: string | Buffer): number {
  parts.measure('messagesSent', 1)
  return line!.send(message)
}

async function ask(
  core: SessionCore,
  message: string | Buffer,
  { match, route }: NonNullable<Parameters<SocketSession['ask']>[1]>
): Promise<SocketAnswer> {
  const { parts, waiting, line } = core
  const { timeline, nextDue, mayLeave, onAsked } = parts
  const due = nextDue()
  const leave = mayLeave()
  const isAllowed = leave === true || (await leave)
  const sent = timeline.now()
  const lost = isAllowed ? gone(core) : 'withheld'
  const bytesSent = lost === undefined ? send(core, message) : 0
  const told: Told =
    lost === undefined ? await waiting.wait(match ?? any) : { ending: lost, at: timeline.now() }
  const { ending, at } = told
  const received = line?.received() ?? 0
  const bytesReceived = received - core.counted
  core.counted = received
  onAsked({ ending, due, sent, end: at, bytesSent, bytesReceived }, route)
  // Without a match, a late answer would be taken for that of the next message.
  if (ending === 'timeout' && match === undefined)
    finish(core, { ending, code: undefined, reason: '' })
  return answerOf(told.message, ending, at - sent)
}

async function next(core: SessionCore, match: Match): Promise<SocketAnswer> {
  const since = core.parts.timeline.now()
  const kept = core.waiting.inbox.kept(match)
  if (kept !== undefined) return answerOf(kept, 'answered', 0)
  const lost = gone(core)
  if (lost !== undefined) return answerOf(undefined, lost, 0)
  const { message, ending, at } = await core.waiting.wait(match)
  return answerOf(message, ending, at - since)
}

async function close(core: SessionCore, code: number, reason?: string): Promise<SocketEnd> {
  const nobody = { code: undefined, reason: '' }
  if (core.end !== undefined) return core.end
  if (core.line === undefined) return { ending: gone(core)!, ...nobody }
  core.line.close(code, reason)
  core.parts.timeline.after(goodbyeMs, () => finish(core, { ending: 'timeout', ...nobody }))
  return core.closing.promise
}

/** Hears every message of a session. */
function createHearer({ parts, waiting }: SessionCore): Heard['message'] {
  const { timeline, measure, onMessage, onFault } = parts
  let lastAt = Number.NaN
  return (bytes, isBinary) => {
    const at = timeline.now()
    measure('messagesReceived', 1)
    if (!Number.isNaN(lastAt)) measure('messageGap', at - lastAt)
    lastAt = at
    const message = messageOf(bytes, isBinary)
    try {
      onMessage?.(message)
    } catch (cause) {
      onFault(cause)
    }
    waiting.inbox.take(message)
  }
}

/** A session over a line that is attached to it, or that never came up. */
export function createSession(
  parts: SessionParts,
  opened: { ending: Ending; status: number }
): { session: SocketSession; attach(line: SocketLine): void; hear: Heard } {
  const core: SessionCore = {
    ...{
      parts,
      opened,
      waiting: createWaiting(parts),
      line: undefined,
      end: undefined,
      counted: 0
    },
    closing: Promise.withResolvers<SocketEnd>()
  }
  return {
    session: {
      ...opened,
      ok: opened.ending === 'answered' && opened.status === 101,
      async send(message) {
        const leave = parts.mayLeave()
        if ((leave === true || (await leave)) && gone(core) === undefined) send(core, message)
      },
      ask: (message, options = {}) => ask(core, message, options),
      next: (match = any) => next(core, match),
      close: (code = 1_000, reason) => close(core, code, reason),
      ended: () => core.end
    },
    attach(line) {
      core.line = line
    },
    hear: { message: createHearer(core), down: (told) => finish(core, told) }
  }
}

type SessionDown = Pick<LineDown, 'ending' | 'code' | 'reason'>

/** What a session is told by its line. */
type Heard = {
  message(bytes: Buffer, isBinary: boolean): void
  down(told: SessionDown): void
}
