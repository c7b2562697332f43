import type { Client, RawRequest } from '../../client/client.ts'
import type { Reply } from '../../client/reply.ts'
import type { Clock } from '../../clock.ts'
import type { Answer } from '../answer.ts'
import type { ClaimFinding } from './row.ts'
import { together } from './together.ts'

/** Whom to ask at once, and how many are let through when asked one after another. */
export type BurstsAsked = {
  client: Client
  question: RawRequest
  /** Asks one after another. */
  ask: () => Promise<Reply>
  judge: (reply: Reply) => Answer
  clock: Clock
  stopped: () => boolean
  /** Ends every wait. */
  signal?: AbortSignal
  level: number
  /** How long everything takes to be back, in ms. */
  restMs: number
}

/** How often it is found out how many a window takes; all of them have to agree. */
const looks = 3

/** How many bursts of how many more than are let through, and how many of them may be missed. */
const [bursts, beyond, mostMissed] = [20, 16, 10] as const

/** In what part of a window a burst has to be over, so that none else begins. */
const part = 0.8

/** How far apart those are at least that wait for a window to begin, in ms and as a part. */
const apart = { ms: 5, part: 0.005 }

/** How many times as many as a window takes are asked at most until one is refused. */
const most = 4

/** When a window began: after the last that was refused, and by the first that was accepted. */
type Beginning = { after: number; by: number }

/**
 * The race of a window that may end while it is used up one after another, so that nobody knows how
 * many of those are of two: each time it is asked on until a refusal ends, as a window begins then,
 * and the burst follows at once. Undefined where it does not take as many in each.
 */
export async function windowRace(options: BurstsAsked): Promise<ClaimFinding | undefined> {
  const size = await windowSize(options)
  if (!size) return
  const { level } = size
  const counts: number[] = []
  for (let missed = 0; counts.length < bursts && !options.stopped(); ) {
    const begun = await beginning(options, level)
    if (!begun) break
    const { replies } = await together(level - 1 + beyond, options)
    const isOver = options.clock.now() < begun.after + part * size.windowMs
    if (!isOver && ++missed > mostMissed) return
    // The first of the window was accepted already.
    const accepted = replies.filter((reply) => options.judge(reply).kind === 'accepted').length
    if (isOver) counts.push(accepted + 1)
  }
  const over = counts.filter((one) => one > level)
  // What takes less together is no window, or some of it failed.
  if (counts.length < 2 || counts.filter((one) => one < level).length > counts.length / 2) return
  const said = `of ${counts.length} bursts whose last bytes went out together as a window began`
  if (over.length === 1 || (over.length > 1 && (await isMixed(options, size)))) return
  const many = over.length > 0 ? `${Math.max(...over)} let through; ` : ''
  const because = `${level} allowed, ${many}more in ${over.length || 'none'} ${said}`
  return { field: 'race', verdict: over.length > 0 ? 'false' : 'true', because }
}

type Size = { level: number; windowMs: number }

/** How many a window takes, from its beginning on, and how long it is at least. */
async function windowSize(options: BurstsAsked): Promise<Size | undefined> {
  const begins: Beginning[] = []
  let level: number | undefined
  while (begins.length < looks) {
    const begun = await beginning(options, level ?? options.level)
    if (!begun) return
    begins.push(begun)
    let count = 1
    while ((await kindOf(options)) === 'accepted') {
      if (++count > options.level || options.stopped()) return
    }
    // A window that ends in a round lets through what two do, no more.
    const isSame = count === (level ?? count) && count >= 2 && 2 * count + 1 >= options.level
    if (!isSame) return
    level = count
  }
  const lengths = begins.slice(1).map(({ after }, nth) => after - begins[nth]!.by)
  return { level: level!, windowMs: Math.min(...lengths) }
}

/** Asks until refused, and on until the refusal ends; undefined where either does not happen. */
async function beginning(options: BurstsAsked, level: number): Promise<Beginning | undefined> {
  const { clock, stopped, signal, restMs } = options
  let count = 0
  let sent = clock.now()
  while ((await kindOf(options)) === 'accepted') {
    if (++count > most * level || stopped()) return
    sent = clock.now()
  }
  const until = clock.now() + 2 * restMs
  while (clock.now() < until && !stopped()) {
    const after = sent
    await clock.until(sent + apart.ms + apart.part * restMs, signal)
    sent = clock.now()
    if ((await kindOf(options)) === 'accepted') return { after, by: clock.now() }
  }
}

/** Whether one after another more are accepted in a window as well, as where several count. */
async function isMixed(options: BurstsAsked, { level, windowMs }: Size): Promise<boolean> {
  for (let nth = 0; nth < looks; nth++) {
    const begun = await beginning(options, level)
    if (!begun) return true
    let count = 1
    while (options.clock.now() < begun.after + part * windowMs && count <= level) {
      if ((await kindOf(options)) === 'accepted') count++
    }
    if (count > level) return true
  }
  return false
}

async function kindOf({ ask, judge }: BurstsAsked): Promise<'accepted' | 'rejected' | 'unclear'> {
  return judge(await ask()).kind
}
