import { frame } from '../../load/http2/frame.ts'
import { headFrames } from '../../load/http2/request-frames.ts'
import type { Answer } from '../answer.ts'
import { keepPace, type SustainedPace, sustainedPace, usualPaceMs } from '../pace-search.ts'
import {
  answer,
  endText,
  fieldsOf,
  type Http2Options,
  idOf,
  onOne,
  pingFrame,
  resetFrame,
  type Usual
} from './asking.ts'
import { type Conversation, converse } from './conversation.ts'
import { endsAfter } from './streams.ts'

/** What is sent many times on one connection: streams that are reset at once, or pings. */
export type FrameBurst = 'resets' | 'pings'

/** How long after a sign of life the end may still come, in ms. */
const settleMs = 50

/** A kind of frames that no standard knows, and nobody has to care about. */
const unknownKind = 0xb8

/** So many of them, the first of which is the n-th on its connection. */
function framesOf(burst: FrameBurst, from: number, count: number, options: Http2Options): Buffer[] {
  if (burst === 'pings') return Array<Buffer>(count).fill(pingFrame)
  const fields = fieldsOf(options)
  return Array.from({ length: count }, (_, nth) => {
    const id = idOf(from + nth)
    return Buffer.concat([headFrames(fields, true, id), resetFrame(id)])
  })
}

/** Says something and asks for a sign of life; what came of that. */
async function alive(
  conversation: Conversation,
  said: Buffer[],
  { wanted, options, usual }: { wanted: number; options: Http2Options; usual: Usual }
): Promise<Answer> {
  conversation.say(...said)
  const isThere = () => conversation.pongs >= wanted
  await conversation.until(() => isThere() || conversation.end !== undefined, usual.patienceMs)
  await conversation.until(() => conversation.end !== undefined, settleMs)
  const end = endText(conversation)
  if (end !== undefined) return answer('rejected', end, { options })
  if (isThere()) return answer('accepted', 'the connection goes on', { options })
  const because = `${conversation.pongs} of ${wanted} pings were answered in time`
  return answer('unclear', because, { options })
}

/** Whether a frame of so many bytes is taken. */
export function askFrame(size: number, options: Http2Options, usual: Usual): Promise<Answer> {
  return onOne(options, (conversation) => {
    const said = [frame(unknownKind, 0, Buffer.alloc(size)), pingFrame]
    return alive(conversation, said, { wanted: 1, options, usual })
  })
}

/** Whether so many of them may come at once. */
export function askBurst(
  burst: FrameBurst,
  count: number,
  { options, usual }: { options: Http2Options; usual: Usual }
): Promise<Answer> {
  return onOne(options, (conversation) => {
    const said = framesOf(burst, 0, count, options)
    if (burst === 'pings') return alive(conversation, said, { wanted: count, options, usual })
    return alive(conversation, [...said, pingFrame], { wanted: 1, options, usual })
  })
}

/** What a pace is looked for by: after how many at once. */
export type FramePaceOptions = {
  burst: FrameBurst
  most: number
  /** By which end more than that is refused. */
  how: string | null
  options: Http2Options
  usual: Usual
}

/** As many requests on one connection are asked, to see whether their number ends it. */
const mostRequests = 2_500

/**
 * Whether a pace is kept up to by a target that was sent its burst but for a second's worth;
 * undefined where that is not clear, as where it ends connections after `budget` requests.
 */
async function isTaken(
  perSecond: number,
  { burst, most, how, options, usual }: FramePaceOptions,
  budget: number
): Promise<boolean | undefined> {
  const { address, clock, paceMs = usualPaceMs, stopped } = options
  const conversation = await converse(address, { clock })
  if (typeof conversation === 'string') return
  let sent = 0
  try {
    await keepPace({
      ...{ perSecond, most, clock },
      goesOn: (ms) => ms < paceMs && conversation.end === undefined && !stopped(),
      send(from, count) {
        sent = from + count
        conversation.say(...framesOf(burst, from, count, options))
      }
    })
    const wanted = conversation.pongs + 1
    const told = await alive(conversation, [pingFrame], { wanted, options, usual })
    const isOther = told.kind === 'rejected' && (told.because !== how || sent >= budget)
    return told.kind === 'unclear' || isOther ? undefined : told.kind === 'accepted'
  } finally {
    conversation.close()
  }
}

/** How many of them a second are taken, once as many as may come at once have come. */
export async function paceOf(asked: FramePaceOptions): Promise<SustainedPace | undefined> {
  const { burst, most, how, options, usual } = asked
  const { paceMs = usualPaceMs, stopped } = options
  // A farewell without an error is also what comes after so many requests, however slowly.
  const isFarewell = burst === 'resets' && how === 'GOAWAY (NO_ERROR)'
  const budget = (isFarewell && (await endsAfter(mostRequests, options, usual))) || Infinity
  return sustainedPace({ most, paceMs, stopped, isTaken: (pace) => isTaken(pace, asked, budget) })
}
