import { registerHooks } from 'node:module'
import type { FunctionSpec } from '../contract.ts'

/** What modules that are no text take their value from, out of sight. */
const provided = Symbol.for('edge.provided')
const socketsUrl = 'edge:sockets'
const addressOf = (path: string, from = 'edge:///') => new URL(path, from).href

function sourceOf(path: string, content: string | Uint8Array): string {
  const taken = `globalThis[Symbol.for('edge.provided')].data[${JSON.stringify(path)}]`
  if (path.endsWith('.wasm')) return `export default new WebAssembly.Module(${taken})`
  if (typeof content !== 'string') return `export default ${taken}.slice().buffer`
  return path.endsWith('.json') ? `export default ${content}` : content
}

/**
 * Has the modules of a function, and `edge:sockets`, be all that can be imported from now on; the
 * result imports the main one.
 */
export function provideModules(
  { modules, main }: Pick<FunctionSpec, 'modules' | 'main'>,
  connect: unknown
): () => Promise<Record<string, unknown>> {
  const sources = new Map(
    Object.entries(modules).map(([path, content]) => [addressOf(path), sourceOf(path, content)])
  )
  sources.set(socketsUrl, `export const { connect } = globalThis[Symbol.for('edge.provided')]`)
  const data = Object.freeze({ ...modules })
  Object.defineProperty(globalThis, provided, { value: Object.freeze({ data, connect }) })
  registerHooks({
    resolve(specifier, { parentURL }) {
      const isOwn = parentURL?.startsWith('edge:///')
      const url =
        specifier === socketsUrl ? specifier : addressOf(specifier, isOwn ? parentURL : undefined)
      if (!sources.has(url)) throw new Error(`No such module "${specifier}".`)
      return { url, format: 'module', shortCircuit: true }
    },
    load: (url) => ({ source: sources.get(url)!, format: 'module', shortCircuit: true })
  })
  return () => import(addressOf(main))
}
