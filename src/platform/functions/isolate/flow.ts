import type { Bytes } from './contract.ts'
import { errorOf, type FlowMessage, faultOf } from './message.ts'

/** The platform's end of the streams that cross to and from one instance. */
export type Flows = {
  /** Hands out bytes as they are pulled. */
  supply(stream: string, bytes: Bytes): void
  /** Bytes that are pulled as they are read; `granted` chunks come without having been asked for. */
  receive(stream: string, options: { granted: number; onEnd: (ending: Ending) => void }): Bytes
  take(message: FlowMessage): void
  /** Gives up on these streams: what is read breaks, what is handed out is let go. */
  forget(streams: Iterable<string>): void
}

/** How a stream that was received ended: by itself, by a fault, or because nobody reads it. */
export type Ending = 'whole' | 'left' | Error

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

/** Opens the platform's end; `send` carries messages to the other one. */
export function createFlows(send: (message: FlowMessage) => void): Flows {
  const supplied = new Map<string, AsyncIterator<Uint8Array>>()
  const inlets = new Map<string, Inlet & { onEnd: (ending: Ending) => void }>()

  const handOut = async (stream: string) => {
    const source = supplied.get(stream)
    if (!source) return
    try {
      const { done, value } = await source.next()
      if (!supplied.has(stream)) return
      if (!done) return send({ t: 'chunk', stream, data: value })
      send({ t: 'end', stream })
    } catch (error) {
      send({ t: 'broken', stream, fault: faultOf(error) })
    }
    supplied.delete(stream)
  }
  const letGo = (stream: string) => {
    const source = supplied.get(stream)
    supplied.delete(stream)
    source?.return?.().catch(() => {})
  }
  const finish = (stream: string, error?: Error) => {
    const inlet = inlets.get(stream)
    if (!inlets.delete(stream)) return
    inlet?.end(error)
    inlet?.onEnd(error ?? 'whole')
  }
  return {
    supply: (stream, bytes) => void supplied.set(stream, bytes[Symbol.asyncIterator]()),
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
    take(message) {
      const { stream } = message
      if (message.t === 'pull') void handOut(stream)
      else if (message.t === 'chunk') inlets.get(stream)?.push(message.data)
      else if (message.t === 'end') finish(stream)
      else if (message.t === 'broken') finish(stream, errorOf(message.fault))
      else if (message.t === 'cancel') letGo(stream)
    },
    forget(streams) {
      for (const stream of streams) {
        letGo(stream)
        finish(stream, new Error('the function was stopped before all of it had come'))
      }
    }
  }
}
