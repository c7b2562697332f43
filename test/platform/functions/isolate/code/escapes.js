// Ways out of what a function may use, each begun in the global scope or by its own request. Which
// one it is comes with its environment's place: the text `SHAPE` is replaced before it is deployed.
import { ruses } from './ruses.js'

const shape = 'SHAPE'
const spin = () => {
  for (;;);
}
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const patch = (holder, name, make) => {
  const was = holder[name]
  holder[name] = make(was)
}
const { apply } = Reflect
const text = new TextEncoder()
const key = (name, usages) => crypto.subtle.importKey('raw', text.encode('x'), name, false, usages)
/** Spins as soon as something of the platform calls what a function has changed. */
const spinsIn = (holder, name) => ({
  request() {
    let isArmed = true
    patch(
      holder,
      name,
      (was) =>
        function (...args) {
          if (isArmed) {
            isArmed = false
            spin()
          }
          return apply(was, this, args)
        }
    )
    return sleep(1e3)
  }
})
/** Takes whatever accounts pass by, and has them say that nothing was used. */
const steals = (holder, name) => ({
  start() {
    globalThis.stolen = []
    patch(
      holder,
      name,
      (was) =>
        function (...args) {
          for (let n = -1; n < args.length; n++) {
            const value = n < 0 ? this : args[n]
            if (typeof value === 'object' && value !== null)
              globalThis.stolen[globalThis.stolen.length] = value
          }
          return apply(was, this, args)
        }
    )
  },
  async request() {
    await sleep(5)
    for (const one of globalThis.stolen)
      for (const used of ['cpuUs', 'beforeUs', 'usedUs', 'grownBytes'])
        if (used in one) one[used] = -1e12
    spin()
  }
})
/** Something optional that is looked for where a function has put a trap. */
const traps = (name) => ({
  start() {
    Object.defineProperty(Object.prototype, name, {
      configurable: true,
      get() {
        if ('cpuUs' in this) this.cpuUs = -1e12
        if (this.scope) this.scope.cpuUs = -1e12
        return undefined
      }
    })
  },
  async request() {
    await sleep(5)
    spin()
  }
})
let resolveLater
const later = new Promise((resolve) => {
  resolveLater = resolve
})
const fromStart = (wait) => ({
  start() {
    wait().then(spin)
  },
  request: () => sleep(1e3)
})
const onRequest = (react) => ({
  start() {
    react(later)
  },
  async request() {
    resolveLater()
    await sleep(1e3)
  }
})

const shapes = {
  startThen: onRequest((promise) => promise.then(spin)),
  startAwait: onRequest(async (promise) => {
    await promise
    spin()
  }),
  startFinally: onRequest((promise) => promise.finally(spin)),
  startStorm: onRequest(async (promise) => {
    await promise
    for (;;) await null
  }),
  startChain: onRequest((promise) => promise.then(() => Promise.resolve().then(spin))),
  startAll: onRequest((promise) => Promise.all([promise]).then(spin)),
  startDigest: fromStart(() => crypto.subtle.digest('SHA-256', new Uint8Array(9))),
  startSign: fromStart(async () =>
    crypto.subtle.sign(
      'HMAC',
      await key({ name: 'HMAC', hash: 'SHA-256' }, ['sign']),
      text.encode('a')
    )
  ),
  startKey: fromStart(() =>
    crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, true, ['encrypt'])
  ),
  startBlob: fromStart(() => new Blob(['x']).arrayBuffer()),
  startCompression: fromStart(() => {
    const { readable, writable } = new CompressionStream('gzip')
    const writer = writable.getWriter()
    writer.write(text.encode('x'))
    writer.close()
    return readable.getReader().read()
  }),
  mapSet: steals(Map.prototype, 'set'),
  mapGet: steals(Map.prototype, 'get'),
  mapDelete: steals(Map.prototype, 'delete'),
  mapHas: steals(Map.prototype, 'has'),
  mapValues: steals(Map.prototype, 'values'),
  mapIterator: steals(Map.prototype, Symbol.iterator),
  mapNext: steals(Object.getPrototypeOf(new Map().values()), 'next'),
  arrayNext: steals(Object.getPrototypeOf([].values()), 'next'),
  arrayPush: steals(Array.prototype, 'push'),
  arrayShift: steals(Array.prototype, 'shift'),
  arrayIterator: steals(Array.prototype, Symbol.iterator),
  promiseThen: steals(Promise.prototype, 'then'),
  functionApply: steals(Function.prototype, 'apply'),
  functionCall: steals(Function.prototype, 'call'),
  weakMapGet: steals(WeakMap.prototype, 'get'),
  weakMapSet: steals(WeakMap.prototype, 'set'),
  trapObject: traps('object'),
  trapFailure: traps('failure'),
  trapPending: traps('pending'),
  trapRepeats: traps('repeats'),
  trapThen: traps('then'),
  spinShift: spinsIn(Array.prototype, 'shift'),
  spinPush: spinsIn(Array.prototype, 'push'),
  spinIterator: spinsIn(Array.prototype, Symbol.iterator),
  spinMapGet: spinsIn(Map.prototype, 'get'),
  spinMapDelete: spinsIn(Map.prototype, 'delete'),
  spinThen: spinsIn(Promise.prototype, 'then'),
  spinStringify: spinsIn(JSON, 'stringify'),
  spinMax: {
    async request() {
      Math.max = spin
      Math.min = spin
      await sleep(5)
      spin()
    }
  },
  forgedPort: {
    start() {
      const target = EventTarget.prototype
      for (const symbol of Object.getOwnPropertySymbols(target)) {
        const was = target[symbol]
        if (typeof was !== 'function') continue
        try {
          target[symbol] = function (...args) {
            if (typeof this?.postMessage === 'function')
              for (let invocation = 1; invocation < 9; invocation++)
                this.postMessage({ t: 'spent', invocation, cpuUs: -1e12, peakMemoryBytes: 0 })
            return apply(was, this, args)
          }
        } catch {}
      }
    },
    async request() {
      await sleep(5)
      spin()
    }
  },
  ...ruses
}

await shapes[shape].start?.()

export default {
  async fetch(_request, _env, context) {
    const value = await shapes[shape].request(context)
    return value instanceof Response ? value : new Response(String(value))
  }
}
