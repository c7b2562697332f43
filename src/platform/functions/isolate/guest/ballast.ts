import { createWeakMap } from './own.ts'
import { replaceClass } from './replace.ts'

/** What stands for bytes: those of one thing alone, and what others of whose bytes it has keep. */
type Ballast = { own: ArrayBuffer | undefined; from: object | undefined }

const ballasts = createWeakMap<object, Ballast>()

/**
 * Has V8 count bytes that it cannot see for as long as something lives. What stands for them is as
 * many bytes that nobody writes to, which take an address and no memory where they are many.
 */
export function hold(holder: object, bytes: number, from?: object) {
  ballasts.set(holder, { own: bytes > 0 ? new Bytes(bytes) : undefined, from })
}

const { ArrayBuffer: Bytes } = globalThis
const { apply, construct } = Reflect
const { iterator } = Symbol

/** Has a prototype's method go through another, which nobody can take away where it is `fixed`. */
function wrap(
  prototype: object,
  name: PropertyKey,
  make: (theirs: (...given: any[]) => any) => (this: any, ...given: any[]) => any
) {
  const found = Object.getOwnPropertyDescriptor(prototype, name)!
  const isFixed = typeof name === 'symbol'
  const fixed = isFixed && { writable: false, configurable: false }
  Object.defineProperty(prototype, name, { ...found, value: make(found.value), ...fixed })
}

/** Things in their order, which no change of how lists are gone through can make others. */
function inOrder(list: readonly unknown[]): object {
  const { length } = list
  const begin = () => {
    let at = 0
    return {
      next: () => (at < length ? { done: false, value: list[at++] } : { done: true, value: null })
    }
  }
  return { [iterator]: begin }
}

/** Whether something can be gone through. */
const isList = (given: any): given is Iterable<unknown> =>
  (typeof given === 'object' || typeof given === 'function') &&
  given !== null &&
  typeof given[iterator] === 'function'

/** The makers of blobs, the bytes of which are held as soon as they are made. */
function blobOf({ Blob }: typeof globalThis, size: (blob: object) => number): typeof Blob {
  const sizeOfBlob = (part: object) => {
    try {
      return size(part)
    } catch {
      return undefined
    }
  }
  const OwnBlob = function (this: unknown, sources: unknown = [], options?: unknown) {
    if (!new.target) throw new TypeError('A Blob is made with new.')
    if (!isList(sources)) return construct(Blob, [sources, options], new.target)
    const list = [...sources]
    const blob: Blob = construct(Blob, [inOrder(list), options], new.target)
    let own = size(blob)
    let from: object | undefined
    for (let index = 0; index < list.length; index++) {
      const part = list[index] as object
      const ballast = typeof part === 'object' && part ? ballasts.get(part) : undefined
      const bytes = ballast && sizeOfBlob(part)
      if (bytes === undefined) continue
      // What it has of another blob is there once.
      own -= bytes
      from = { ballast, from }
    }
    hold(blob, own, from)
    return blob
  } as unknown as typeof Blob
  return OwnBlob
}

/**
 * Has the bytes of blobs and files count: they are outside of the heap and of all buffers, where
 * nothing that looks at a function's memory would find them.
 */
export function confineBlobs() {
  const { Blob, File, Response, Request } = globalThis
  const { get: sizeOf } = Object.getOwnPropertyDescriptor(Blob.prototype, 'size')!
  const size = (blob: object): number => apply(sizeOf!, blob, [])
  const value = blobOf(globalThis, size)
  Object.setPrototypeOf(File, value)
  replaceClass('Blob', value)

  for (const name of ['slice', 'stream'] as const)
    wrap(Blob.prototype, name, (theirs) => {
      return function (...given) {
        const made = apply(theirs, this, given)
        const ballast = ballasts.get(this)
        if (ballast) ballasts.set(made, ballast)
        return made
      }
    })
  const symbols = Object.getOwnPropertySymbols(Blob.prototype)
  const copied = symbols.find(({ description }) => description === 'messaging_deserialize_symbol')
  wrap(Blob.prototype, copied!, (theirs) => {
    return function (...given) {
      apply(theirs, this, given)
      hold(this, size(this))
    }
  })
  for (const { prototype } of [Response, Request])
    wrap(prototype, 'blob', (theirs) => {
      return async function (...given) {
        const blob = await apply(theirs, this, given)
        hold(blob, size(blob))
        return blob
      }
    })
  // What has a URL lives for ever, whoever made it.
  for (const name of ['createObjectURL', 'revokeObjectURL']) Reflect.deleteProperty(URL, name)
}
