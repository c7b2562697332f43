import { frame } from '../../load/http2/frame.ts'
import { headFrames } from '../../load/http2/request-frames.ts'
import type { Answer } from '../answer.ts'
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

/** How long a pace is kept, how often something is sent meanwhile, how many are tried at once. */
const [usualPaceMs, stepMs, pacesAtOnce] = [8_000, 50, 6]

/** How often paces are tried, how close is close enough, and the fastest that is tried. */
const [rounds, closeEnough, fastest] = [3, 1.1, 4_096]

/** How many a second are taken after a burst, and how many are not; null where all were. */
export type FramePace = { accepted: number; rejected: number | null }

/** Whether a pace is kept up to by a target that was sent its burst but for a second's worth. */
async function isTaken(
  perSecond: number,
  { burst, most, options, usual }: FramePaceOptions
): Promise<boolean | undefined> {
  const { address, clock, paceMs = usualPaceMs } = options
  const conversation = await converse(address, { clock })
  if (typeof conversation === 'string') return
  try {
    let sent = Math.max(0, most - Math.ceil(perSecond))
    const first = sent
    conversation.say(...framesOf(burst, 0, sent, options))
    const from = clock.now()
    while (clock.now() < from + paceMs && conversation.end === undefined && !options.stopped()) {
      await clock.until(clock.now() + stepMs)
      const due = first + Math.floor(((clock.now() - from) / 1_000) * perSecond)
      conversation.say(...framesOf(burst, sent, due - sent, options))
      sent = Math.max(sent, due)
    }
    const wanted = conversation.pongs + 1
    const told = await alive(conversation, [pingFrame], { wanted, options, usual })
    return told.kind === 'unclear' ? undefined : told.kind === 'accepted'
  } finally {
    conversation.close()
  }
}

/** What a pace is looked for by: after how many at once. */
export type FramePaceOptions = {
  burst: FrameBurst
  most: number
  options: Http2Options
  usual: Usual
}

/** Paces between two others, as far apart from each other by their ratio. */
function pacesBetween(low: number, high: number): number[] {
  const ratio = (high / low) ** (1 / (pacesAtOnce + 1))
  return Array.from({ length: pacesAtOnce }, (_, nth) => low * ratio ** (nth + 1))
}

/** The slowest pace that is tried. */
const slowest = 0.25

/**
 * How many a second are taken from then on, once as many as may come at once have come: several
 * paces at a time, each on a connection of its own. Who counts in whole seconds takes one by chance
 * that lies somewhat above; undefined where that is not clear.
 */
export async function paceOf(asked: FramePaceOptions): Promise<FramePace | undefined> {
  let [accepted, rejected] = [0, Math.min(fastest, asked.most)]
  for (let round = 0; round < rounds && !asked.options.stopped(); round++) {
    const between = pacesBetween(Math.max(accepted, slowest), rejected)
    const paces = round === 0 ? [slowest, ...between, rejected] : between
    const taken = await Promise.all(paces.map((pace) => isTaken(pace, asked)))
    if (taken.includes(undefined)) return
    const refused = taken.indexOf(false)
    if (refused < 0 && round === 0) return { accepted: rejected, rejected: null }
    const below = refused < 0 ? paces.length : refused
    if (below > 0) accepted = paces[below - 1]!
    rejected = paces[taken.lastIndexOf(true) + 1] ?? rejected
    if (accepted === 0 || rejected / accepted <= closeEnough) break
  }
  return sustained({ accepted, rejected }, asked)
}

/** What a pace comes to in the long run: a second's worth of it was there at first. */
function sustained({ accepted, rejected }: FramePace, { options }: FramePaceOptions): FramePace {
  const { paceMs = usualPaceMs } = options
  const share = 1 - 1_000 / paceMs
  return { accepted: accepted * share, rejected: rejected! * share }
}
