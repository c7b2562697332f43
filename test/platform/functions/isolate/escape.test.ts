import { afterAll, expect, test } from 'vitest'
import { openTestIsolates, specOf } from './isolates.ts'

// Each attempt answers with what it got hold of, as text; nothing when it got nothing.
const code = `
const attempts = {
  process: () => typeof process,
  global: () => typeof global,
  require: () => typeof require,
  module: () => typeof module,
  importNode: () => import('node:fs').then((m) => Object.keys(m).join()),
  importBare: () => import('fs').then((m) => Object.keys(m).join()),
  importFile: () => import('file:///etc/passwd').then(String),
  importData: () => import('data:text/javascript,export default 1').then(String),
  importBlob: () => import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' }))).then(String),
  importRelative: () => import('../../../../package.json', { with: { type: 'json' } }).then(String),
  functionGlobal: () => typeof new Function('return this')().process,
  functionImport: () => new Function('return import("node:fs")')().then((m) => Object.keys(m).join()),
  evalImport: () => (0, eval)('import("node:child_process")').then((m) => Object.keys(m).join()),
  evalProcess: () => (0, eval)('typeof process'),
  asyncFunction: () => (async () => {}).constructor('return import("node:net")')().then((m) => Object.keys(m).join()),
  bufferConstructor: () => typeof Buffer.constructor('return this')().process,
  fetchConstructor: () => typeof fetch.constructor('return this')().process,
  consoleConstructor: () => typeof console.log.constructor('return this')().process,
  envConstructor: (env) => typeof Object.getPrototypeOf(env).constructor.constructor('return this')().process,
  contextConstructor: (env, context) => typeof context.waitUntil.constructor('return this')().process,
  callSite() {
    let found = 'none'
    const prepare = Error.prepareStackTrace
    Error.prepareStackTrace = (_error, sites) => { for (const site of sites) { const that = site.getThis(); const fn = site.getFunction(); if (that && that.process) found = 'this'; if (fn && fn.constructor('return typeof process')() !== 'undefined') found = 'function' } return '' }
    void new Error('x').stack
    Error.prepareStackTrace = prepare
    return found
  },
  undiciDispatcher() {
    for (const version of [1, 2, 3]) { const dispatcher = globalThis[Symbol.for('undici.globalDispatcher.' + version)]; if (dispatcher && dispatcher.constructor.name !== 'Object') return dispatcher.constructor.name }
    return 'none'
  },
  dispatch: () => globalThis[Symbol.for('undici.globalDispatcher.1')].dispatch({}, {}),
  requestDispatcher: () => fetch('http://elsewhere.test/', { dispatcher: { dispatch() { return true } } }).then((r) => r.text()),
  inspectHook() { let got = 'none'; console.log({ [Symbol.for('nodejs.util.inspect.custom')](_d, _o, inspect) { got = typeof inspect } }); return got },
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
  replaceWho() { globalThis.__who = () => 0; return globalThis.__who() === 0 ? 'replaced' : 'none' },
  replaceCollect() { globalThis.__collect = () => {}; return String(globalThis.__collect).includes('{}') ? 'replaced' : 'none' },
  deleteWho: () => (Reflect.deleteProperty(globalThis, '__who') ? 'deleted' : 'none'),
  portThroughPrototype() {
    let found = 'none'
    const { push } = Array.prototype
    Array.prototype.push = function (...values) { if (values.some((v) => v && typeof v.postMessage === 'function')) found = 'port'; return push.apply(this, values) }
    console.log('x')
    Array.prototype.push = push
    return found
  },
  environment: (env) => JSON.stringify(Object.keys(env)),
  performanceTiming: () => typeof performance.nodeTiming?.process,
  errorPaths: () => { try { null.x } catch (error) { return /file:\\/\\//.test(error.stack) ? error.stack : 'none' } }
}
export default { async fetch(request, env, context) {
  const name = new URL(request.url).pathname.slice(1)
  if (name === 'attempts') return new Response(Object.keys(attempts).join())
  if (name === 'alive') return new Response('alive')
  try { return new Response(String(await attempts[name](env, context))) } catch (error) { return new Response('threw ' + error?.name) }
} }`

const names = [...code.matchAll(/^ {2}(?:async )?(\w+)(?:: |\()/gm)].map(([, name]) => name!)
const spec = specOf(code)
const reached: string[] = []
const isolates = openTestIsolates({
  spares: 1,
  services: {
    reach(url) {
      reached.push(url.host)
      return { refused: 'there is nothing there' }
    }
  }
})
afterAll(isolates.close)

test('the attempts are those of the function', async () => {
  const { text } = await isolates.ask(spec, { path: '/attempts' })
  expect(text!.split(',').filter((name) => !names.includes(name))).toEqual([])
  expect(names.length).toBeGreaterThan(40)
})

const harmless = /^(undefined|none|\[\]|threw (Error|TypeError|ReferenceError|SyntaxError))$/

test.each(names.filter((name) => name !== 'fetch'))('%s leads nowhere', async (name) => {
  const { text } = await isolates.ask(spec, { path: `/${name}` })
  expect(text).toMatch(harmless)
  expect((await isolates.ask(spec, { path: '/alive' })).text).toBe('alive')
})

test('a fetch with a dispatcher of its own went through the platform all the same', () => {
  expect(reached).toContain('elsewhere.test')
})

test('two functions share nothing, not even versions of the same', async () => {
  const sharing = `export default { fetch() { const seen = [globalThis.mark, Array.prototype.mark].join(); globalThis.mark = Array.prototype.mark = 'left'; return new Response(seen) } }`
  const one = specOf(sharing)
  expect((await isolates.ask(one)).text).toBe(',')
  expect((await isolates.ask(one)).text).toBe('left,left')
  expect((await isolates.ask(specOf(sharing))).text).toBe(',')
  expect((await isolates.ask({ ...one, version: '2' })).text).toBe(',')
})

test('a body of another request cannot be read', async () => {
  const borrowing = specOf(`
    let other
    export default { async fetch(request) {
      if (request.method === 'PUT') { other = request.body; await new Promise((resolve) => setTimeout(resolve, 300)); return new Response('lent') }
      return new Response(await new Response(other).text().catch((error) => error.message))
    } }`)
  async function* body() {
    yield Buffer.from('secret')
  }
  await isolates.check(borrowing)
  const lent = isolates.ask(borrowing, { method: 'PUT', body: body() } as object)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await isolates.ask(borrowing)).text).toBe(
    'Cannot perform I/O on behalf of a different request.'
  )
  expect((await lent).text).toBe('lent')
})
