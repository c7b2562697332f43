/** A field of a message; its type is resolved where that is a message or an enum. */
export type Field = {
  type: string
  map: boolean
  /** The type of the keys of a map. */
  keyType?: string
  repeated?: boolean
  /** The choice that it is one of. */
  partOf?: object | null
  resolvedType: Type | { values: Record<string, number> } | null
}

/** A type of messages. */
export type Type = {
  /** With a dot before it. */
  fullName: string
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

/** All that a description describes. */
export type Root = {
  lookupService(name: string): { fullName: string; methodsArray: Method[] }
  resolveAll(): unknown
}

/** What is used of protobufjs, an optional peer that reads `.proto` files and their messages. */
export type Protobuf = {
  load(file: string): Promise<Root>
  Root: { fromJSON(json: object): Root; fromDescriptor(files: { file: object[] }): Root }
}

/** The description of one `.proto` file, as servers tell it (FileDescriptorProto). */
export type FileDescription = { name: string; dependency: string[] }

/** What reads such descriptions, which then can be made a `Root`. */
export type Descriptions = {
  FileDescriptorProto: { decode(bytes: Uint8Array): FileDescription }
}

/** The package; throws an Error that says how to install it where it is not there. */
export const protobufjs = (): Promise<Protobuf> => part('protobufjs')

/** What of the package reads descriptions, likewise. */
export const descriptions = (): Promise<Descriptions> => part('protobufjs/ext/descriptor.js')

/** A part of it, whose types are not there for who has not installed it. */
async function part(name: string) {
  try {
    const { default: protobuf } = await import(name)
    return protobuf
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    const why = isMissing ? 'is not installed (npm install protobufjs)' : 'cannot be loaded'
    throw new Error(`a .proto file is read by protobufjs, which ${why}`, { cause })
  }
}
