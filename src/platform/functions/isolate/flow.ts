import type { Bytes } from './contract.ts'
import { errorOf, type FlowMessage, faultOf } from './message.ts'

/** How far a stream is read ahead of what has been pulled, and how large a chunk becomes. */
const aheadBytes = 524_288

/** The platform's end of the streams that cross to and from one instance. */
export type Flows = {
  /** Hands out bytes as they are pulled. */
  supply(stream: string, bytes: Bytes): void
  /** Bytes that are pulled as they are read; `granted` chunks come without being asked for. */
  receive(stream: string, options: { granted: number; onEnd: (reason: CloseReason) => void }): Bytes
  /** Bytes that were supplied as `from`, read here instead of there, under another name. */
  divert(stream: string, options: { from: string; onEnd: (reason: CloseReason) => void }): Bytes
  take(message: FlowMessage): void
  /** Gives up on these streams: what is read breaks with this, what is handed out is let go. */
  forget(streams: Iterable<string>, reason?: Error): void
}

/** How a stream that was received ended: by itself, by a fault, or because nobody reads it. */
export type CloseReason = 'whole' | 'left' | Error

/** Where chunks that arrived wait for whoever reads them. */
type Inlet = {
  push(chunk: Uint8Array): void
  end(error?: Error): void
}

function createInlet(pull: () => void, cancel: () => void): { inlet: Inlet; bytes: Bytes } {
  const ready: Uint8Array[] = []
  let waiting: PromiseWithResolvers<void> | undefined
  let isOver = false
  let failure: Error | undefined
  const end = (error?: Error) => {
    isOver = true
    failure = error
    waiting?.resolve()
  }
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      while (ready.length === 0 && !isOver) {
        waiting = Promise.withResolvers()
        await waiting.promise
      }
      const value = ready.shift()
      if (value === undefined && failure) throw failure
      // The next one is asked for while this one is being dealt with.
      if (value !== undefined && !isOver) pull()
      return value === undefined ? { done: true, value } : { done: false, value }
    },
    async return() {
      if (!isOver) cancel()
      end()
      ready.length = 0
      return { done: true, value: undefined }
    }
  }
  const push = (chunk: Uint8Array) => {
    ready.push(chunk)
    waiting?.resolve()
  }
  return { inlet: { push, end }, bytes: iterator }
}

/** Bytes that are read from where they come from; `end` cuts them off. */
function createPassage(
  source: AsyncIterator<Uint8Array> | undefined,
  onEnd: (reason: CloseReason) => void
): { inlet: Inlet; bytes: Bytes } {
  let failure: Error | undefined = source ? undefined : new Error('this body is not to be had')
  let isOver = false
  const close = (reason: CloseReason) => {
    if (!isOver) onEnd(reason)
    isOver = true
  }
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    async next() {
      try {
        if (failure) throw failure
        const result = await source!.next()
        if (failure) throw failure
        if (result.done) close('whole')
        return result
      } catch (error) {
        close(error as Error)
        throw error
      }
    },
    async return() {
      close('left')
      source?.return?.().catch(() => {})
      return { done: true, value: undefined }
    }
  }
  const end = (error?: Error) => {
    failure = error
    isOver = true
    source?.return?.().catch(() => {})
  }
  return { inlet: { push() {}, end }, bytes: iterator }
}

/** What is handed out as it is pulled. */
type Outlet = { grant(): void; letGo(): void; source: AsyncIterator<Uint8Array> }

/**
 * Hands out bytes: each pull takes what has come meanwhile, as one chunk. Nothing is read before
 * the first pull, and then no further ahead than `aheadBytes`.
 */
function createOutlet(options: {
  stream: string
  bytes: Bytes
  send: (message: FlowMessage) => void
  onEnd: () => void
}): Outlet {
  const { stream, send, onEnd } = options
  const source = options.bytes[Symbol.asyncIterator]()
  let ready: Uint8Array[] = []
  let readyBytes = 0
  let granted = 0
  let isReading = false
  let last: FlowMessage | undefined
  let isLeft = false

  const handOut = () => {
    if (isLeft || granted === 0 || (readyBytes === 0 && !last)) return
    granted--
    if (readyBytes > 0) {
      send({ t: 'chunk', stream, data: ready.length === 1 ? ready[0]! : Buffer.concat(ready) })
      ready = []
      readyBytes = 0
    } else {
      send(last!)
      onEnd()
    }
  }
  const read = async () => {
    try {
      const { done, value } = await source.next()
      if (done) last = { t: 'end', stream }
      else {
        ready.push(value)
        readyBytes += value.length
      }
    } catch (error) {
      last = { t: 'broken', stream, fault: faultOf(error) }
    }
  }
  const readAhead = async () => {
    if (isReading) return
    isReading = true
    for (; !isLeft && !last && readyBytes < aheadBytes; handOut()) await read()
    isReading = false
  }
  return {
    source,
    grant() {
      granted++
      handOut()
      void readAhead()
    },
    letGo() {
      isLeft = true
      source.return?.().catch(() => {})
    }
  }
}

/** Opens the platform's end; `send` carries messages to the other one. */
export function createFlows(send: (message: FlowMessage) => void): Flows {
  const outlets = new Map<string, Outlet>()
  const inlets = new Map<string, Inlet & { onEnd: (reason: CloseReason) => void }>()

  const letGo = (stream: string) => {
    outlets.get(stream)?.letGo()
    outlets.delete(stream)
  }
  const finish = (stream: string, error?: Error) => {
    const inlet = inlets.get(stream)
    if (!inlets.delete(stream)) return
    inlet?.end(error)
    inlet?.onEnd(error ?? 'whole')
  }
  return {
    supply(stream, bytes) {
      letGo(stream)
      const onEnd = () => outlets.delete(stream)
      outlets.set(stream, createOutlet({ stream, bytes, send, onEnd }))
    },
    receive(stream, { granted, onEnd }) {
      const pull = () => send({ t: 'pull', stream })
      const { inlet, bytes } = createInlet(pull, () => {
        if (!inlets.delete(stream)) return
        send({ t: 'cancel', stream })
        onEnd('left')
      })
      inlets.set(stream, { ...inlet, onEnd })
      if (granted === 0) pull()
      return bytes
    },
    divert(stream, { from, onEnd }) {
      const source = outlets.get(from)?.source
      outlets.delete(from)
      const { inlet, bytes } = createPassage(source, (reason) => {
        if (inlets.delete(stream)) onEnd(reason)
        // Who counts what is open there learns that this is not any more.
        if (from.startsWith('r')) send({ t: 'end', stream: from })
      })
      inlets.set(stream, { ...inlet, onEnd })
      return bytes
    },
    take(message) {
      const { stream } = message
      if (message.t === 'pull') outlets.get(stream)?.grant()
      else if (message.t === 'chunk') inlets.get(stream)?.push(message.data)
      else if (message.t === 'end') finish(stream)
      else if (message.t === 'broken') finish(stream, errorOf(message.fault))
      else if (message.t === 'cancel') letGo(stream)
    },
    forget(streams, reason = new Error('the function was stopped before all of it had come')) {
      for (const stream of streams) {
        letGo(stream)
        finish(stream, reason)
      }
    }
  }
}
