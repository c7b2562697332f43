import type { Clock } from '../../../clock.ts'
import {
  type Answer,
  FunctionFailed,
  type FunctionSpec,
  type Invocation,
  type InvocationRecord,
  type Outcome,
  type Run
} from './contract.ts'
import type { Flows } from './flow.ts'
import { createLifecycle } from './lifecycle.ts'
import { type ActMessage, type EventMessage, errorOf, type UsageMessage } from './message.ts'
import type { IsolateRules } from './rules.ts'
import { createTranscript } from './transcript.ts'

/** Where a run takes place, once there is a place for it. */
export type Place = { flows: Flows; drop(): void }

/** An invocation from when it is asked for until it has been recorded. */
export type OpenRun = Run & {
  spec: FunctionSpec
  invocation: Invocation
  allowanceMs: number
  /** Whether it is over before it has begun. */
  isOver(): boolean
  /** It begins at this place, as this number; the event is what is sent there. */
  begin(place: Place, id: number): EventMessage
  act(message: ActMessage): void
  stop(outcome: Outcome, message?: string): void
  /** What it used in total; without it, that is not known. */
  account(usage?: UsageMessage): void
}

const messages: Record<Outcome, string> = {
  ok: 'The function never answered.',
  exception: 'The function threw an exception.',
  exceededCpu: 'The function exceeded its processor time limit.',
  exceededMemory: 'The function exceeded its memory limit.',
  exceededDuration: 'The function exceeded its duration limit.',
  canceled: 'The client left.',
  waitUntilTimeout: 'The function did not end in time after its answer.',
  internal: 'The instance of the function ended.'
}

/** Opens a run; nothing of the function happens before it begins. */
export function openRun(options: {
  spec: FunctionSpec
  invocation: Invocation
  allowanceMs: number
  clock: Clock
  rules: IsolateRules
}): OpenRun {
  const { spec, invocation, allowanceMs, clock, rules } = options
  const { limits } = spec
  const startedMs = clock.now()
  const answer = Promise.withResolvers<Answer>()
  let isAnswered = false
  const record = Promise.withResolvers<InvocationRecord>()
  const transcript = createTranscript(limits.consoleBytes, rules)
  let ended: { outcome: Outcome; wallMs: number } | undefined
  let place: (Place & { id: number }) | undefined
  // A function that fails after it has answered, or whose answer nobody awaits, is on the record.
  answer.promise.catch(() => {})
  if (invocation.kind === 'fetch') transcript.request(invocation)

  const fail = (outcome: Outcome, given: { message?: string; passesThrough?: boolean } = {}) => {
    if (isAnswered) return
    isAnswered = true
    const { message = messages[outcome], passesThrough = false } = given
    answer.reject(new FunctionFailed(message, { outcome, passesThrough }))
  }
  const finish = (outcome: Outcome) => {
    ended = { outcome, wallMs: clock.now() - startedMs }
    invocation.gone?.removeEventListener('abort', lifecycle.gone)
    fail(outcome)
    if (!place) return account()
    place.flows.forget([`a${place.id}`, `q${place.id}`])
    place.drop()
  }
  const durationMs = limits.durationMs[invocation.kind]
  const lifecycle = createLifecycle({ clock, rules, limits: { ...limits, durationMs }, finish })
  const account = (usage?: UsageMessage) => {
    if (!ended) return
    const { cpuUs = 0, peakMemoryBytes = 0, subrequests = 0, internalSubrequests = 0 } = usage ?? {}
    record.resolve({
      ...{ functionId: spec.id, version: spec.version, id: invocation.id, kind: invocation.kind },
      ...{ ...ended, startedMs, cpuUs, peakMemoryBytes, subrequests, internalSubrequests },
      ...transcript.recorded()
    })
  }
  const receive = ({ id, flows }: Place & { id: number }) =>
    flows.receive(`a${id}`, {
      granted: 2,
      onEnd(ending) {
        if (ending === 'left') lifecycle.gone()
        else lifecycle.ended(ending === 'whole' ? 'ok' : 'exception')
      }
    })
  if (invocation.gone?.aborted) lifecycle.gone()
  invocation.gone?.addEventListener('abort', lifecycle.gone, { once: true })
  return {
    ...{ spec, invocation, allowanceMs, answer: answer.promise, record: record.promise },
    isOver: () => ended !== undefined,
    begin(at, id) {
      place = { ...at, id }
      return eventOf(invocation, place)
    },
    act(message) {
      if (ended) return
      if (message.t === 'waiting') lifecycle.waiting(message.promises)
      else if (message.t === 'line') {
        transcript.line(message.line)
        const { isTruncated } = transcript.recorded()
        if (isTruncated && rules.beyondConsole === 'fail') lifecycle.stop('exception')
      } else if (message.t === 'threw') {
        transcript.exception(errorOf(message.fault))
        fail('exception', { message: message.fault.message, passesThrough: message.passesThrough })
        lifecycle.ended('exception')
      } else {
        const { status, headers, hasBody, queue } = message
        const body = hasBody ? receive(place!) : null
        isAnswered = true
        answer.resolve({ status, headers, body, ...(queue && { queue }) })
        if (!hasBody) lifecycle.ended('ok')
      }
    },
    stop(outcome, message) {
      fail(outcome, { message })
      lifecycle.stop(outcome)
    },
    account
  }
}

function eventOf(invocation: Invocation, { flows, id }: Place & { id: number }): EventMessage {
  const { id: _id, context: _context, gone: _gone, ...event } = invocation
  if (event.kind !== 'fetch') return event
  const { body, ...head } = event
  if (body) flows.supply(`q${id}`, body)
  return { ...head, hasBody: body !== null }
}
