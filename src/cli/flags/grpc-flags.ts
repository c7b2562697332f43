import type { Argv } from 'yargs'
import { rpcRequest } from '../../load/grpc/call.ts'
import { readProto } from '../../load/grpc/method.ts'
import { type Reflecting, reflectedMethods } from '../../load/grpc/reflection.ts'
import type { Request } from '../../load/requests/request.ts'
import type { TransportName } from '../../load/transports/transport.ts'
import { Failure, orFail } from '../failure.ts'
import { givenText } from '../given-file.ts'
import type { MessageFlags } from './message-flags.ts'
import { type RequestFlags, requestOf, textOf } from './request-flags.ts'

/** Flags that say how a method of gRPC is called. */
export type GrpcFlags = { proto?: string }

/** Adds the flag of gRPC; its messages are named as those of WebSockets are. */
export function grpcFlags<Given>(yargs: Argv<Given>): Argv<Given & GrpcFlags> {
  return yargs.option('proto', {
    ...{ type: 'string', requiresArg: true },
    describe: 'To a grpc: URL: the .proto file of its service (without it: by server reflection)'
  }) as never
}

/** Whether a URL names a method of gRPC. */
export const isGrpc = (url: string | undefined): url is string => /^grpcs?:/i.test(url ?? '')

/** The flags as a call of gRPC takes them: it goes by HTTP/2, which nobody has to say. */
export function spoken<Given extends { url?: string; transport: TransportName; http?: string }>(
  flags: Given
): Given {
  const { url, transport, http } = flags
  if (!isGrpc(url) || transport === 'http2') return flags
  if (http === undefined && transport === 'http1') return { ...flags, transport: 'http2' }
  const given = http === undefined ? `--transport ${transport}` : `--http ${http}`
  throw new Failure(`${given} speaks no gRPC: leave it out`)
}

/** A call that is still to be described, by a file or by its server. */
export type GrpcCall = {
  request: Request
  /** The request with its messages; asks the server where there is no file. */
  complete(reached: Omit<Reflecting, 'base'>): Promise<Request>
}

/** The JSON of one message, or of a list of them. */
function messageIn(message: string): unknown {
  const text = `${textOf('message', message)}`
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Failure(`--message is no JSON: ${(cause as Error).message}`)
  }
}

/** Exit code of what a server did not tell. */
const untold = 2

/** The methods of a service by its file; a Failure names the file where it does not tell them. */
async function described(proto: string, service: string): ReturnType<typeof readProto> {
  givenText(`--proto ${proto}`, proto)
  try {
    return await readProto(proto, service)
  } catch (cause) {
    const { message } = cause as Error
    throw new Failure(`--proto ${proto}: ${message.replace(/ in Root$/, ' in it')}`)
  }
}

/** The call that flags describe; undefined where the URL is none of gRPC. */
export function callOf(
  url: string | undefined,
  flags: RequestFlags & MessageFlags & GrpcFlags
): GrpcCall | undefined {
  const { proto, message = '{}', answer, method: given, body } = flags
  if (!isGrpc(url)) {
    if (proto === undefined) return
    throw new Failure(
      '--proto is about gRPC: give a URL as grpc://HOST:PORT/package.Service/Method'
    )
  }
  if ((given ?? body ?? answer) !== undefined)
    throw new Failure(
      'a call of gRPC has messages: give --message, no --method, --body or --answer'
    )
  const base = requestOf(url.replace(/^grpc/i, 'http'), flags)
  const [, service, method] = /^\/([\w.]+)\/(\w+)$/.exec(new URL(base.url).pathname) ?? []
  if (service === undefined || method === undefined) {
    throw new Failure(`"${url}" names no method, as grpc://HOST:PORT/package.Service/Method does`)
  }
  const all = messageIn(message)
  const { url: place, headers } = base
  const request = { url: place, headers, grpc: { request: false, response: false } }
  return {
    request,
    async complete(reached) {
      const find =
        proto === undefined
          ? await orFail(() => reflectedMethods(service, { base: request, ...reached }), untold)
          : await described(proto, service)
      return orFail(() => {
        const rpc = find(method)
        const given = rpc.streams.request ? [all].flat() : [all]
        const isMessage = (one: unknown) =>
          typeof one === 'object' && one !== null && !Array.isArray(one)
        if (!given.every(isMessage)) {
          const list = rpc.streams.request ? ', or a list of them' : ''
          throw new TypeError(`--message is a JSON object${list}: ${method} takes fields by name`)
        }
        const named = given.map((one) => rpc.named(one as object))
        const { rpc: _, ...made } = rpcRequest(request, rpc, named)
        return { ...made, grpc: rpc.streams }
      })
    }
  }
}
