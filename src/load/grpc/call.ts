import type { Timeline } from '../arrivals/timeline.ts'
import type { Recorder } from '../figures/recorder.ts'
import { type Ending, leftAt, type Sample } from '../figures/sample.ts'
import type { BodySink } from '../requests/body-sink.ts'
import type { Post } from '../requests/post.ts'
import type { Request } from '../requests/request.ts'
import { headersOf } from '../requests/response.ts'
import { createMessageFrames, messageFrame } from './message-frames.ts'
import type { RpcMethod } from './method.ts'
import { type GrpcStatus, grpcStatusOf } from './status.ts'

/** A call of a method, with all the messages that it is given. */
export type RpcRequest = Request & { rpc: RpcMethod }

/** How a call is made. */
export type RpcOptions = {
  /** Sent as headers. */
  metadata?: Record<string, string>
  /** After how long the server is to give it up (`grpc-timeout`). */
  deadlineMs?: number
  /** Name under which its metrics are kept apart. Default: `Service/Method`. */
  route?: string
}

/** What came of a call. */
export type RpcAnswer = {
  /** How it ended: `answered` where its status is `OK`. */
  ending: Ending
  ok: boolean
  /** Its status; undefined where none came. */
  status: GrpcStatus | undefined
  /** What the server says of the status. */
  details: string
  /** The message of a unary answer, the first of several; undefined without any. */
  reply: any
  /** The first thousand messages, and how many there were. */
  replies: any[]
  count: number
  headers: Record<string, string>
  trailers: Record<string, string>
  /** Milliseconds from the send to the end. */
  ms: number
}

/** Answers kept of one call; the others are counted. */
const mostKept = 1_000

/** `grpc-timeout` as it is written: at most eight digits, and a unit. */
function timeoutText(ms: number): string {
  return ms < 100_000 ? `${Math.max(1, Math.round(ms * 1_000))}u` : `${Math.round(ms)}m`
}

/** The request that calls a method; throws a TypeError for messages that are none of its. */
export function rpcRequest(
  base: Request,
  method: RpcMethod,
  messages: object | readonly object[],
  { metadata = {}, deadlineMs, route = method.path.slice(1) }: RpcOptions = {}
): RpcRequest {
  const all = [messages].flat() as object[]
  if (!method.streams.request && all.length !== 1)
    throw new TypeError(`${method.path} takes one message, not ${all.length}`)
  return {
    ...base,
    ...{ method: 'POST', route, rpc: method },
    headers: {
      ...base.headers,
      ...{ te: 'trailers', 'content-type': 'application/grpc+proto' },
      ...(deadlineMs !== undefined && { 'grpc-timeout': timeoutText(deadlineMs) }),
      ...metadata
    },
    body: Buffer.concat(all.map((message) => messageFrame(method.encode(message))))
  }
}

/** Takes the answers of one call. */
function createAnswers(method: RpcMethod, onMessage: () => void) {
  const replies: any[] = []
  let count = 0
  let unreadable: string | undefined
  let isTyped = false
  const frames = createMessageFrames((message) => {
    count++
    onMessage()
    try {
      if (count <= mostKept) replies.push(method.decode(message))
    } catch {
      unreadable = 'a message that is none of the method'
    }
  })
  const sink: BodySink = {
    take(part, { status, headers }) {
      if (status !== 200) return 'more'
      // What another protocol answers is no broken message of this one.
      if (!isTyped) unreadable = strangeType(headersOf(headers))
      if (unreadable !== undefined) return 'malformed'
      isTyped = true
      const refusal = frames.take(part)
      // By now a message may have shown that it is none of the method.
      return refusal ?? (unreadable ? 'malformed' : 'more')
    },
    isOver: () => false
  }
  /** Why no more was taken. */
  const refused = () => unreadable ?? frames.fault()
  /** What is wrong with what came, where the call itself went well. */
  const fault = () => {
    const refusal = refused()
    if (refusal !== undefined) return refusal
    if (!frames.isWhole()) return 'an end within a message'
    const isProper = method.streams.response || count === 1
    return isProper ? undefined : `${count} messages where there is to be one`
  }
  return { sink, replies, count: () => count, refused, fault }
}

/** What is wrong with the type of what came, in words: not gRPC's, or not that of protobuf. */
function strangeType(headers: RpcAnswer['headers']): string | undefined {
  const type = headers['content-type']
  const told = /^application\/grpc(\+[\w.-]+)?\s*(?:;|$)/i.exec(type ?? '')
  if (told === null) return `its content-type is ${type ?? 'missing'}, not application/grpc`
  const [, coding = '+proto'] = told
  if (coding.toLowerCase() === '+proto') return undefined
  return `its content-type is ${type}, and not that of protobuf, which was asked for`
}

/**
 * The words of a status, whose bytes are percent-encoded UTF-8. What is no such byte stays as it
 * came, as gRPC asks of whoever reads them.
 */
function wordsOf(text = ''): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString()
  )
}

/** Calls methods, and says what came of each. */
export function createCaller(parts: {
  post: Post
  timeline: Pick<Timeline, 'now'>
  recorder: Pick<Recorder, 'stream' | 'ended'>
}) {
  const { post, timeline, recorder } = parts
  return (request: RpcRequest, due: number): Promise<RpcAnswer> => {
    const { rpc } = request
    const measure = (name: 'messagesReceived' | 'messagesSent', value: number) =>
      recorder.stream(due, name, value)
    let lastAt = Number.NaN
    const answers = createAnswers(rpc, () => {
      const at = timeline.now()
      measure('messagesReceived', 1)
      if (!Number.isNaN(lastAt)) recorder.stream(due, 'messageGap', at - lastAt)
      lastAt = at
    })
    measure('messagesReceived', 0)
    const told = (sample: Sample) => {
      const headers = headersOf(sample.headers ?? [])
      const trailers = headersOf(sample.trailers ?? [])
      const status = grpcStatusOf(trailers['grpc-status'] ?? headers['grpc-status'])
      const details = wordsOf(trailers['grpc-message'] ?? headers['grpc-message'])
      return { headers, trailers, status, details }
    }
    const note = (ending: Ending, because: string | undefined): Ending => {
      if (because) recorder.ended(due, `${ending}${because}`)
      return ending
    }
    const endingOf = (sample: Sample): Ending => {
      const { ending } = sample
      const { headers, status, details } = told(sample)
      if (sample.status > 0 && sample.status !== 200) {
        const other = strangeType(headers)
        if (other) recorder.ended(due, `HTTP ${sample.status}: ${other}`)
        return ending
      }
      if (ending !== 'answered') {
        const fault = answers.refused()
        return note(ending, fault && `: ${fault}`)
      }
      const misfit = strangeType(headers) ?? (status === undefined ? 'no grpc-status' : undefined)
      if (misfit !== undefined) return note('malformed', `: ${misfit}`)
      if (status !== 'OK') return note(status!, details && ` (${details})`)
      const fault = answers.fault()
      return fault === undefined ? 'answered' : note('malformed', `: ${fault}`)
    }
    const done = Promise.withResolvers<RpcAnswer>()
    post.send(request, due, {
      ...{ keeps: true, sink: answers.sink, endingOf },
      onSample(sample) {
        const { ending, status, end } = sample
        const { replies, count } = answers
        const ok = ending === 'answered' && status === 200
        const came = { reply: replies[0], replies, count: count(), ms: end - leftAt(sample) }
        done.resolve({ ending, ok, ...told(sample), ...came })
      }
    })
    post.flush()
    return done.promise
  }
}
