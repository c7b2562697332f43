import { type Throttle, unthrottled } from '../../client/throttle.ts'
import type { Clock } from '../../clock.ts'
import type { DialAddress } from '../../load/http1/dial.ts'
import { flags, frame, frames, wordsFrame } from '../../load/http2/frame.ts'
import { headFrames } from '../../load/http2/request-frames.ts'
import type { Answer } from '../answer.ts'
import type { Ordinary } from '../dimension.ts'
import { type SeekOptions, type WordedAnswer, wordedAnswer, wordless } from '../seek.ts'
import { type Announced, type Conversation, converse, type StreamState } from './conversation.ts'

/** Whose limits to look for, and how. */
export type Http2Options = SeekOptions & {
  address: DialAddress
  /** A request that is answered as usual. */
  ordinary: Ordinary
  clock: Clock
  /** Holds back each request until it may be sent; to false where none may any more. */
  turn: Throttle
  /** How long a pace is kept when it is found out how many a second are taken, in ms. */
  paceMs?: number
}

/** What is usual: the status of an ordinary answer, and how long it may stay away. */
export type Usual = { status: number; patienceMs: number; announced: Announced }

/** The fields of a request's head. */
export type Fields = [name: string, value: string][]

/** How long after its greeting, or its answer, something more may still come, in ms. */
const settleMs = 30

/** The least that is waited for an answer, and the most for the first of all, in ms. */
const [leastPatienceMs, longestMs] = [2_000, 10_000]

/** The fields of an ordinary request, by another method where one is named. */
export function fieldsOf({ address, ordinary }: Http2Options, method = ordinary.method): Fields {
  const { host, port, secure } = address
  const isUsual = port === (secure ? 443 : 80)
  const name = host.includes(':') ? `[${host}]` : host
  const own = ordinary.headers.map(([name, value]): [string, string] => [name.toLowerCase(), value])
  const named = own.find(([name]) => name === 'host')?.[1]
  return [
    [':method', method],
    [':scheme', secure ? 'https' : 'http'],
    [':authority', named ?? (isUsual ? name : `${name}:${port}`)],
    [':path', ordinary.path],
    ...own.filter(([name]) => name !== 'host' && name !== 'connection')
  ]
}

/** The id of the n-th stream, from 0 on. */
export const idOf = (nth: number) => 2 * nth + 1

/** A frame that resets a stream, as a client does that wants no answer any more. */
export const resetFrame = (id: number) => wordsFrame(frames.resetStream, id, 8)

/** A frame that asks for a sign of life. */
export const pingFrame = frame(frames.ping, 0, Buffer.alloc(8))

/** A frame of a body; with the last of it the request is whole. */
export function dataFrame(id: number, bytes: Buffer, isLast: boolean): Buffer {
  return frame(frames.data, id, bytes, isLast ? flags.endStream : 0)
}

/** How the target ended the connection, in words; undefined where it goes on. */
export function endText({ end }: Pick<Conversation, 'end'>): string | undefined {
  if (end === undefined) return
  return end.goAway === undefined ? wordless : `GOAWAY (${end.goAway})`
}

/** Whether a stream is over, in whatever way. */
export const isOver = ({ isWhole, reset }: StreamState) => isWhole || reset !== undefined

/** An answer in words, as a search takes it. */
export function answer(
  kind: Answer['kind'],
  because: string,
  { options, ...told }: { options: Http2Options } & Pick<WordedAnswer, 'status' | 'isSure'>
): Answer {
  const { method, path } = options.ordinary
  return wordedAnswer(kind, because, { method, url: path, ...told })
}

/** What the end of a connection says of what was asked on it. */
export function ended(conversation: Conversation, options: Http2Options): Answer {
  return answer('rejected', endText(conversation) ?? wordless, { options })
}

/** What a single answer says: as usual, refused, or neither. */
export function judged(
  conversation: Conversation,
  id: number,
  { options, usual }: { options: Http2Options; usual: Usual }
): Answer {
  const { status, reset } = conversation.stream(id)
  const said = `HTTP ${status}`
  if (status === usual.status) return answer('accepted', said, { options, status })
  if (status > 0) {
    const isBeside = status < 400 || status === 429 || status === 503
    return answer(isBeside ? 'unclear' : 'rejected', said, { options, status })
  }
  if (reset !== undefined) return answer('rejected', `RST_STREAM (${reset})`, { options })
  if (conversation.end !== undefined) return ended(conversation, options)
  return answer('unclear', 'no answer in time', { options })
}

/** Has a connection of its own made for one question, and ends it; unclear where there is none. */
export async function onOne(
  options: Http2Options,
  ask: (conversation: Conversation) => Promise<Answer>,
  ours?: Announced
): Promise<Answer> {
  const { address, clock, turn } = options
  if ((await turn()) === false) return answer('unclear', 'nothing more may be sent', { options })
  const conversation = await converse(address, { clock, ...(ours && { ours }) })
  if (typeof conversation === 'string') return answer('unclear', conversation, { options })
  return ask(conversation).finally(conversation.close)
}

/** What an ordinary request is answered; in words why nothing can be said of it. */
export async function usualOf(options: Http2Options): Promise<Usual | string> {
  const { address, clock, turn } = options
  if ((await turn()) === false) return 'nothing more may be sent'
  const conversation = await converse(address, { clock })
  if (typeof conversation === 'string') return conversation
  try {
    const from = clock.now()
    conversation.say(headFrames(fieldsOf(options), true, 1))
    const state = conversation.stream(1)
    const isTold = () => state.status > 0 || isOver(state)
    await conversation.until(() => isTold() || conversation.end !== undefined, longestMs)
    // Who says goodbye may still answer what was begun.
    await conversation.until(isTold, leastPatienceMs)
    const patienceMs = Math.max(leastPatienceMs, 10 * (clock.now() - from))
    // What it says of its settings may come after its greeting.
    await conversation.until(() => false, settleMs)
    const { announced } = conversation
    if (state.status > 0) return { status: state.status, patienceMs, announced }
    const how = state.reset === undefined ? endText(conversation) : `RST_STREAM (${state.reset})`
    return `an ordinary request is answered by nothing: ${how ?? 'silence'}`
  } finally {
    conversation.close()
  }
}

/** Whether requests are held back, so that nothing can be asked many times at once. */
export const isPaced = ({ turn }: Http2Options) => turn !== unthrottled
