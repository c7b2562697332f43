import type { Worker } from 'node:worker_threads'
import type { Ledger } from '../ledger.ts'
import {
  type ActMessage,
  type FlowMessage,
  type FromGuest,
  type FromHost,
  faultOf,
  type LoadMessage,
  type ToGuest,
  type ToHost
} from '../message.ts'
import { checkAnswer } from './bounds.ts'
import { takeCustody } from './custody.ts'
import type { Inspector } from './inspector.ts'
import { createRoster, type Roster } from './roster.ts'
import type { ThreadClock } from './thread-clock.ts'

/** What a host works with. */
export type HostParts = {
  load: LoadMessage
  worker: Worker
  /** Bytes the guest uses itself. */
  ownBytes: number
  inspector: Inspector
  ledger: Ledger
  thread: ThreadClock
  send: (message: FromHost) => void
  die: (message: FromHost) => void
}

/** Everything between the platform and the guest, from when it is known what it is to run. */
export function createHost(parts: HostParts): { take(message: ToHost): void } {
  const { load, worker, send } = parts
  const toGuest = (message: ToGuest) => {
    worker.postMessage(message)
    custody.kick()
  }
  const { thread } = parts
  const trace = () => (custody.isBehind() || thread.isRunnable() ? undefined : thread.trace())
  const roster = createRoster({ load, send, toGuest, trace })
  const custody = takeCustody({ ...parts, roster, toGuest })
  const refuse = (message: string) => custody.refuse({ kind: 'startup-error', message })
  const rest = whenAtRest(trace, () => refuse('The global scope never came to its end.'))
  const loaded = (handlers: string[]) => {
    clearInterval(rest)
    const message = 'The main module exports no handler and no class.'
    if (handlers.length === 0) custody.refuse({ kind: 'no-handlers', message })
    else send({ t: 'loaded' })
  }
  worker.on('message', (message: FromGuest) => {
    if (message.t === 'loaded') loaded(message.handlers)
    else if (message.t === 'refused') refuse(message.fault.message)
    else if (message.t === 'full') custody.full(message)
    else if (message.t === 'wake') toGuest({ t: 'resume' })
    else hear(message, roster, send)
  })
  toGuest(load)
  return { take: (message) => tell(message, roster, toGuest) }
}

const restMs = 400
const mostRests = 4

/**
 * Tells when a guest has not run for a while; the result is to be cleared. A start has nothing to
 * wait for: once it is at rest it will never end, however slow the machine is.
 */
function whenAtRest(trace: () => string | undefined, then: () => void): NodeJS.Timeout {
  let seen = trace()
  let rests = 0
  return setInterval(() => {
    const now = trace()
    rests = now !== undefined && now === seen ? rests + 1 : 0
    seen = now
    if (rests === mostRests) then()
  }, restMs)
}

/** What the platform says: to whom it is news. */
function tell(message: ToHost, roster: Roster, toGuest: (message: ToGuest) => void) {
  if (message.t === 'drop') return roster.drop(message.invocation)
  if (message.t === 'start') {
    roster.begin(message.invocation, message.allowanceMs)
    return toGuest({ t: 'start', invocation: message.invocation, event: message.event })
  }
  if (message.t === 'result') return roster.ofCall(message.call)?.calls.result(message)
  if (message.t !== 'load' && message.t !== 'ping' && passes(message, roster)) toGuest(message)
}

/** What the guest says. */
function hear(
  message: Exclude<FromGuest, { t: 'loaded' | 'refused' | 'full' | 'wake' }>,
  roster: Roster,
  send: (message: FromHost) => void
) {
  if (message.t === 'up') return
  if (message.t === 'call') {
    if (message.bodyFrom) divert(message.bodyFrom, roster)
    return roster.call(message)
  }
  if (message.t === 'spent') return roster.spent(message)
  if (message.t === 'timer') return roster.get(message.invocation)?.setTimer(message.timer, message)
  if (message.t === 'clear') {
    for (const id of roster.ids()) roster.get(id)!.clearTimer(message.timer)
    return
  }
  if ('stream' in message) {
    if (passes(message, roster)) send(message)
  } else if (roster.get(message.invocation)) {
    if (message.t === 'head' && message.bodyFrom) divert(message.bodyFrom, roster)
    send(message.t === 'head' ? bounded(message) : message)
  }
}

/** A head that can be sent, or what is wrong with it. */
function bounded(head: ActMessage & { t: 'head' }): ActMessage {
  try {
    checkAnswer(head)
    return head
  } catch (error) {
    const { invocation } = head
    return { t: 'threw', invocation, fault: faultOf(error), passesThrough: false }
  }
}

/** What the platform reads by itself is in use, though nothing of it passes here. */
function divert(stream: string, roster: Roster) {
  passes({ t: 'pull', stream }, roster)
}

/** Whether part of a stream goes on to the other side: bodies of calls are watched. */
function passes(message: FlowMessage, roster: Roster): boolean {
  const [kind, id] = [message.stream[0]!, Number(message.stream.slice(1))]
  if (kind === 'r' || kind === 'b') return roster.ofCall(id)?.calls.flow(message, id) ?? false
  return roster.get(id) !== undefined
}
