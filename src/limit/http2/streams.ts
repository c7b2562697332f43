import { settingsFrame } from '../../load/http2/frame.ts'
import { headFrames } from '../../load/http2/request-frames.ts'
import type { Answer } from '../answer.ts'
import {
  answer,
  dataFrame,
  ended,
  endText,
  type Fields,
  fieldsOf,
  type Http2Options,
  idOf,
  isOver,
  onOne,
  pingFrame,
  type Usual
} from './asking.ts'
import { type Conversation, converse } from './conversation.ts'

/** How streams are kept from ending: by shutting the windows of answers, or by half a request. */
export type Hold = 'answer' | 'body'

const body = Buffer.from('x')

/** How long it is waited for what would show that nothing is held, in ms. */
const holdingMs = 150

function fieldsFor(hold: Hold, options: Http2Options): Fields {
  if (hold === 'answer') return fieldsOf(options)
  const own = fieldsOf(options, 'POST').filter(([name]) => name !== 'content-length')
  return [...own, ['content-length', `${body.length}`]]
}

/** Opens so many streams, and keeps them from ending. */
async function openHeld(
  { hold, size }: { hold: Hold; size: number },
  conversation: Conversation,
  options: Http2Options
): Promise<void> {
  const fields = fieldsFor(hold, options)
  const heads: Buffer[] = []
  for (let nth = 0; nth < size; nth++) {
    const turn = nth === 0 ? undefined : options.turn()
    if (turn !== undefined) {
      // What may leave by now does, so that nothing is saved up.
      conversation.say(...heads.splice(0))
      if ((await turn) === false || conversation.end !== undefined) break
    }
    heads.push(headFrames(fields, hold === 'answer', idOf(nth)))
  }
  conversation.say(...heads, pingFrame)
}

/** Lets all of them end. */
function release(hold: Hold, size: number, conversation: Conversation): void {
  const ends = Array.from({ length: size }, (_, nth) => dataFrame(idOf(nth), body, true))
  conversation.say(...(hold === 'answer' ? [settingsFrame({ initialWindowSize: 2 ** 30 })] : ends))
}

const ours = (hold: Hold) => (hold === 'answer' ? { initialWindowSize: 0 } : {})

/** How streams are kept open, what they are answered, and whether that ends when let go. */
export type StreamHold = { hold: Hold; status: number; isEnding: boolean }

/** In which way streams can be kept open; undefined in none. */
export async function holdingOf(
  options: Http2Options,
  { patienceMs }: Usual
): Promise<StreamHold | undefined> {
  const { address, clock, turn } = options
  for (const hold of ['answer', 'body'] as const) {
    if ((await turn()) === false) return
    const conversation = await converse(address, { clock, ours: ours(hold) })
    if (typeof conversation === 'string') return
    await openHeld({ hold, size: 1 }, conversation, options)
    const state = conversation.stream(1)
    if (hold === 'answer') await conversation.until(() => state.status > 0, patienceMs)
    const isOut = await conversation.until(() => isOver(state), holdingMs)
    const isHeld = !isOut && (hold === 'answer') === state.status > 0
    release(hold, 1, conversation)
    await conversation.until(() => isOver(state), patienceMs)
    conversation.close()
    const { status, isWhole, reset } = state
    if (isHeld && status > 0 && reset === undefined) return { hold, status, isEnding: isWhole }
  }
  return undefined
}

/**
 * Whether so many streams may be open at a time: all are kept from ending, and none is refused; let
 * go, all of them are answered.
 */
export function askStreams(
  size: number,
  options: Http2Options,
  { hold, status, isEnding, patienceMs }: StreamHold & Pick<Usual, 'patienceMs'>
): Promise<Answer> {
  return onOne(
    options,
    async (conversation) => {
      await openHeld({ hold, size }, conversation, options)
      const all = Array.from({ length: size }, (_, nth) => conversation.stream(idOf(nth)))
      const odd = () =>
        all.find(({ reset, status: own }) => reset !== undefined || (own > 0 && own !== status))
      const isSettled = () =>
        odd() !== undefined ||
        conversation.end !== undefined ||
        (conversation.pongs > 0 && (hold === 'body' || all.every((one) => one.status > 0)))
      const isHeld = await conversation.until(isSettled, patienceMs)
      // A refusal may come after a sign of life.
      await conversation.until(() => odd() !== undefined || !!conversation.end, holdingMs)
      const refused = odd()
      if (refused?.reset !== undefined) {
        return answer('rejected', `RST_STREAM (${refused.reset})`, { options })
      }
      if (refused !== undefined) {
        return answer('rejected', `HTTP ${refused.status}`, { options, status: refused.status })
      }
      if (conversation.end !== undefined) return ended(conversation, options)
      release(hold, size, conversation)
      const isAll = !isEnding || (await conversation.until(() => all.every(isOver), patienceMs))
      if (!isAll)
        return answer('unclear', 'not all were answered when they were let go', { options })
      if (!isHeld) {
        return answer('rejected', 'answered only once others had ended', { options, isSure: false })
      }
      const reset = all.find((one) => one.reset !== undefined)?.reset
      if (reset !== undefined) return answer('rejected', `RST_STREAM (${reset})`, { options })
      return answer('accepted', `HTTP ${status}`, { options, status })
    },
    ours(hold)
  )
}

/**
 * After how many requests in a row, one at a time, the target ends the connection, where it does so
 * with so many.
 */
export async function endsAfter(
  size: number,
  options: Http2Options,
  { patienceMs }: Usual
): Promise<number | undefined> {
  const { address, clock, turn } = options
  const conversation = await converse(address, { clock })
  if (typeof conversation === 'string') return
  try {
    for (let nth = 0; nth < size; nth++) {
      if ((await turn()) === false) return
      conversation.say(headFrames(fieldsOf(options), true, idOf(nth)))
      const state = conversation.stream(idOf(nth))
      const isAnswered = await conversation.until(() => isOver(state), patienceMs)
      if (endText(conversation) !== undefined) return nth + (isAnswered ? 1 : 0)
      if (!isAnswered) return
    }
    return undefined
  } finally {
    conversation.close()
  }
}
