/** What there is of WebAssembly; the types of Node leave it out. */
type Wasm = {
  Module: new (bytes: unknown) => object
  Instance: new (module: object, imports?: object) => object
  Memory: new (descriptor: object) => object
}

const memorySection = 5
const importSection = 2
const sharedFlag = 2

/** Reads a module's bytes from somewhere on. */
function createReader(bytes: Uint8Array, at: number) {
  const byte = () => bytes[at++] ?? 0
  const number = (): number => {
    let [value, factor] = [0, 1]
    for (let read = byte(); ; read = byte(), factor *= 128) {
      value += (read & 127) * factor
      if (read < 128 || at > bytes.length) return value
    }
  }
  return {
    byte,
    number,
    at: () => at,
    skip(count: number) {
      at += count
    }
  }
}

type Reader = ReturnType<typeof createReader>

/** Reads what a table or a memory says of its size; whether it is shared. */
function readLimits(reader: Reader): boolean {
  const flags = reader.byte()
  reader.number()
  if (flags & 1) reader.number()
  return (flags & sharedFlag) !== 0
}

/** Reads one import; whether it is a memory that is shared. */
function readImport(reader: Reader): boolean {
  reader.skip(reader.number())
  reader.skip(reader.number())
  const kind = reader.byte()
  if (kind === 2) return readLimits(reader)
  if (kind === 0) reader.number()
  else if (kind === 1) {
    reader.byte()
    readLimits(reader)
  } else reader.skip(2)
  return false
}

/** Whether a module has a memory, or asks for one, that other threads could wait on. */
export function sharesMemory(bytes: Uint8Array): boolean {
  const reader = createReader(bytes, 8)
  while (reader.at() < bytes.length) {
    const section = reader.byte()
    const length = reader.number()
    const end = reader.at() + length
    const read = { [memorySection]: readLimits, [importSection]: readImport }[section]
    if (read) for (let left = reader.number(); left > 0; left--) if (read(reader)) return true
    reader.skip(end - reader.at())
    if (length === 0 && section > 13) return false
  }
  return false
}

/**
 * Leaves a function what of WebAssembly runs within its turns: nothing compiled in the background,
 * which would come back from outside of any message, and no memory on which a thread could wait
 * without using time.
 */
export function confineWasm() {
  const wasm = Reflect.get(globalThis, 'WebAssembly') as Wasm
  const { Instance, Module, Memory } = wasm
  const { construct } = Reflect
  const { slice } = Uint8Array.prototype
  const refuse = () => {
    throw new TypeError('WebAssembly: shared memory is not allowed here.')
  }
  const bytesOf = (source: unknown): Uint8Array => {
    if (ArrayBuffer.isView(source))
      return new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    return new Uint8Array(source as ArrayBuffer)
  }
  const OwnModule = function (this: unknown, source: unknown) {
    // What is looked at has to be what is compiled.
    const bytes = slice.call(bytesOf(source))
    if (sharesMemory(bytes)) refuse()
    return construct(Module, [bytes], new.target ?? OwnModule)
  } as unknown as Wasm['Module']
  const OwnMemory = function (this: unknown, descriptor: Record<string, unknown>) {
    const { initial, minimum, maximum, address, index, shared } = descriptor
    if (shared) refuse()
    const given = Object.entries({ initial, minimum, maximum, address, index })
    const kept = Object.fromEntries(given.filter(([, value]) => value !== undefined))
    return construct(Memory, [kept], new.target ?? OwnMemory)
  } as unknown as Wasm['Memory']
  for (const [own, theirs] of [
    [OwnModule, Module],
    [OwnMemory, Memory]
  ] as const) {
    own.prototype = theirs.prototype
    Object.defineProperty(own.prototype, 'constructor', { value: own })
    Object.setPrototypeOf(own, Function.prototype)
  }
  for (const name of ['imports', 'exports', 'customSections'])
    Object.defineProperty(OwnModule, name, { value: Reflect.get(Module, name) })
  const compile = async (bytes: unknown) => new OwnModule(bytes)
  const instantiate = async (source: unknown, imports?: object) => {
    if (source instanceof OwnModule) return new Instance(source as object, imports)
    const module = new OwnModule(source)
    return { module, instance: new Instance(module, imports) }
  }
  Object.assign(wasm, { Module: OwnModule, Memory: OwnMemory, compile, instantiate })
  for (const name of ['compileStreaming', 'instantiateStreaming'])
    Reflect.deleteProperty(wasm, name)
}
