import { type FromGuest, faultOf, type LoadMessage, type ToGuest } from '../message.ts'
import { type SharedTurn, startup } from '../shared-turn.ts'
import { createCaches } from './api/caches.ts'
import { createFetch } from './api/fetch.ts'
import { createConsole, createLogger } from './api/logger.ts'
import { createConnect } from './api/sockets.ts'
import { createCalls } from './calls.ts'
import { handleEvent } from './events.ts'
import { createMemory } from './memory.ts'
import { provideModules } from './modules.ts'
import { createMap } from './own.ts'
import { environmentOf, programOf } from './program.ts'
import { exposeToHost, prepareRealm } from './realm.ts'
import { accountOf, createScope, type Offload, runIn, type Scope, scopeNow } from './scope.ts'
import { createStreams, takeIn } from './streams.ts'
import { createTimers } from './timers.ts'
import { createTurns } from './turns.ts'

type Post = (message: FromGuest) => void
type Program = ReturnType<typeof programOf>
type Machinery = ReturnType<typeof createMachinery>

/** What is under way in the guest, and what keeps it so. */
function createMachinery(post: Post) {
  const streams = createStreams(post)
  const calls = createCalls(post, streams)
  const log = createLogger(({ scope, line }) => post({ t: 'line', invocation: scope.id, line }))
  /** What nobody caught is recorded on account of whoever it happened to. */
  const report = (scope: Scope | undefined, thrown: unknown) => {
    if (!scope || scope.isDropped) return
    const { name, message } = faultOf(thrown)
    log(scope, 'exception', `Uncaught ${name}: ${message}`)
  }
  const timers = createTimers(post, report)
  process.on('unhandledRejection', (thrown) => report(scopeNow(), thrown))
  process.on('uncaughtException', (thrown) => report(scopeNow(), thrown))
  return { streams, calls, log, timers }
}

/** Calls back from a promise: to await is nothing that a function can change. */
async function soon(callback: () => void) {
  await null
  callback()
}

/** Tells the host whose work it is that other threads are about to do. */
function offloadTo(post: Post): Offload {
  return (weight, isLasting = false) => {
    const invocation = scopeNow()?.id ?? startup
    const tell = (by: number) => post({ t: 'offload', invocation, weight: by, isLasting })
    tell(weight)
    return () => tell(-weight)
  }
}

/** The globals a function has in place of Node's. */
function globalsOf({ calls, timers, log }: Machinery) {
  const { setTimeout, setInterval, clearTimeout } = timers
  const timeout = (ms: number) => {
    const controller = new AbortController()
    const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
    setTimeout(() => controller.abort(reason), ms)
    return controller.signal
  }
  Object.defineProperty(AbortSignal, 'timeout', { value: timeout })
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  return {
    fetch: createFetch(calls),
    caches: createCaches(calls),
    console: createConsole(log),
    setTimeout,
    setInterval,
    clearTimeout,
    clearInterval: clearTimeout,
    scheduler: { wait },
    // Node's own runs callbacks in a frame of their own, which must not be ended from outside.
    queueMicrotask: (callback: () => void) => void soon(callback)
  }
}

/** What a turn is about, for messages that go on with something: whose it is, and what it does. */
function continuation(message: ToGuest, { calls, timers }: Machinery) {
  if (message.t === 'result')
    return { scope: calls.scopeOf(message.call), act: () => calls.take(message) }
  if (message.t === 'fire')
    return { scope: timers.scopeOf(message.timer), act: () => timers.fire(message.timer) }
  return undefined
}

/** One character more than can be recorded, so that it is seen that there was more. */
function consoleRoom({ spec }: LoadMessage): number {
  return spec.limits.consoleBytes + 1
}

/** Gives up on all that a scope waits for: nothing of it runs any more. */
function drop(scope: Scope, { streams, calls, timers }: Machinery) {
  scope.isDropped = true
  streams.forget(scope)
  calls.forget(scope)
  timers.forget(scope)
  const { cpuUs, peakBytes: peakMemoryBytes } = accountOf(scope)
  return { cpuUs, peakMemoryBytes }
}

/** Makes the guest out of its thread: what arrives is given to `take`. */
export function createGuest({ sharedTurn, post }: { sharedTurn: SharedTurn; post: Post }): {
  take(message: ToGuest): void
} {
  const scopes = createMap<number, Scope>()
  const machinery = createMachinery(post)
  const { streams, calls } = machinery
  let load: LoadMessage | undefined
  let program: Program | undefined

  const memory = createMemory({
    limits: () => ({
      memoryBytes: load?.spec.limits.memoryBytes ?? Infinity,
      buffersCount: load?.rules.buffersCount ?? true
    }),
    eachScope: scopes.forEach.bind(scopes),
    onFull: (full) => post({ t: 'full', ...full })
  })
  const wake = () => post({ t: 'wake' })
  const turns = createTurns({ sharedTurn, weigh: memory.weigh, wake, dispatch })
  const hide = exposeToHost({ who: turns.who, collect: memory.collect })
  prepareRealm(globalsOf(machinery), offloadTo(post))

  /** The global scope has an account like any invocation: nothing runs on nobody's. */
  function begin(message: LoadMessage) {
    load = message
    hide()
    const scope = createScope(startup, 0)
    turns.open(scope)
    runIn(scope, () => void loadProgram(message, scope))
  }
  async function loadProgram({ spec }: LoadMessage, scope: Scope) {
    try {
      const importMain = provideModules(spec, createConnect(calls))
      const env = environmentOf(spec.env, calls)
      program = programOf(await importMain(), { env, calls, post })
      memory.weigh(scope)
      post({ t: 'loaded', handlers: program.names })
    } catch (thrown) {
      post({ t: 'refused', fault: faultOf(thrown) })
    }
  }
  function start({ invocation, event }: ToGuest & { t: 'start' }) {
    const scope = createScope(invocation, consoleRoom(load!))
    scopes.set(invocation, scope)
    turns.open(scope)
    const parts = { program: program!, streams, post, weigh: memory.weigh }
    runIn(scope, () => void handleEvent(scope, event, parts))
  }
  function forget(id: number) {
    const scope = scopes.get(id)
    scopes.delete(id)
    if (scope) post({ t: 'spent', invocation: id, ...drop(scope, machinery) })
  }
  function dispatch(message: ToGuest) {
    if (message.t === 'load') return begin(message)
    if (message.t === 'start') return start(message)
    if (message.t === 'drop') return forget(message.invocation)
    if ('stream' in message) return takeIn(streams, message, turns.open)
    const { scope, act } = continuation(message, machinery) ?? {}
    if (!scope || scope.isDropped) return
    turns.open(scope)
    runIn(scope, act!)
  }
  post({ t: 'up', ownBytes: memory.ownBytes })
  return { take: turns.take }
}
