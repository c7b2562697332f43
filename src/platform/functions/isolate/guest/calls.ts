import { type CallMessage, errorOf, type ResultMessage } from '../message.ts'
import { createMap } from './own.ts'
import { needScope, type Scope } from './scope.ts'
import type { Streams } from './streams.ts'

/** What is asked of the platform; the body is all there, or comes as a stream. */
export type Request = {
  service: string
  method: string
  id?: string
  args: unknown[]
  body?: Uint8Array | ReadableStream<Uint8Array> | null
}

/** What came of it. */
export type Result = { value: any; body?: ReadableStream<Uint8Array> }

/** Calls to the platform, on account of whoever makes them. */
export type Calls = {
  /** Rejects with what the platform says, or with the signal's reason. */
  call(request: Request, signal?: AbortSignal): Promise<Result>
  scopeOf(call: number): Scope | undefined
  take(message: ResultMessage): void
  forget(scope: Scope): void
}

type Waiting = PromiseWithResolvers<Result> & { scope: Scope }

/** Begins with no calls. */
export function createCalls(
  post: (message: CallMessage | { t: 'cancel'; stream: string }) => void,
  streams: Streams
): Calls {
  const waiting = createMap<number, Waiting>()
  let calls = 0
  const isStream = (body: Request['body']): body is ReadableStream<Uint8Array> =>
    body instanceof ReadableStream
  return {
    call({ service, method, id = '', args, body }, signal) {
      const scope = needScope()
      signal?.throwIfAborted()
      const call = ++calls
      const result: Waiting = { ...Promise.withResolvers<Result>(), scope }
      waiting.set(call, result)
      const message = { t: 'call', call, invocation: scope.id, service, method, id, args } as const
      if (isStream(body)) {
        const bodyFrom = streams.giveAway(body)
        post({ ...message, hasBody: true, bodyFrom })
        if (bodyFrom === undefined) streams.supply(`b${call}`, scope, { body, granted: 0 })
      } else post({ ...message, bytes: body ?? undefined, hasBody: false })
      const abort = () => {
        if (!waiting.delete(call)) return streams.fail(`r${call}`, signal!.reason)
        post({ t: 'cancel', stream: `r${call}` })
        result.reject(signal!.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      return result.promise
    },
    scopeOf: (call) => waiting.get(call)?.scope,
    take({ call, value, hasBody, fault }) {
      const result = waiting.get(call)
      if (!result) return
      waiting.delete(call)
      if (fault) return result.reject(errorOf(fault))
      const body = hasBody ? streams.receive(`r${call}`, result.scope) : undefined
      result.resolve({ value, ...(body && { body }) })
    },
    forget(scope) {
      waiting.forEach((result, call) => {
        if (result.scope === scope) waiting.delete(call)
      })
    }
  }
}
