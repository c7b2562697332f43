import { hash } from 'node:crypto'
import fs from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Files and what they hold, as digests by path. */
export type Sources = Record<string, string>

/** A digest of what a file holds, read as before anybody was told of it. */
function digestOf(file: string): string {
  return hash('sha256', readFileSync(file))
}

/** Built-in modules from which the same comes at any time and in any place. */
const timeless = /^node:(assert|buffer|events|querystring|timers|util|zlib)\b/

/** Functions of other built-in modules of which the same is true. */
const timelessCalls = ['createHash', 'createHmac', 'hash']

const home = new URL('..', import.meta.url).href
const sources: Sources = {}
const { readFileSync } = fs
const { getBuiltinModule } = process
let isTimeless = true

function told<Result>(result: Result): Result {
  if (!isForNode()) isTimeless = false
  return result
}

/** A function or class that is as it was, and tells when it is called. */
function telling<Code extends (...given: never[]) => unknown>(code: Code): Code {
  return new Proxy(code, {
    apply: (target, self, given) => told(Reflect.apply(target, self, given)),
    construct: (target, given, made) => told(Reflect.construct(target, given, made))
  })
}

/** The `Date` there is, which tells when it is asked what time it is, and of no other use. */
function tellingDate(): DateConstructor {
  const now = telling(Date.now)
  return new Proxy(Date, {
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
    apply: () => told(Date()),
    construct(target, given, made) {
      const date = Reflect.construct(target, given, made)
      return given.length === 0 ? told(date) : date
    }
  })
}

/** Whether what is called in place of a function is called by Node itself, as to load a module. */
function isForNode(): boolean {
  const callers = new Error().stack!.split('\n').slice(1)
  return callers.find((line) => !line.includes(import.meta.url))?.includes('node:') ?? false
}

/** Has functions of a built-in module tell when they are called. */
function watchModule(name: string): void {
  const module = getBuiltinModule(name) as object
  // What it was handed, or who it is, are values: whoever asks for them does not call anything.
  if (['node:process', 'node:os', 'node:worker_threads'].includes(name)) isTimeless = false
  const members = Object.getOwnPropertyDescriptors(module)
  for (const [key, { value, writable }] of Object.entries(members)) {
    if (!writable || typeof value !== 'function' || timelessCalls.includes(key)) continue
    Reflect.set(module, key, telling(value))
  }
  syncBuiltinESMExports()
}

/** Keeps which files this thread loads from now on, and what they held then. */
export function recordSources(): void {
  const own = fileURLToPath(import.meta.url)
  sources[own] = digestOf(own)
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context)
      const isForeign = !context.parentURL?.startsWith(home)
      const isBuiltIn = found.url.startsWith('node:')
      if (isForeign && isBuiltIn && !timeless.test(found.url)) watchModule(found.url)
      return found
    },
    load(url, context, next) {
      const loaded = next(url, context)
      if (url.startsWith('file:')) {
        const file = fileURLToPath(url)
        sources[file] = loaded.source ? hash('sha256', loaded.source as string) : digestOf(file)
      } else if (!url.startsWith('node:')) isTimeless = false
      return loaded
    }
  })
}

/** Has this thread notice, from now on, what is asked of the time, of chance or of the machine. */
export function watchWorld(): void {
  for (const name of ['process', 'performance', 'crypto', 'fetch'] as const) {
    const value = globalThis[name]
    Object.defineProperty(globalThis, name, { get: () => told(value), configurable: true })
  }
  Math.random = telling(Math.random)
  globalThis.Date = tellingDate()
}

/** The files that this thread loaded; undefined where more than they decided what came of it. */
export function loadedSources(): Sources | undefined {
  return isTimeless ? sources : undefined
}
