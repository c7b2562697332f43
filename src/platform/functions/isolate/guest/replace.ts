/** Puts a class of our own in the place of Node's, whose instances it makes. */
export function replaceClass(
  name: 'Blob' | 'Response' | 'CompressionStream' | 'DecompressionStream',
  own: object
) {
  const { [name]: theirs } = globalThis
  for (const key of Reflect.ownKeys(theirs))
    Object.defineProperty(own, key, Object.getOwnPropertyDescriptor(theirs, key)!)
  Object.defineProperty(theirs.prototype, 'constructor', { value: own })
  Object.defineProperty(globalThis, name, { value: own })
}
