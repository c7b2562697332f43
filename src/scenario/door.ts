import fs from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'

// As Node has them: a thread that reads scenarios may put others in their place.
const { existsSync, readFileSync } = fs
const home = new URL('..', import.meta.url).href
const source = new URL('../plimsoll.ts', import.meta.url)

/** Where what `import 'plimsoll'` means is, in TypeScript or built. */
export const door = existsSync(source)
  ? source.href
  : new URL('../plimsoll.js', import.meta.url).href

let opened = false

/** A module without its types. That Node may change the function is not for authors to hear. */
function plainScript(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Has Node's own `fetch` and `http` ask no proxy, where the environment names one: Node then heeds
 * only a setting that names a proxy, and so this one names none for every host. Nodes before 24.14
 * have no such function.
 */
function askDirectly(): void {
  const isNamed = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name))
  // An import of it would cost every command 40 ms: one of its names, once read, loads a client.
  const http = process.getBuiltinModule('node:http')
  if (isNamed) http.setGlobalProxyFromEnv?.({ http_proxy: 'http://127.0.0.1:1', no_proxy: '*' })
}

/**
 * Lets this thread import scenarios from any folder: `plimsoll` always means the copy that runs
 * them, and TypeScript loads without a package.json beside it and from within `node_modules`. What
 * they ask by themselves goes where they say: the environment's proxies have no part in it.
 */
export function openDoor(): void {
  if (opened) return
  opened = true
  askDirectly()
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'plimsoll') return { url: door, shortCircuit: true }
      return next(specifier, context)
    },
    load(url, context, next) {
      if (url.startsWith(home) || !/\.m?ts$/.test(url)) return next(url, context)
      if (!url.includes('/node_modules/')) {
        return next(url, { ...context, format: 'module-typescript' })
      }
      // Node refuses to strip types below node_modules, where an installed document may live.
      const source = plainScript(readFileSync(fileURLToPath(url), 'utf8'))
      return { format: 'module', source, shortCircuit: true }
    }
  })
}
