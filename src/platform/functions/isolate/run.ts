import type { Clock } from '../../../clock.ts'
import { createAnswer, failureOf } from './answer.ts'
import type { FunctionSpec, Invocation, Outcome, Run } from './contract.ts'
import type { CloseReason, Flows } from './flow.ts'
import { createLifecycle } from './lifecycle.ts'
import { type ActMessage, type EventMessage, grantedChunks, type UsageMessage } from './message.ts'
import { createRecorder } from './record.ts'
import type { createTranscript } from './transcript.ts'

/** Where a run takes place, once there is a place for it. */
export type Place = { flows: Flows; drop(): void }

/** An invocation from when it is asked for until it has been recorded. */
export type OpenRun = Run & {
  spec: FunctionSpec
  invocation: Invocation
  allowanceMs: number
  isOver(): boolean
  /** It begins at this place, as this number; the event is what is sent there. */
  begin(place: Place, id: number): EventMessage
  act(message: ActMessage): void
  stop(outcome: Outcome, message?: string): void
  /** What it used in total; without it, that is not known. */
  account(usage?: UsageMessage): void
}

/** Opens a run; nothing of the function happens before it begins. */
export function openRun(options: {
  spec: FunctionSpec
  invocation: Invocation
  allowanceMs: number
  clock: Clock
  transcribe: typeof createTranscript
}): OpenRun {
  const { spec, invocation, allowanceMs, clock, transcribe } = options
  const answer = createAnswer()
  const { transcript, end, isEnded, account, record } = createRecorder({
    spec,
    invocation,
    clock,
    begin: transcribe
  })
  let place: (Place & { id: number }) | undefined

  const finish = (outcome: Outcome) => {
    end(outcome)
    invocation.gone?.removeEventListener('abort', lifecycle.gone)
    answer.fail(outcome)
    if (!place) return account()
    place.flows.forget([`a${place.id}`, `q${place.id}`], failureOf(outcome))
    place.drop()
  }
  const limits = { ...spec.limits, durationMs: spec.limits.durationMs[invocation.kind] }
  const lifecycle = createLifecycle({ clock, limits, finish })
  const onEnd = (ending: CloseReason) => {
    if (ending === 'left') return lifecycle.gone()
    if (ending instanceof Error) transcript.exception(ending)
    lifecycle.ended(ending === 'whole' ? 'ok' : 'exception')
  }
  const reply = (head: ActMessage & { t: 'head' }) => {
    const { status, headers, hasBody, queue } = head
    const body = bodyOf(head, { ...place!, onEnd })
    answer.give({ status, headers, body, ...(queue && { queue }) })
    if (!hasBody) lifecycle.ended('ok')
  }
  if (invocation.gone?.aborted) lifecycle.gone()
  invocation.gone?.addEventListener('abort', lifecycle.gone, { once: true })
  return {
    ...{ spec, invocation, allowanceMs, account, record },
    answer: answer.promise,
    isOver: isEnded,
    begin(at, id) {
      place = { ...at, id }
      return eventOf(invocation, place)
    },
    act(message) {
      if (isEnded()) return
      if (message.t === 'waiting') lifecycle.waiting(message.promises)
      else if (message.t === 'line') transcript.line(message.line)
      else if (message.t === 'head') reply(message)
      else {
        const { fault, passesThrough } = message
        transcript.exception(fault)
        answer.fail('exception', { message: fault.message, passesThrough })
        lifecycle.ended('exception')
      }
    },
    stop(outcome, message) {
      answer.fail(outcome, { message })
      lifecycle.stop(outcome)
    }
  }
}

/** The body of an answer, from the function or from where the function had it. */
function bodyOf(
  { hasBody, bodyFrom: from }: ActMessage & { t: 'head' },
  { flows, id, onEnd }: Place & { id: number; onEnd: (ending: CloseReason) => void }
) {
  if (!hasBody) return null
  if (from !== undefined) return flows.divert(`a${id}`, { from, onEnd })
  return flows.receive(`a${id}`, { granted: grantedChunks, onEnd })
}

/** What of an invocation crosses; its body does as it is pulled. */
function eventOf(invocation: Invocation, { flows, id }: Place & { id: number }): EventMessage {
  const { id: _id, context: _context, gone: _gone, ...event } = invocation
  if (event.kind !== 'fetch') return event
  const { body, ...head } = event
  if (body) flows.supply(`q${id}`, body)
  return { ...head, hasBody: body !== null }
}
