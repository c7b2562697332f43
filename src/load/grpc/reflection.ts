import type { Connecting } from '../link.ts'
import { closed } from '../load.ts'
import type { Request } from '../requests/request.ts'
import { createPartSender } from '../sender.ts'
import { type RpcAnswer, rpcRequest } from './call.ts'
import { type FindMethod, methodsOf, type RpcMethod } from './method.ts'
import { descriptions, type FileDescription, protobufjs } from './protobuf.ts'

/** The packages under which servers describe themselves, the newer first. */
const packages = ['grpc.reflection.v1', 'grpc.reflection.v1alpha'] as const

/** What is used of the messages of server reflection, the same in both packages. */
const messages = {
  ServerReflectionRequest: {
    fields: {
      host: { type: 'string', id: 1 },
      fileByFilename: { type: 'string', id: 3 },
      fileContainingSymbol: { type: 'string', id: 4 },
      listServices: { type: 'string', id: 7 }
    },
    oneofs: {
      messageRequest: { oneof: ['fileByFilename', 'fileContainingSymbol', 'listServices'] }
    }
  },
  FileDescriptorResponse: {
    fields: { fileDescriptorProto: { rule: 'repeated', type: 'bytes', id: 1 } }
  },
  ServiceResponse: { fields: { name: { type: 'string', id: 1 } } },
  ListServiceResponse: {
    fields: { service: { rule: 'repeated', type: 'ServiceResponse', id: 1 } }
  },
  ErrorResponse: {
    fields: { errorCode: { type: 'int32', id: 1 }, errorMessage: { type: 'string', id: 2 } }
  },
  ServerReflectionResponse: {
    fields: {
      fileDescriptorResponse: { type: 'FileDescriptorResponse', id: 4 },
      listServicesResponse: { type: 'ListServiceResponse', id: 6 },
      errorResponse: { type: 'ErrorResponse', id: 7 }
    }
  },
  ServerReflection: {
    methods: {
      ServerReflectionInfo: {
        requestType: 'ServerReflectionRequest',
        requestStream: true,
        responseType: 'ServerReflectionResponse',
        responseStream: true
      }
    }
  }
}

/** How a server is reached that describes itself. */
export type Reflecting = Pick<Connecting, 'routes' | 'verifyTls' | 'timeoutMs'> & {
  /** Its origin, and headers that it wants. */
  base: Request
}

type Asked =
  | { fileByFilename: string }
  | { fileContainingSymbol: string }
  | { listServices: string }

/** What a server told; null for what it did not. */
type Told = {
  fileDescriptorResponse: { fileDescriptorProto: Uint8Array[] } | null
  listServicesResponse: { service: { name: string }[] } | null
}

/** Files that are asked for by name at most: a server could go on for ever. */
const mostAsked = 100

/** What came of a call, and how it ended in words. */
type Called = { answer: RpcAnswer; how: string }

/** Calls a method once, over a connection of its own; throws an Error where nothing connects. */
async function call(
  method: RpcMethod,
  message: object,
  { base, ...reached }: Reflecting
): Promise<Called> {
  const { origin } = new URL(base.url)
  const request = rpcRequest({ ...base, url: `${origin}${method.path}` }, method, [message])
  let answer: RpcAnswer | undefined
  const sender = createPartSender({ index: 0, count: 1 })
  try {
    const way = { transport: 'http2', connections: 1, pipelining: 1, ...reached } as const
    await sender.open([
      {
        ...way,
        request: async ({ rpc }) => {
          answer = await rpc(request)
        }
      }
    ])
    const load = closed({ users: 1, iterations: 1, timeoutMs: reached.timeoutMs })
    const { connections, tally } = await sender.trial(0, { load, seed: 1, stopped: () => false })
    const { causes, ends = {}, opened } = connections
    const [cause = 'no connection'] = Object.keys(causes)
    if (answer === undefined || opened === 0) throw new Error(cause)
    const [ended = Object.keys(tally.results).join()] = Object.keys(ends)
    return { answer, how: /^\d+$/.test(ended) ? `HTTP ${ended}` : ended }
  } finally {
    sender.close()
  }
}

/** Asks a server about itself, by whichever package it knows. */
async function createReflection(reached: Reflecting) {
  const { Root } = await protobufjs()
  const infos = packages.map((name) => {
    const within = (inner: object, part: string) => ({ [part]: { nested: inner } })
    const root = Root.fromJSON({ nested: name.split('.').reduceRight<object>(within, messages) })
    return methodsOf(root, `${name}.ServerReflection`)('ServerReflectionInfo')
  })
  let known: RpcMethod | undefined
  return async (asked: Asked): Promise<Told> => {
    for (const info of known === undefined ? infos : [known]) {
      const { answer, how } = await call(info, asked, reached)
      const { ending, status, reply } = answer
      if (status === 'UNIMPLEMENTED') continue
      const isOther = /content-type is /.test(how)
      if (isOther) throw new Error(`${new URL(reached.base.url).origin} speaks no gRPC: ${how}`)
      if (ending !== 'answered' || reply === undefined) {
        const why = 'the server does not describe itself: its reflection ends as'
        throw new Error(`${why} ${how}; name a file by --proto`)
      }
      known = info
      return reply
    }
    throw new Error('the server does not describe itself (no reflection): name a file by --proto')
  }
}

/** The services that a server names, in words. */
async function servicesOf(ask: (asked: Asked) => Promise<Told>): Promise<string> {
  const { listServicesResponse } = await ask({ listServices: '*' })
  const names = listServicesResponse?.service.map(({ name }) => name) ?? []
  return names.filter((name) => !name.startsWith('grpc.reflection.')).join(', ') || 'none'
}

/** The files that describe a service, with all that they are built on. */
async function filesOf(
  service: string,
  ask: (asked: Asked) => Promise<Told>
): Promise<FileDescription[]> {
  const { FileDescriptorProto } = await descriptions()
  const files = new Map<string, FileDescription>()
  const take = ({ fileDescriptorResponse }: Told) => {
    for (const bytes of fileDescriptorResponse?.fileDescriptorProto ?? []) {
      const file = readable(service, () => FileDescriptorProto.decode(bytes))
      files.set(file.name, file)
    }
  }
  const first = await ask({ fileContainingSymbol: service })
  if (first.fileDescriptorResponse === null) {
    throw new Error(`the server knows no service ${service}: it has ${await servicesOf(ask)}`)
  }
  take(first)
  const missing = () =>
    [...files.values()].flatMap(({ dependency }) => dependency).find((name) => !files.has(name))
  let asked = 0
  for (let name = missing(); name !== undefined; name = missing()) {
    if (asked++ === mostAsked) throw new Error(`${service} takes more than ${mostAsked} files`)
    take(await ask({ fileByFilename: name }))
    if (!files.has(name))
      throw new Error(`the server does not tell ${name}, which ${service} needs`)
  }
  return [...files.values()]
}

/**
 * The methods of a service as its server describes them (server reflection, v1 or v1alpha). Rejects
 * with an Error that says why there are none, where that is so.
 */
export async function reflectedMethods(service: string, reached: Reflecting): Promise<FindMethod> {
  const ask = await createReflection(reached)
  const file = await filesOf(service, ask)
  const { Root } = await protobufjs()
  return readable(service, () => methodsOf(Root.fromDescriptor({ file }), service))
}

/** What a server told, where it can be read. */
function readable<Result>(service: string, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw new Error(`what the server tells of ${service} cannot be read`, { cause })
  }
}
