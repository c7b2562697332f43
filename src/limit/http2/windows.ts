import { headFrames } from '../../load/http2/request-frames.ts'
import type { Unfound } from '../survey.ts'
import { dataFrame, endText, fieldsOf, type Http2Options, isOver, type Usual } from './asking.ts'
import { type Conversation, converse, firstWindow } from './conversation.ts'

/** How a target opens its windows for bodies. */
export type WindowFound = {
  /** How many bytes of one stream, and of all on a connection, it takes before it has read any. */
  stream: number
  connection: number
  /** How much of a body had been sent when it opened either again; null where it never did. */
  opensAfter: number | null
  /** Bytes of the body that was sent, of as many, and what it was answered. */
  sent: number
  bytes: number
  status: number | null
  /** What became of it, in words. */
  because: string
}

/** How many times the windows a body is that is sent, and how large it is at most. */
const [times, mostBytes] = [4, 4 * 1_024 * 1_024]

/** Bytes that are sent in one frame; all take so many. */
const frameBytes = 16_384

/** How long after its greeting a target may still open its connection's window, in ms. */
const settleMs = 50

/**
 * Sends a body on the first stream as far as windows let it, until that is answered; returns how
 * much of it, and when they opened again.
 */
export async function upload(
  conversation: Conversation,
  body: Buffer,
  { patienceMs }: Usual
): Promise<{ sent: number; opensAfter: number | null }> {
  const bytes = body.length
  const state = conversation.stream(1)
  const room = (sent: number) => {
    const stream = (conversation.announced.initialWindowSize ?? firstWindow) + state.opened - sent
    return Math.min(stream, firstWindow + conversation.opened - sent, bytes - sent)
  }
  const atFirst = { stream: state.opened, connection: conversation.opened }
  const hasOpened = () => state.opened > atFirst.stream || conversation.opened > atFirst.connection
  let sent = 0
  let opensAfter: number | null = null
  const isUseless = () => isOver(state) || conversation.end !== undefined
  while (sent < bytes && !isUseless()) {
    const size = Math.min(room(sent), frameBytes)
    if (size > 0) {
      const part = body.subarray(sent, sent + size)
      sent += size
      conversation.say(dataFrame(1, part, sent === bytes))
    }
    // What has been read by now is heard before more is sent.
    await conversation.until(hasOpened, size > 0 ? 1 : 0)
    if (opensAfter === null && hasOpened()) opensAfter = sent
    if (room(sent) > 0) continue
    const isOpen = await conversation.until(() => room(sent) > 0 || isUseless(), patienceMs)
    if (!isOpen || isUseless()) break
    if (opensAfter === null) opensAfter = sent
  }
  await conversation.until(isUseless, patienceMs)
  return { sent, opensAfter }
}

/** How wide a target's windows are at first, and how it opens them as it reads a body. */
export async function surveyWindows(
  options: Http2Options,
  usual: Usual
): Promise<WindowFound | Unfound> {
  const { address, clock, turn } = options
  const unclear = (because: string): Unfound => ({ outcome: 'inconclusive', because })
  if ((await turn()) === false) return unclear('nothing more may be sent')
  const conversation = await converse(address, { clock })
  if (typeof conversation === 'string') return unclear(conversation)
  try {
    await conversation.until(() => false, settleMs)
    const stream = conversation.announced.initialWindowSize ?? firstWindow
    const connection = firstWindow + conversation.opened
    const bytes = Math.min(mostBytes, Math.max(frameBytes, times * Math.min(stream, connection)))
    const own = fieldsOf(options, 'POST').filter(([name]) => name !== 'content-length')
    conversation.say(headFrames([...own, ['content-length', `${bytes}`]], false, 1))
    const { sent, opensAfter } = await upload(conversation, Buffer.alloc(bytes, 'x'), usual)
    const { status, reset } = conversation.stream(1)
    const told = { stream, connection, opensAfter, sent, bytes, status: status || null }
    const how = reset === undefined ? endText(conversation) : `RST_STREAM (${reset})`
    return { ...told, because: status > 0 ? `HTTP ${status}` : (how ?? 'no answer') }
  } finally {
    conversation.close()
  }
}
