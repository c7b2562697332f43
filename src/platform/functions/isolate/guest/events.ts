import type { Pairs, QueueVerdict } from '../contract.ts'
import { type ActMessage, type EventMessage, faultOf, grantedChunks } from '../message.ts'
import { contextOf } from './context.ts'
import type { Scope } from './scope.ts'
import type { Streams } from './streams.ts'

/** What a module offers: handlers by default, and classes of stateful objects by name. */
export type Program = {
  handlers: Record<string, unknown>
  env: Record<string, unknown>
  /** The instance of a stateful object, made when it is first needed. */
  objectOf(address: NonNullable<Scope['object']>): Record<string, unknown>
}

type Parts = {
  program: Program
  streams: Streams
  post: (message: ActMessage) => void
  /** Looks at memory. */
  weigh: (scope: Scope) => void
}

const { Request, Response } = globalThis

/** Carries out an event: whatever the function does with it is told by messages. */
export async function handleEvent(scope: Scope, event: EventMessage, parts: Parts): Promise<void> {
  const { post, weigh } = parts
  try {
    if (event.kind === 'fetch') return await answer(scope, event, parts)
    const queue = await carryOut(scope, event, parts)
    const head = { status: 204, headers: [], hasBody: false }
    weigh(scope)
    post({ t: 'head', invocation: scope.id, ...head, ...(queue && { queue }) })
  } catch (thrown) {
    const { id, passesThrough } = scope
    post({ t: 'threw', invocation: id, fault: faultOf(thrown), passesThrough })
  }
}

function handlerOf(holder: Record<string, unknown>, name: string) {
  const handler = holder[name]
  if (typeof handler !== 'function') throw new TypeError(`Handler does not export ${name}().`)
  return (...args: unknown[]) => handler.apply(holder, args)
}

async function answer(scope: Scope, event: EventMessage & { kind: 'fetch' }, parts: Parts) {
  const { program, streams, post, weigh } = parts
  const { method, url, headers, hasBody, facts, object } = event
  const body = hasBody ? streams.receive(`q${scope.id}`, scope) : null
  const init = { method, headers, body, redirect: 'manual', duplex: 'half' } as RequestInit
  const request = new Request(url, init)
  Object.defineProperty(request, 'cf', { value: facts })
  const context = contextOf(scope, post)
  const response = object
    ? await handlerOf(program.objectOf(object), 'fetch')(request)
    : await handlerOf(program.handlers, 'fetch')(request, program.env, context)
  if (!(response instanceof Response))
    throw new TypeError('Incorrect type for Promise: the Promise did not resolve to a Response.')
  if (response.status < 200) throw new TypeError('This response stands for an error.')
  if (response.bodyUsed) throw new TypeError('The body of this response has been used already.')
  const sent = method === 'HEAD' ? null : response.body
  if (!sent) response.body?.cancel().catch(() => {})
  const head = { status: response.status, headers: [...response.headers] as Pairs }
  // Who has taken too much is cancelled with this turn, not answered with it.
  weigh(scope)
  const bodyFrom = sent ? streams.giveAway(sent) : undefined
  post({ t: 'head', invocation: scope.id, ...head, hasBody: sent !== null, bodyFrom })
  if (sent && bodyFrom === undefined)
    streams.supply(`a${scope.id}`, scope, { body: sent, granted: grantedChunks })
}

async function carryOut(
  scope: Scope,
  event: Exclude<EventMessage, { kind: 'fetch' }>,
  { program, post }: Parts
): Promise<QueueVerdict | undefined> {
  const context = contextOf(scope, post)
  if (event.kind === 'alarm') {
    const { attempts } = event
    const info = { retryCount: attempts - 1, isRetry: attempts > 1 }
    await handlerOf(program.objectOf(event.object), 'alarm')(info)
  } else if (event.kind === 'scheduled') {
    const { cron, scheduledMs: scheduledTime } = event
    const controller = { type: 'scheduled', cron, scheduledTime, noRetry() {} }
    await handlerOf(program.handlers, 'scheduled')(controller, program.env, context)
  } else {
    const { batch, verdict } = batchOf(event)
    await handlerOf(program.handlers, 'queue')(batch, program.env, context)
    return verdict()
  }
  return undefined
}

function batchOf({ queue, messages }: EventMessage & { kind: 'queue' }) {
  const fates = new Map<string, keyof QueueVerdict>()
  // The first word on a message counts, and a word on all is about those without one.
  const say = (fate: keyof QueueVerdict, ids: string[]) => {
    for (const id of ids) if (!fates.has(id)) fates.set(id, fate)
  }
  const all = messages.map(({ id }) => id)
  const batch = {
    queue,
    messages: messages.map(({ id, atMs, attempts, body }) => ({
      id,
      timestamp: new Date(atMs),
      attempts,
      body,
      ack: () => say('acknowledged', [id]),
      retry: () => say('retried', [id])
    })),
    ackAll: () => say('acknowledged', all),
    retryAll: () => say('retried', all)
  }
  const having = (fate: keyof QueueVerdict) => all.filter((id) => fates.get(id) === fate)
  const verdict = () => ({ acknowledged: having('acknowledged'), retried: having('retried') })
  return { batch, verdict }
}
