import { hold } from './ballast.ts'
import { createMap } from './own.ts'
import type { Offload } from './scope.ts'

const { ceil } = Math

/** The most rounds of PBKDF2 at once, as the field has it; each takes about a microsecond. */
const mostIterations = 100_000
/** The longest modulus of a key that is made: beyond it that takes minutes. */
const mostModulusBits = 4_096

const notSupported = (message: string) => new DOMException(message, 'NotSupportedError')

/**
 * An algorithm that costs not too much, with what was looked at in the place of what was given: a
 * number or a name that is asked for once more could be another one.
 */
function affordable(given: unknown): unknown {
  const algorithm = typeof given === 'object' && given !== null ? { ...given } : { name: given }
  const { name, iterations, modulusLength } = algorithm as Record<string, unknown>
  const text = `${name}`
  if (/^argon2/i.test(text)) throw notSupported(`${text} is not supported.`)
  const rounds = iterations === undefined ? undefined : Number(iterations)
  const bits = modulusLength === undefined ? undefined : Number(modulusLength)
  if (rounds! > mostIterations)
    throw notSupported(`PBKDF2 has at most ${mostIterations} iterations; ${rounds} were given.`)
  if (bits! > mostModulusBits) throw notSupported(`A modulus has at most ${mostModulusBits} bits.`)
  if (typeof given !== 'object') return text
  return {
    ...algorithm,
    ...(name !== undefined && { name: text }),
    ...(rounds !== undefined && { iterations: rounds }),
    ...(bits !== undefined && { modulusLength: bits })
  }
}

/** What something is given to take, in about microseconds. */
function weightOf(given: readonly unknown[]): number {
  let weight = 1 + sizeOfAll(given) / 500
  for (let index = 0; index < given.length; index++) {
    const one = given[index] as any
    if (typeof one !== 'object' || one === null) continue
    if (typeof one.iterations === 'number') weight += one.iterations
    if (typeof one.modulusLength === 'number') weight += one.modulusLength * 50
  }
  return weight
}

const { apply } = Reflect
const getter = (prototype: object, name: string) =>
  Object.getOwnPropertyDescriptor(prototype, name)!.get!
const sizes = [
  Object.getPrototypeOf(Uint8Array.prototype),
  ArrayBuffer.prototype,
  DataView.prototype
]
const sizeGetters = sizes.map((prototype) => getter(prototype, 'byteLength'))
const algorithmOf = getter(CryptoKey.prototype, 'algorithm')

/** What a getter of Node's own says, whatever a function has made of the thing; or nothing. */
function asked(of: () => unknown, thing: unknown): any {
  try {
    return apply(of, thing, [])
  } catch {
    return undefined
  }
}

/** How many bytes something has that is made of bytes. */
function bytesOf(given: unknown): number {
  for (let kind = 0; kind < sizeGetters.length; kind++) {
    const bytes = asked(sizeGetters[kind]!, given)
    if (bytes !== undefined) return bytes
  }
  return 0
}

function sizeOfAll(given: readonly unknown[]): number {
  let bytes = 0
  for (let index = 0; index < given.length; index++) bytes += bytesOf(given[index])
  return bytes
}

/** Has the bytes of a key count: they are nowhere in the heap, and there may be any number. */
function holdKey(result: unknown, given: readonly unknown[]) {
  const algorithm = asked(algorithmOf, result)
  if (algorithm) hold(result as object, ceil((algorithm.length ?? 0) / 8) + bytesOf(given[1]))
}

/**
 * Has what other threads do for a function be on its account, and refuses what would take them
 * long: nothing there can be ended before it is done.
 */
export function confineCrypto(offload: Offload) {
  const prototype = Object.getPrototypeOf(crypto.subtle)
  const { ArrayBuffer: Bytes } = globalThis
  const underWay = createMap<number, ArrayBuffer>()
  let jobs = 0
  const makers = ['deriveKey', 'generateKey', 'importKey', 'unwrapKey']
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const theirs = prototype[name]
    if (name === 'constructor' || typeof theirs !== 'function') continue
    const at = { deriveBits: 0, deriveKey: 0, generateKey: 0, importKey: 2 }[name]
    const makesKey = makers.includes(name)
    const value = async function (this: unknown, ...given: unknown[]) {
      if (at !== undefined) given[at] = affordable(given[at])
      const tellDone = offload(weightOf(given))
      const job = ++jobs
      // What is worked on is copied to where nobody counts it.
      underWay.set(job, new Bytes(sizeOfAll(given)))
      try {
        const result = await apply(theirs, this, given)
        if (makesKey) holdKey(result, given)
        return result
      } finally {
        underWay.delete(job)
        tellDone()
      }
    }
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
  }
}
