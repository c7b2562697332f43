import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { extname } from 'node:path'
import type { GuestCode } from './message.ts'

const own = extname(import.meta.url)
const shared = ['message', 'shared-turn'].map((name) => `${name}${own}`)
let code: GuestCode | undefined

/**
 * All that a guest is made of. A guest may read no file, and each of them would have to take the
 * types out of its sources by itself, which took as much processor time as all the rest of a start.
 */
export function guestCode(): GuestCode {
  code ??= readCode()
  return code
}

function readCode(): GuestCode {
  const folder = new URL('./guest/', import.meta.url)
  const inFolder = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) === own)
    .map((name) => `guest/${name}`)
  const addresses = [...shared, ...inFolder].map((name) => new URL(name, import.meta.url))
  const modules = quietly(() => addresses.map((address) => [address.href, javaScriptOf(address)]))
  return {
    modules: Object.fromEntries(modules),
    main: new URL(`./guest/boot${extname(import.meta.url)}`, import.meta.url).href
  }
}

function javaScriptOf(address: URL): string {
  const source = readFileSync(address, 'utf8')
  return own === '.ts' ? stripTypeScriptTypes(source) : source
}

/** Node warns that it may strip types in another way one day: no news to whoever runs functions. */
function quietly<Value>(work: () => Value): Value {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}
