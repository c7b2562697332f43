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
  replaceWho() {
    globalThis.__who = () => 0
    return globalThis.__who() === 0 ? 'replaced' : 'none'
  },
  replaceCollect() {
    globalThis.__collect = () => {}
    return String(globalThis.__collect).includes('{}') ? 'replaced' : 'none'
  },
  deleteWho: () => (Reflect.deleteProperty(globalThis, '__who') ? 'deleted' : 'none'),
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
