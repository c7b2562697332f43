/** A field of a message; its type is resolved where that is a message or an enum. */
export type Field = { type: string; map: boolean; resolvedType: Type | object | null }

/** A type of messages. */
export type Type = {
  fields: Record<string, Field>
  fromObject(message: object): object
  encode(message: object): { finish(): Uint8Array }
  decode(bytes: Uint8Array): object
  toObject(message: object, options: object): any
}

type Method = {
  name: string
  requestStream?: boolean
  responseStream?: boolean
  resolvedRequestType: Type | null
  resolvedResponseType: Type | null
}

type Root = {
  lookupService(name: string): { fullName: string; methodsArray: Method[] }
  resolveAll(): unknown
}

/** What is used of protobufjs, an optional peer that reads `.proto` files and their messages. */
export type Protobuf = { load(file: string): Promise<Root> }

/** The package; throws an Error that says how to install it where it is not there. */
export async function protobufjs(): Promise<Protobuf> {
  // Its types are not there for who has not installed it.
  const name: string = 'protobufjs'
  try {
    const { default: protobuf } = await import(name)
    return protobuf
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    const why = isMissing ? 'is not installed (npm install protobufjs)' : 'cannot be loaded'
    throw new Error(`a .proto file is read by protobufjs, which ${why}`, { cause })
  }
}
