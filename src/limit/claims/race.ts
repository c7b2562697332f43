import type { Client, RawRequest } from '../../client/client.ts'
import type { Reply } from '../../client/reply.ts'
import type { Clock } from '../../clock.ts'
import type { Answer } from '../answer.ts'
import { burstSizeOf } from './burst-size.ts'
import type { ClaimFinding } from './row.ts'
import { together } from './together.ts'

/** Whom to ask at once, and how many are let through when asked one after another. */
export type RaceOptions = {
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
  /** Whether something was back while one after another was asked, as of a bucket that fills fast. */
  isRefilled: boolean
}

/** How often they are sent together. */
const bursts = 20

/** How many more than are let through are sent together, and how many at most. */
const beyond = 16
const mostAtOnce = 500

/**
 * Sends more requests than are let through so that their last bytes go out together, each on a
 * connection of its own: who reads a count and writes it back later lets through more than one
 * after another. A burst may meet the end of a window, so that it takes more of them to say so than
 * meet one by chance.
 */
export async function race(options: RaceOptions): Promise<ClaimFinding> {
  const { clock, stopped, signal, restMs } = options
  const size = options.isRefilled ? await burstSizeOf(options) : undefined
  const { level = options.level, perMs } = size ?? {}
  const field = 'race'
  if (level + beyond > mostAtOnce) {
    return { field, verdict: 'unsaid', because: `${level} are too many to send together` }
  }
  const over: number[] = []
  let [count, byChance] = [0, 0]
  while (count < bursts && !stopped()) {
    await clock.until(clock.now() + restMs, signal)
    const { accepted, tookMs } = await burst(options, level + beyond)
    if (stopped()) break
    count++
    const back = Math.ceil(tookMs * (perMs ?? level / restMs))
    byChance += (2 * tookMs) / restMs
    if (accepted > level + back) over.push(accepted)
  }
  // A window is hardly shorter than half a rest.
  const mostByChance = 1 + byChance + 3 * Math.sqrt(byChance)
  const said = `of ${count} bursts whose last bytes went out together`
  if (over.length > mostByChance) {
    const most = Math.max(...over)
    const because = `${level} allowed, ${most} let through; more in ${over.length} ${said}`
    return { field, verdict: 'false', because }
  }
  const isTold = over.length === 0 && count > 1
  const because = `${level} allowed, more in ${over.length === 0 ? 'none' : over.length} ${said}`
  return { field, verdict: isTold ? 'true' : 'unsaid', because }
}

/** One burst: how many of it were let through, and in how many ms from the last byte on. */
async function burst(options: RaceOptions, size: number) {
  const { replies, tookMs } = await together(size, options)
  const accepted = replies.filter((reply) => options.judge(reply).kind === 'accepted').length
  return { accepted, tookMs }
}
