import type { Clock } from '../clock.ts'
import { sumCounts } from '../load/figures/counts.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { type LoadSummary, summary } from '../load/figures/summary.ts'
import { baselineOf, type Objective, type RateBaseline } from '../verdict/rate-trial.ts'
import { redirectsIn } from '../verdict/redirects.ts'
import { mayVary, type Varying, varyingIn } from '../verdict/varying.ts'
import type { Deadline } from './deadline.ts'

/** An even load: requests a second, and for how long. */
export type Even = { rate: number; seconds: number }

/** How little load is sent to a target, and until when; a search's own terms. */
export type Quiet = {
  send: (even: Even) => Promise<LoadResult>
  objective: Pick<Objective, 'redirectRatio'>
  highest: number
  deadline: Deadline
  clock: Clock
  stopped: () => boolean
}

/** A load that hardly makes a queue, in requests a second, for how long, and how often at first. */
const light = { rate: 50, seconds: 0.2, times: 5 }

/**
 * Where it makes one after all: one request after the other would keep a target busy for more of
 * the time, and the slowest takes so many times what the quickest does. Then it is asked for less,
 * for as many requests where a share of the time is enough for them.
 */
const queue = { busy: 0.5, slower: 1.5, share: 0.1 }

/**
 * How much slower than at first still counts as recovered, and how long to wait for that, at most
 * and as a share of the time.
 */
const recovery = { factor: 2, mostMs: 3_000, share: 0.05 }

/** What one stretch of little load shows; undefined when there is no time for it. */
async function lightly(quiet: Quiet, even: Even): Promise<LoadResult | undefined> {
  const { deadline, stopped } = quiet
  if (stopped() || deadline.leftMs() < even.seconds * 1_000) return
  return quiet.send(even)
}

/** A load that makes no queue where the usual one, of which this came, did; else the usual one. */
function withoutQueue({ tally }: LoadResult, { highest, deadline }: Quiet, usual: Even): Even {
  const { minUs, maxUs } = tally.response
  const isSlow = usual.rate * minUs > queue.busy * 1e6
  if (!isSlow || maxUs < queue.slower * minUs) return usual
  const rate = Math.min(highest, (queue.busy * 1e6) / minUs)
  const mostSeconds = (queue.share * deadline.seconds) / light.times
  const seconds = Math.min((usual.rate * usual.seconds) / rate, mostSeconds)
  return { rate, seconds: Math.max(usual.seconds, seconds) }
}

/** Of the time, how long more is asked to know how requests vary, where they do by chance. */
const varyingShare = 0.05

/** What little load shows, and at which rate it is little; how requests vary, where they do. */
export type QuietBaseline = { baseline: RateBaseline; rate: number; varying?: Varying }

/** How requests vary by chance, by more of them than a baseline takes. */
async function variationIn(
  seen: readonly LoadResult[],
  quiet: Quiet,
  rate: number
): Promise<Varying | undefined> {
  if (!mayVary(seen)) return
  const more = await lightly(quiet, { rate, seconds: varyingShare * quiet.deadline.seconds })
  return varyingIn(more ? [...seen, more] : seen)
}

/** What little load shows; a reason in words when the target leads elsewhere or nowhere. */
export async function measureBaseline(quiet: Quiet): Promise<QuietBaseline | string> {
  const { clock, deadline } = quiet
  const usual = { rate: Math.min(light.rate, quiet.highest), seconds: light.seconds }
  const first = await lightly(quiet, usual)
  if (first === undefined) return 'the time was up before anything could be sent'
  const even = withoutQueue(first, quiet, usual)
  const isUsual = even === usual
  const seen = isUsual ? [first] : []
  const until = clock.now() + queue.share * deadline.seconds * 1_000
  const isTime = () => isUsual || seen.length === 0 || clock.now() < until
  while (seen.length < light.times && isTime()) {
    const found = await lightly(quiet, even)
    if (found === undefined) break
    seen.push(found)
  }
  if (seen.length === 0) seen.push(first)
  const found = seen.map(summary)
  const baseline = baselineOf(found)
  if (typeof baseline === 'string') return baseline
  const statuses = sumCounts(found.map((one) => one.statuses))
  const elsewhere = redirectsIn(statuses, quiet.objective.redirectRatio)
  if (elsewhere !== undefined) return elsewhere
  const varying = await variationIn(seen, quiet, even.rate)
  return { baseline, rate: even.rate, ...(varying && { varying }) }
}

const isAnswered = ({ statuses }: LoadSummary) => Object.keys(statuses).length > 0

/**
 * Waits until the target is as quick under little load as it was at first; returns why it will not
 * be, in words, when nothing of that is answered any more.
 */
export async function coolDown(
  quiet: Quiet,
  { baseline, rate }: QuietBaseline
): Promise<string | undefined> {
  const { clock, deadline, stopped } = quiet
  const mostMs = Math.min(recovery.mostMs, recovery.share * deadline.seconds * 1_000)
  const until = clock.now() + mostMs
  let last: LoadSummary | undefined
  do {
    const found = await lightly(quiet, { rate, seconds: light.seconds })
    // What a stop cut short has not had the time to be answered.
    if (found === undefined || stopped()) return
    last = summary(found)
    const { p50 } = last.response
    if (isAnswered(last) && p50 !== null && p50 <= recovery.factor * baseline.p50Us) return
  } while (clock.now() < until)
  if (isAnswered(last)) return
  return `the target answers no longer: ${baselineOf([last])}`
}
