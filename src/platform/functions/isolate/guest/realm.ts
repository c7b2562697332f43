import { inspect } from 'node:util'
import { exposedName } from '../shared-turn.ts'
import { confineBlobs } from './ballast.ts'
import { hideBuffer } from './buffer.ts'
import { confineCompression } from './compression.ts'
import { confineCrypto } from './crypto.ts'
import { confineEvaluation } from './evaluation.ts'
import type { Offload } from './scope.ts'
import { confineWasm } from './wasm.ts'

/**
 * What a function must not have: ways out, ways to wait without using time, and callbacks that
 * come from anywhere but a message or a promise, since ending those takes the process down.
 */
const hidden = [
  ...['process', 'global', 'require', 'module', 'navigator', 'Navigator', 'console'],
  ...['localStorage', 'sessionStorage', 'Storage', 'WebSocket', 'EventSource', 'CloseEvent'],
  ...['BroadcastChannel', 'MessageChannel', 'MessagePort', 'Worker', 'SharedArrayBuffer'],
  ...['setImmediate', 'clearImmediate', 'FinalizationRegistry', 'PerformanceObserver'],
  ...['PerformanceObserverEntryList', 'gc']
]

/** Without these, what Node loads only when it is first asked for would miss what is hidden. */
function warm() {
  new Request('http://warm.invalid/', { method: 'POST', body: 'x' })
  new Response('x', { headers: { a: 'b' } })
  new URLPattern({ pathname: '/*' })
  void [new Headers(), new FormData(), new Blob(['x']), new AbortController()]
  void [new TextDecoder(), new TextEncoder(), new CompressionStream('gzip'), new Event('x')]
  void [crypto.subtle, performance.now(), new TransformStream(), structuredClone({})]
  inspect({ warm: [new Error('x')] })
}

/** The dispatcher that Node's own `fetch` would use leads to sockets: nothing may have it. */
function denyDispatchers() {
  const refuse = () => {
    throw new Error('There is no network here.')
  }
  const value = Object.freeze({ dispatch: refuse, close: refuse, destroy: refuse })
  for (const name of ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'])
    Object.defineProperty(globalThis, Symbol.for(name), { value })
}

/**
 * What Node calls on its way to a message is named by symbols, and found on prototypes that a
 * function has: it must not put itself in between, where no turn is open.
 */
function lockDispatch() {
  for (const { prototype } of [EventTarget, Event])
    for (const symbol of Object.getOwnPropertySymbols(prototype)) {
      const { configurable, ...found } = Object.getOwnPropertyDescriptor(prototype, symbol)!
      if (!configurable) continue
      const fixed = 'value' in found ? { ...found, writable: false } : found
      Object.defineProperty(prototype, symbol, { ...fixed, configurable: false })
    }
  // What is awaited must not pass through hands of a function's on its way to whoever weighs it.
  const { prototype } = Promise
  Object.defineProperty(prototype, 'constructor', { writable: false, configurable: false })
}

/** A function's errors tell where in the function they were made, and nothing of what is below. */
function hideFrames() {
  Error.prepareStackTrace = (error, sites) => {
    const own = sites.filter((site) => site.getFileName()?.startsWith('edge:'))
    return [String(error), ...own.map((site) => `    at ${site}`)].join('\n')
  }
}

/** Turns Node's globals into those of a function, with `api` in place of what there was. */
export function prepareRealm(api: Record<string, unknown>, offload: Offload) {
  warm()
  denyDispatchers()
  confineEvaluation()
  confineWasm()
  confineCrypto(offload)
  confineCompression(offload)
  confineBlobs()
  hideBuffer()
  lockDispatch()
  hideFrames()
  for (const name of ['wait', 'waitAsync']) Reflect.deleteProperty(Atomics, name)
  for (const name of hidden) {
    Reflect.deleteProperty(globalThis, name)
    if (name in globalThis) Object.defineProperty(globalThis, name, { value: undefined })
  }
  for (const [name, value] of Object.entries(api))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
}

/** Something for the host alone: the result takes it away again, once the host has hold of it. */
export function exposeToHost(methods: Record<string, () => unknown>): () => void {
  const value = Object.freeze(Object.assign(Object.create(null), methods))
  Object.defineProperty(globalThis, exposedName, { value, configurable: true })
  return () => void Reflect.deleteProperty(globalThis, exposedName)
}
