import { errorOf, type Fault, type FlowMessage, faultOf } from '../message.ts'
import { startup } from '../shared-turn.ts'
import { createMap, type Own } from './own.ts'
import { runIn, type Scope, scopeNow } from './scope.ts'

/** The guest's end of the streams that cross. */
export type Streams = {
  /** What comes in, pulled only as the function reads. */
  receive(stream: string, scope: Scope): ReadableStream<Uint8Array>
  /** Hands out what the function makes as it is pulled; `granted` chunks without being asked. */
  supply(
    stream: string,
    scope: Scope,
    options: { body: ReadableStream<Uint8Array>; granted: number }
  ): void
  /**
   * Gives away what comes in, where this body is that and nobody has begun to read it: the name of
   * the stream, for others to read. It need not pass through here.
   */
  giveAway(body: ReadableStream<Uint8Array>): string | undefined
  /** Reading it fails from now on. */
  fail(stream: string, reason: unknown): void
  scopeOf(stream: string): Scope | undefined
  take(message: FlowMessage): void
  forget(scope: Scope): void
}

type Inlet = {
  scope: Scope
  pending: PromiseWithResolvers<Uint8Array | undefined> | undefined
  failure: { reason: unknown } | undefined
}
type Outlet = { scope: Scope; grant(): void; cancel(): void }

/** A larger chunk crosses in pieces, so that no more of it is under way than was asked for. */
const pieceBytes = 524_288

const { ReadableStream } = globalThis

/** Opens the guest's end. */
export function createStreams(post: (message: FlowMessage) => void): Streams {
  const inlets = createMap<string, Inlet>()
  const outlets = createMap<string, Outlet>()
  const untouched = new WeakMap<ReadableStream, string>()

  const leave = (stream: string) => post({ t: 'cancel', stream })
  const deliver = (stream: string, chunk?: Uint8Array, fault?: Fault) => {
    const inlet = inlets.get(stream)
    if (!chunk) inlets.delete(stream)
    if (fault) inlet?.pending?.reject(errorOf(fault))
    else inlet?.pending?.resolve(chunk)
  }
  return {
    receive(stream, scope) {
      const inlet: Inlet = { scope, pending: undefined, failure: undefined }
      inlets.set(stream, inlet)
      const ask = () => {
        untouched.delete(body)
        post({ t: 'pull', stream })
      }
      const body = inletBody(inlet, {
        ask,
        leave: () => void (inlets.delete(stream) && leave(stream))
      })
      untouched.set(body, stream)
      return body
    },
    giveAway(body) {
      const stream = untouched.get(body)
      if (stream === undefined || body.locked || inlets.get(stream)?.scope !== scopeNow())
        return undefined
      inlets.delete(stream)
      body.getReader()
      return stream
    },
    fail(stream, reason) {
      const inlet = inlets.get(stream)
      if (!inlet || inlet.failure) return
      inlet.failure = { reason }
      inlet.pending?.reject(reason)
      leave(stream)
    },
    supply(stream, scope, { body, granted }) {
      const outlet = createOutlet({ stream, body, post, onEnd: () => outlets.delete(stream) })
      outlets.set(stream, { ...outlet, scope })
      for (let grant = 0; grant < granted; grant++) outlet.grant()
    },
    scopeOf: (stream) => (inlets.get(stream) ?? outlets.get(stream))?.scope,
    take(message) {
      const { stream } = message
      if (message.t === 'chunk') deliver(stream, message.data)
      else if (message.t === 'end') deliver(stream)
      else if (message.t === 'broken') deliver(stream, undefined, message.fault)
      else if (message.t === 'pull') outlets.get(stream)?.grant()
      else outlets.get(stream)?.cancel()
    },
    forget(scope) {
      forgetIn(inlets, scope)
      forgetIn(outlets, scope)
    }
  }
}

/** Gives up the ends of streams that are a scope's. */
function forgetIn(ends: Own<string, { scope: Scope }>, scope: Scope) {
  ends.forEach((end, stream) => {
    if (end.scope === scope) ends.delete(stream)
  })
}

/** What the function reads from: it asks for a chunk when it is read, and not before. */
function inletBody(inlet: Inlet, { ask, leave }: { ask: () => void; leave: () => void }) {
  const pull = async (controller: ReadableByteStreamController) => {
    const current = scopeNow()
    if (current && current !== inlet.scope && current.id !== startup)
      throw new Error('Cannot perform I/O on behalf of a different request.')
    if (inlet.failure) throw inlet.failure.reason
    inlet.pending = Promise.withResolvers()
    ask()
    const chunk = await inlet.pending.promise
    if (chunk) return controller.enqueue(chunk)
    controller.close()
    controller.byobRequest?.respond(0)
  }
  return new ReadableStream({ type: 'bytes', pull, cancel: leave }, { highWaterMark: 0 })
}

/** Reads a body as far as it has been granted. */
function createOutlet(options: {
  stream: string
  body: ReadableStream<Uint8Array>
  post: (message: FlowMessage) => void
  onEnd: () => void
}) {
  const { stream, body, post, onEnd } = options
  const reader = body.getReader()
  let granted = 0
  let isReading = false
  let rest: Uint8Array | undefined
  const nextPiece = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = rest ? { done: false, value: rest } : await reader.read()
    if (done) return undefined
    if (!(value instanceof Uint8Array))
      throw new TypeError('This stream has a chunk that is not made of bytes.')
    rest = value.length > pieceBytes ? value.subarray(pieceBytes) : undefined
    return value.subarray(0, pieceBytes)
  }
  const read = async () => {
    isReading = true
    try {
      for (; granted > 0; granted--) {
        const data = await nextPiece()
        if (!data) {
          onEnd()
          return post({ t: 'end', stream })
        }
        post({ t: 'chunk', stream, data })
      }
      isReading = false
    } catch (error) {
      onEnd()
      post({ t: 'broken', stream, fault: faultOf(error) })
    }
  }
  return {
    grant() {
      granted++
      if (!isReading) void read()
    },
    cancel() {
      onEnd()
      reader.cancel().catch(() => {})
    }
  }
}

/** Runs what a stream's message asks for on account of the stream's scope. */
export function takeIn(streams: Streams, message: FlowMessage, open: (scope: Scope) => void) {
  const scope = streams.scopeOf(message.stream)
  if (!scope || scope.isDropped) return
  open(scope)
  runIn(scope, () => streams.take(message))
}
