import { messageFrame } from '../../load/grpc/message-frames.ts'
import { type GrpcStatus, grpcStatusOf } from '../../load/grpc/status.ts'
import { headFrames } from '../../load/http2/request-frames.ts'
import { headersOf } from '../../load/requests/response.ts'
import type { Answer } from '../answer.ts'
import { type LineFound, seek } from '../seek.ts'
import type { Unfound } from '../survey.ts'
import { answer, ended, type Fields, fieldsOf, type Http2Options, onOne } from './asking.ts'
import { upload } from './windows.ts'

/** What is limited of calls of gRPC. */
export const rpcNames = ['rpc-message'] as const

/** The name of one of these limits. */
export type RpcName = (typeof rpcNames)[number]

/** Whether a limit is one of calls of gRPC. */
export function isRpcName(name: string): name is RpcName {
  return rpcNames.some((one) => one === name)
}

/** A field that no message has, by its number, as it begins: its value is bytes. */
const unknownField = varint(536_870_000 * 8 + 2)

/** A whole number as protobuf writes it. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

/** The least bytes that such a message is made of. */
export const smallestRpc = 16

/** A message of so many bytes, all of which any method can read: a field that it passes over. */
export function messageOf(bytes: number): Buffer {
  // The length of a length may be one byte longer than it has to be.
  const room = bytes - unknownField.length
  const head = varint(room - varint(room).length)
  const length = Buffer.alloc(varint(room).length, 0x80)
  head.copy(length)
  if (head.length < length.length) {
    length[head.length - 1]! |= 0x80
    length[length.length - 1] = 0
  }
  return Buffer.concat([unknownField, length, Buffer.alloc(room - length.length)])
}

function rpcFields(options: Http2Options): Fields {
  const own = fieldsOf(options, 'POST').filter(([name]) => name !== 'content-type')
  return [...own, ['content-type', 'application/grpc+proto'], ['te', 'trailers']]
}

/** What a call with one message of so many bytes is answered: a status of gRPC, or how it ended. */
async function statusOf(
  bytes: number,
  options: Http2Options,
  patienceMs: number
): Promise<{ status: GrpcStatus | undefined; told: Answer }> {
  let status: GrpcStatus | undefined
  const told = await onOne(options, async (conversation) => {
    conversation.say(headFrames(rpcFields(options), false, 1))
    const usual = { status: 200, patienceMs, announced: {} }
    await upload(conversation, messageFrame(messageOf(bytes)), usual)
    const state = conversation.stream(1)
    status = grpcStatusOf(headersOf(state.fields)['grpc-status'])
    if (status !== undefined) return answer('accepted', status, { options })
    // Who has answered otherwise may reset what is left of the call.
    if (state.status > 0 && state.status !== 200) {
      return answer('rejected', `HTTP ${state.status}`, { options, status: state.status })
    }
    if (state.reset !== undefined) {
      return answer('rejected', `RST_STREAM (${state.reset})`, { options })
    }
    if (conversation.end !== undefined) return ended(conversation, options)
    if (state.status === 0) return answer('unclear', 'no answer in time', { options })
    const type = headersOf(state.fields)['content-type'] ?? 'no content-type'
    return answer('rejected', `HTTP ${state.status} with ${type}`, { options, status: 200 })
  })
  return { status, told }
}

/** How long an answer may stay away, in ms. */
const patienceMs = 10_000

/** What a small message is answered, by which larger ones are held; what is none in words. */
export async function usualStatus(
  options: Http2Options
): Promise<GrpcStatus | { none: string; told: Answer }> {
  const { status, told } = await statusOf(smallestRpc, options, patienceMs)
  return status ?? { none: `a call of gRPC is answered by no status: ${told.because}`, told }
}

/** Whether a message of so many bytes is taken as a small one is. */
export async function askRpcMessage(
  bytes: number,
  usual: GrpcStatus,
  options: Http2Options
): Promise<Answer> {
  const { status, told } = await statusOf(bytes, options, patienceMs)
  if (status === undefined || status === usual) return told
  const isBeside = status === 'UNAVAILABLE'
  return answer(isBeside ? 'unclear' : 'rejected', status, { options })
}

/** Finds the largest message of gRPC that a method takes. */
export async function surveyRpcMessage(options: Http2Options): Promise<LineFound | Unfound> {
  const usual = await usualStatus(options)
  if (typeof usual !== 'string') return { outcome: 'inconclusive', because: usual.none }
  const [typical, ceiling] = [4 * 1_024 * 1_024, 16 * 1_024 * 1_024]
  return seek(
    {
      ...{ unit: 'bytes', smallest: smallestRpc, typical, ceiling, variants: [''] },
      ask: (bytes) => askRpcMessage(bytes, usual, options)
    },
    options
  )
}
