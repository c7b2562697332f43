import { fileURLToPath } from 'node:url'
import type { Request } from '../requests/request.ts'
import { valuesOf } from './message-values.ts'
import { protobufjs, type Root, type Type } from './protobuf.ts'

/** A method of a gRPC service: where it is, and how its messages are written and read. */
export type RpcMethod = {
  /** `/package.Service/Method` */
  path: string
  /** The same message with fields in camel case, where JSON names them as the file does. */
  named(message: object): object
  /** Throws a TypeError for what is no such message. */
  encode(message: object): Uint8Array
  /** Throws for bytes that are no such message. */
  decode(bytes: Uint8Array): any
  /** Whether it takes, and gives, any number of messages. */
  streams: { request: boolean; response: boolean }
}

/** How messages are read: numbers that no double holds and enums as text, and what is unset. */
const readAs = { longs: String, enums: String, defaults: true, arrays: true, objects: true }

const inCamelCase = (name: string) => name.replace(/_([a-z])/g, (_, one) => one.toUpperCase())

/** A message whose fields may be named as in the file, `your_name`, with them as `yourName`. */
function named({ fields }: Type, message: object): object {
  const pairs = Object.entries(message).map(([given, value]) => {
    const name = given in fields ? given : inCamelCase(given)
    const field = fields[name]
    if (field === undefined) return [given, value]
    const { resolvedType } = field
    const read = (one: unknown) => {
      const isMessage = resolvedType !== null && 'fields' in resolvedType && !field.map
      return isMessage && typeof one === 'object' && one !== null ? named(resolvedType, one) : one
    }
    return [name, Array.isArray(value) ? value.map(read) : read(value)]
  })
  return Object.fromEntries(pairs)
}

function encoderOf(type: Type, name: string): RpcMethod['encode'] {
  return (message) => {
    return type.encode(type.fromObject(valuesOf(type, message, name))).finish()
  }
}

/** Finds a method by its name; throws a TypeError for one that is not there. */
export type FindMethod = (method: string) => RpcMethod

/** The methods of a service that is described; throws where the service is missing. */
export function methodsOf(root: Root, service: string): FindMethod {
  root.resolveAll()
  const found = root.lookupService(service)
  const path = found.fullName.replace(/^\./, '')
  const methods = new Map(
    found.methodsArray.map((method): [string, RpcMethod] => {
      const { name, requestStream, responseStream } = method
      const [asked, told] = [method.resolvedRequestType!, method.resolvedResponseType!]
      return [
        name,
        {
          path: `/${path}/${name}`,
          named: (message) => named(asked, message),
          encode: encoderOf(asked, `${path}.${name}`),
          decode: (bytes) => told.toObject(told.decode(bytes), readAs),
          streams: { request: requestStream === true, response: responseStream === true }
        }
      ]
    })
  )
  return (name) => {
    const method = methods.get(name)
    if (method !== undefined) return method
    throw new TypeError(`${path} has no method ${name}: there is ${[...methods.keys()].join(', ')}`)
  }
}

/**
 * The methods of a service that a `.proto` file describes, each by its name, of which one that is
 * not there throws a TypeError; fields are in camel case. Takes the package `protobufjs`; rejects
 * where that, the file or the service is missing.
 */
export async function readProto(file: string | URL, service: string): Promise<FindMethod> {
  const protobuf = await protobufjs()
  const root = await protobuf.load(typeof file === 'string' ? file : fileURLToPath(file))
  return methodsOf(root, service)
}

/** The method of a request whose messages are in its body; nobody reads the answers. */
export function unreadMethod({ url, grpc }: Pick<Request, 'url' | 'grpc'>): RpcMethod {
  const unread = (bytes: Uint8Array) => bytes
  return {
    path: new URL(url).pathname,
    named: (message) => message,
    encode: () => new Uint8Array(),
    decode: unread,
    streams: grpc!
  }
}
