// Each attempt answers with what it got hold of, as text; nothing when it got nothing.
// biome-ignore lint/security/noGlobalEval: that it leads nowhere is what is shown
const evaluate = eval

const attempts = {
  process: () => typeof process,
  global: () => typeof global,
  require: () => typeof require,
  module: () => typeof module,
  importNode: () => import('node:fs').then((m) => Object.keys(m).join()),
  importBare: () => import(['f', 's'].join('')).then((m) => Object.keys(m).join()),
  importFile: () => import('file:///etc/passwd').then(String),
  importData: () => import('data:text/javascript,export default 1').then(String),
  importBlob: () =>
    import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' }))).then(
      String
    ),
  importRelative: () => import('../../../../package.json', { with: { type: 'json' } }).then(String),
  functionGlobal: () => typeof new Function('return this')().process,
  functionImport: () =>
    new Function('return import("node:fs")')().then((m) => Object.keys(m).join()),
  evalImport: () => evaluate('import("node:child_process")').then((m) => Object.keys(m).join()),
  evalProcess: () => evaluate('typeof process'),
  asyncFunction: () =>
    (async () => {})
      .constructor('return import("node:net")')()
      .then((m) => Object.keys(m).join()),
  buffer: () => typeof Buffer,
  bufferGlobal: () => typeof globalThis.Buffer,
  bufferGetter: () => typeof Reflect.getOwnPropertyDescriptor(globalThis, 'Buffer')?.get?.(),
  bufferOfBytes: async () => {
    const { name } = (await new Response('x').bytes()).constructor
    return name === 'Uint8Array' ? 'none' : name
  },
  bufferOfStream: async () => {
    const { writable, readable } = new CompressionStream('gzip')
    void writable
      .getWriter()
      .write(new Uint8Array(9))
      .catch(() => {})
    const { value } = await readable.getReader().read()
    return value.constructor.name === 'Uint8Array' ? 'none' : value.constructor.name
  },
  blobUrl: () => typeof URL.createObjectURL,
  blobBehind: () =>
    Object.getPrototypeOf(File) === Blob && Blob.prototype.constructor === Blob
      ? 'none'
      : 'another',
  bufferConstructor: () => typeof Buffer.constructor('return this')().process,
  fetchConstructor: () => typeof fetch.constructor('return this')().process,
  consoleConstructor: () => typeof console.log.constructor('return this')().process,
  envConstructor: (env) =>
    typeof Object.getPrototypeOf(env).constructor.constructor('return this')().process,
  contextConstructor: (_env, context) =>
    typeof context.waitUntil.constructor('return this')().process,
  callSite() {
    let found = 'none'
    const prepare = Error.prepareStackTrace
    Error.prepareStackTrace = (_error, sites) => {
      for (const site of sites) {
        const that = site.getThis()
        const fn = site.getFunction()
        if (that?.process) found = 'this'
        if (fn && fn.constructor('return typeof process')() !== 'undefined') found = 'function'
      }
      return ''
    }
    void new Error('x').stack
    Error.prepareStackTrace = prepare
    return found
  },
  undiciDispatcher() {
    for (const version of [1, 2, 3]) {
      const dispatcher = globalThis[Symbol.for(`undici.globalDispatcher.${version}`)]
      if (dispatcher && dispatcher.constructor.name !== 'Object') return dispatcher.constructor.name
    }
    return 'none'
  },
  dispatch: () => globalThis[Symbol.for('undici.globalDispatcher.1')].dispatch({}, {}),
  requestDispatcher: () =>
    fetch('http://elsewhere.test/', {
      dispatcher: {
        dispatch() {
          return true
        }
      }
    }).then((r) => r.text()),
  inspectHook() {
    let got = 'none'
    console.log({
      [Symbol.for('nodejs.util.inspect.custom')](_d, _o, inspect) {
        got = typeof inspect
      }
    })
    return got
  },
  atomicsWait: () => typeof Atomics.wait,
  atomicsWaitAsync: () => typeof Atomics.waitAsync,
  sharedMemory: () => typeof SharedArrayBuffer,
  immediate: () => typeof setImmediate,
  messageChannel: () => typeof MessageChannel,
  messagePort: () => typeof MessagePort,
  broadcast: () => typeof BroadcastChannel,
  worker: () => typeof Worker,
  webSocket: () => typeof WebSocket,
  eventSource: () => typeof EventSource,
  storage: () => typeof localStorage,
  finalization: () => typeof FinalizationRegistry,
  observer: () => typeof PerformanceObserver,
  navigator: () => typeof navigator,
  compileStreaming: () => typeof WebAssembly.compileStreaming,
  internals: () =>
    Object.getOwnPropertyNames(globalThis)
      .filter((name) => name.startsWith('__'))
      .join() || 'none',
  evaluates: () => evaluate('1 + 1'),
  // biome-ignore lint/security/noGlobalEval: that it leads nowhere is what is shown
  evaluatesDirectly: () => eval('1 + 1'),
  makesFunctions: () => new Function('return 1')(),
  extendsFunction: () => new (class extends Function {})('return 1')(),
  constructsFunction: () => Reflect.construct(Function, ['return 1'], Object)(),
  makesOfEachKind() {
    const kinds = [() => {}, async () => {}, function* () {}, async function* () {}]
    const own = kinds.map((kind) => kind.constructor)
    const makers = [...own, ...own.map((maker) => Object.getPrototypeOf(maker))]
    const made = makers.filter((make) => {
      try {
        return make !== Function.prototype && make('return 1')
      } catch {
        return false
      }
    })
    return made.map(({ name }) => name).join() || 'none'
  },
  sharedWasmMemory: () => {
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
    return buffer.constructor.name
  },
  sharedWasmModule: () => {
    const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 5, 4, 1, 3, 1, 1])
    return new WebAssembly.Instance(new WebAssembly.Module(bytes)) && 'shared'
  },
  sharedWasmImport: () => {
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 2, 9, 1, 1, 97, 1, 98, 2, 3, 1, 1]
    return WebAssembly.compile(new Uint8Array(bytes)).then(() => 'shared')
  },
  memoryFromPrototype: () => {
    const Theirs = WebAssembly.Memory.prototype.constructor
    return new Theirs({ initial: 1, maximum: 1, shared: true }).buffer.constructor.name
  },
  manyRounds: async () => {
    const secret = new Uint8Array(8)
    const key = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits'])
    const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(8) }
    await crypto.subtle.deriveBits({ ...pbkdf2, iterations: 100_001 }, key, 256)
    return 'derived'
  },
  argon2: async () => {
    const secret = new Uint8Array(8)
    await crypto.subtle.importKey('raw-secret', secret, 'Argon2id', false, ['deriveBits'])
    return 'imported'
  },
  largeModulus: async () => {
    const publicExponent = new Uint8Array([1, 0, 1])
    const rsa = { name: 'RSA-PSS', modulusLength: 16_384, publicExponent, hash: 'SHA-256' }
    await crypto.subtle.generateKey(rsa, true, ['sign'])
    return 'made'
  },
  portThroughPrototype() {
    let found = 'none'
    const { push } = Array.prototype
    Array.prototype.push = function (...values) {
      if (values.some((v) => v && typeof v.postMessage === 'function')) found = 'port'
      return push.apply(this, values)
    }
    console.log('x')
    Array.prototype.push = push
    return found
  },
  environment: (env) => JSON.stringify(Object.keys(env)),
  performanceTiming: () => typeof performance.nodeTiming?.process,
  errorPaths: () => {
    try {
      null.x
    } catch (error) {
      return /file:\/\//.test(error.stack) ? error.stack : 'none'
    }
  }
}
export default {
  async fetch(request, env, context) {
    const name = new URL(request.url).pathname.slice(1)
    if (name === 'attempts') return new Response(Object.keys(attempts).join())
    if (name === 'alive') return new Response('alive')
    try {
      return new Response(String(await attempts[name](env, context)))
    } catch (error) {
      return new Response(`threw ${error?.name}`)
    }
  }
}
