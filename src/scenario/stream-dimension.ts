import type { Client, Reach } from '../client/client.ts'
import type { ExpectedReply } from '../client/reply.ts'
import { clock } from '../clock.ts'
import type { Answer } from '../limit/answer.ts'
import type { Http2Options } from '../limit/http2/asking.ts'
import { askRpcMessage, smallestRpc, usualStatus } from '../limit/http2/rpc-message.ts'
import type { SocketSurvey } from '../limit/websocket/probed-socket.ts'
import { type SocketDimensionName, socketDimensions } from '../limit/websocket/socket-dimensions.ts'
import { addressOf } from '../load/http1/dial.ts'
import type { Context } from './context.ts'

/** What a limit of streams is about, by the names of `plimsoll probe`. */
export type StreamDimension = SocketDimensionName | 'rpc-message'

/** Of what a dimension is asked, and how. */
export type StreamAsked = {
  /** The documented number: bytes, messages, messages a second, sockets, or milliseconds. */
  max: number
  /** The endpoint, which the scenario needs; `as` and `with` may have changed it. */
  of: (context: Context) => Client
  /** Path of the WebSocket, or of a method of gRPC: `/package.Service/Method`. */
  path: string
  /** Makes a message of so many bytes that the target takes, and a small one of 1. */
  message?: (bytes: number) => string | Buffer
  /** What a message of the target says in refusing one, where the socket goes on after it. */
  refusal?: RegExp
  /** What it says to each message that it takes, where one without an answer is not taken. */
  answer?: RegExp
  /** For how many seconds a pace of `messages-per-second` is kept. Default: 5. */
  seconds?: number
}

/** What a dimension says of a limit, to be spread into it. */
export type StreamLimit = {
  max: number
  unit: string
  smallest: number
  resolution: number
  variants: string[]
  expectedReplies: ExpectedReply[]
  alone?: string[]
  transport?: 'http2'
  probe: (value: number, context: Context, variant: string) => Promise<Answer>
}

/** A connection that is closed is a refusal here, which HTTP alone does not know. */
const expectedReplies: ExpectedReply[] = ['closed']

/** Where a client asks, for what speaks another protocol with the same listener. */
function reached({ url, headers, reach }: Client, path: string) {
  const { route, verifyTls, turn, signal }: Reach = reach
  const stopped = () => signal?.aborted === true
  const asked = { url: `${url.replace(/\/$/, '')}${path}`, headers }
  return { address: addressOf(url, { route, verifyTls }), asked, turn, stopped, clock }
}

/** A refusal is one however it is told, since documents seldom say how streams end. */
const proper = (answer: Answer): Answer => ({ ...answer, proper: true })

function socketLimit(name: SocketDimensionName, options: StreamAsked): StreamLimit {
  const { max, of, path, message, refusal, answer, seconds } = options
  const { unit, smallest, variants, resolution, ask } = socketDimensions[name]
  return {
    ...{ max, unit, smallest, resolution: resolution(max), variants: [...variants] },
    expectedReplies,
    // Others' sockets would count as well.
    ...(name === 'sockets' && { alone: ['everything'] }),
    async probe(value, context, variant) {
      const { asked, ...way } = reached(of(context), path)
      const request = { ...asked, url: asked.url.replace(/^http/i, 'ws') }
      const pace = seconds === undefined ? {} : { paceMs: seconds * 1_000 }
      const survey: SocketSurvey = { ...way, request, message, refusal, answer, ...pace }
      return proper(await ask(value, variant, survey))
    }
  }
}

function rpcLimit({ max, of, path }: StreamAsked): StreamLimit {
  let usual: ReturnType<typeof usualStatus> | undefined
  return {
    ...{ max, unit: 'bytes', smallest: smallestRpc, resolution: 1, variants: [''] },
    ...{ expectedReplies, transport: 'http2' },
    async probe(bytes, context) {
      const { asked, ...way } = reached(of(context), path)
      const headers = Object.entries(asked.headers)
      const ordinary = { method: 'POST', path: new URL(asked.url).pathname, headers }
      const options: Http2Options = { ...way, ordinary }
      usual ??= usualStatus(options)
      const status = await usual
      if (typeof status === 'string') return proper(await askRpcMessage(bytes, status, options))
      usual = undefined
      const { told } = status
      return { ...told, kind: 'unclear', because: status.none }
    }
  }
}

/**
 * What a `limit` of a stream takes beside its title, its clause and its needs: how one value of
 * this dimension is asked for. What stands behind it in the limit counts in its place.
 */
export function streamLimit(name: StreamDimension, options: StreamAsked): StreamLimit {
  return name === 'rpc-message' ? rpcLimit(options) : socketLimit(name, options)
}
