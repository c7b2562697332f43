import {
  type ActMessage,
  type FlowMessage,
  type FromGuest,
  type FromHost,
  faultOf,
  type OffloadMessage,
  type ToGuest,
  type ToHost
} from '../message.ts'
import { checkAnswer } from './bounds.ts'
import { enforceLimits } from './enforcement.ts'
import type { HostParts } from './host-parts.ts'
import { createInvocations, type Invocations } from './invocations.ts'
import { createOffloads } from './offloads.ts'
import { openPoolClock } from './thread-clock.ts'

/** Everything between the platform and the guest, from when it is known what it is to run. */
export function createHost(parts: HostParts): { take(message: ToHost): void } {
  const { load, worker, send } = parts
  let posted = 0
  const toGuest = (message: ToGuest) => {
    posted++
    worker.postMessage(message)
    enforcement.kick()
  }
  const resume = () => toGuest({ t: 'resume', posted: posted + 1 })
  const { thread } = parts
  const trace = () => (enforcement.isBehind() || thread.isRunnable() ? undefined : thread.trace())
  const offloads = createOffloads(openPoolClock())
  const invocations = createInvocations({ load, send, toGuest, trace, offloads })
  const enforcement = enforceLimits({ ...parts, invocations, offloads, resume })
  const refuse = (message: string) => enforcement.refuse({ kind: 'startup-error', message })
  const rest = whenAtRest(trace, () => refuse('The global scope never came to its end.'))
  const loaded = (handlers: string[]) => {
    clearInterval(rest)
    const message = 'The main module exports no handler and no class.'
    if (handlers.length === 0) enforcement.refuse({ kind: 'no-handlers', message })
    else send({ t: 'loaded' })
  }
  const offloaded = ({ invocation, weight, isLasting }: OffloadMessage) => {
    if (weight < 0 || invocations.get(invocation)) offloads.note(invocation, weight, isLasting)
  }
  worker.on('message', (message: FromGuest) => {
    if (message.t === 'loaded') loaded(message.handlers)
    else if (message.t === 'refused') refuse(message.fault.message)
    else if (message.t === 'full') enforcement.full(message)
    else if (message.t === 'wake') resume()
    else if (message.t === 'offload') offloaded(message)
    else hear(message, invocations, send)
    if (message.t === 'call' && message.bytes) enforcement.held(message.invocation)
  })
  toGuest(load)
  return { take: (message) => tell(message, invocations, toGuest) }
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
function tell(message: ToHost, invocations: Invocations, toGuest: (message: ToGuest) => void) {
  if (message.t === 'drop') return invocations.drop(message.invocation)
  if (message.t === 'start') {
    invocations.begin(message.invocation, message.allowanceMs)
    return toGuest({ t: 'start', invocation: message.invocation, event: message.event })
  }
  if (message.t === 'result') return invocations.ofCall(message.call)?.calls.result(message)
  if (message.t !== 'load' && message.t !== 'ping' && passes(message, invocations)) toGuest(message)
}

/** What the guest says. */
function hear(
  message: Exclude<FromGuest, { t: 'loaded' | 'refused' | 'full' | 'wake' | 'offload' }>,
  invocations: Invocations,
  send: (message: FromHost) => void
) {
  if (message.t === 'up') return
  if (message.t === 'call') {
    if (message.bodyFrom) divert(message.bodyFrom, invocations)
    return invocations.call(message)
  }
  if (message.t === 'spent') return invocations.spent(message)
  if (message.t === 'timer')
    return invocations.get(message.invocation)?.setTimer(message.timer, message)
  if (message.t === 'clear') {
    for (const id of invocations.ids()) invocations.get(id)!.clearTimer(message.timer)
    return
  }
  if ('stream' in message) {
    if (passes(message, invocations)) send(message)
    return
  }
  const invocation = invocations.get(message.invocation)
  if (!invocation) return
  if (message.t === 'waiting') {
    if (invocation.waitsFor(message.promises)) send(message)
  } else {
    if (message.t === 'head' && message.bodyFrom) divert(message.bodyFrom, invocations)
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
function divert(stream: string, invocations: Invocations) {
  passes({ t: 'pull', stream }, invocations)
}

/** Whether part of a stream goes on to the other side: bodies of calls are watched. */
function passes(message: FlowMessage, invocations: Invocations): boolean {
  const [kind, id] = [message.stream[0]!, Number(message.stream.slice(1))]
  if (kind === 'r' || kind === 'b') return invocations.ofCall(id)?.calls.flow(message, id) ?? false
  return invocations.get(id) !== undefined
}
