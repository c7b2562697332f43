import { type AskedOnce, tickMs } from './fit/asked-once.ts'
import { bucketFit } from './fit/bucket-fit.ts'
import { candidatesOf, counting, fittingOf, forgetting } from './fit/candidates.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Pace } from './rate-pace.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { gapsOf, middle, type Span } from './rate-span.ts'

/** How many times slower the second has to be to show beside the first. */
const slower = 1.5

/** How many tokens are waited for once they come more slowly, and for how long at most, in ms. */
const tokens = 12
const longestMs = 25_000

/** How often it is tried until two in a row are alike. */
const mostRuns = 4

/** How well a pace is known, and how far around it another is tried, as parts of it. */
const step = 0.005
const around = 0.08

/** A bucket that may have decided so: how many it holds, and in how many ms one comes back. */
type Bucket = { size: number; period: Span }

/** What one run allows of the first bucket and of the second. */
type Pair = { inner: Bucket[]; outer: Bucket[] }

/**
 * Two buckets, each of which refuses what it does not hold: after a rest it is asked one after
 * another for whatever comes back, which is soon at first, and later once the second is empty. The
 * refusals before that were the first one's, those after it the second's. Undefined where one
 * limiter alone may have done so, or it is not the same twice.
 */
export function* twoBuckets(asking: RateAsker, known: Pace): Questions<RateLimit | undefined> {
  let restMs = 1.3 * known.level * known.spacing.to
  const all: AskedOnce[] = []
  let before: Pair | undefined
  for (let nth = 0; nth < mostRuns; nth++) {
    const asked = yield* run(asking, known, restMs)
    if (!asked) return
    all.push(...asked)
    const pair = pairOf(asked)
    const inner = before && pair ? both(before.inner, pair.inner) : []
    const outer = before && pair ? both(before.outer, pair.outer) : []
    if (inner.length > 0 && outer.length > 0) {
      return isSingle(all) ? undefined : said(asking, { inner, outer })
    }
    if (!pair && (before || nth > 0)) return
    before = pair
    // The second may not have been full yet.
    restMs = pair
      ? 1.2 * Math.max(...pair.outer.map(({ size, period }) => size * period.to))
      : Math.max(2 * restMs, 2 * known.level * spacingOf(asked))
  }
  return
}

/** How many times as long as one token takes a refusal lasts that is none of that bucket. */
const longer = 1.15

/**
 * Whether it refused for longer than one token takes, twice, as no bucket does that gets one every
 * so many ms: there are two, and what comes back is as fast as neither.
 */
export function isSlowAtTimes({ refusals }: RateAsker, everyMs: number): boolean {
  return refusals.empty.filter((ms) => ms > longer * everyMs + tickMs).length > 1
}

/** In how many ms one came back at last. */
function spacingOf(asked: readonly AskedOnce[]): number {
  const times = asked.filter(({ isAccepted }) => isAccepted).map(({ sent }) => sent)
  const late = gapsOf(times.slice(-tokens))
  return late.toSorted((a, b) => a - b)[late.length >> 1] ?? 0
}

/**
 * Asks until refused and then for whatever comes back, until that is slower for long enough, or was
 * always as fast. Undefined where nothing was refused, or it takes too long.
 */
function* run(
  asking: RateAsker,
  { level, spacing }: Pace,
  restMs: number
): Questions<AskedOnce[] | undefined> {
  const asked: AskedOnce[] = []
  const times: number[] = []
  const since = asking.now + restMs
  const ask = function* (at: number, most: number): Questions<void> {
    const { seen } = yield* asking.burst(at, most, { inFlight: 1 })
    for (const { kind, sent, answered } of seen) {
      if (kind === 'unclear') continue
      if (kind === 'accepted') times.push((sent + answered) / 2)
      const isAccepted = kind === 'accepted'
      asked.push({ sent: sent - tickMs, answered: answered + tickMs, isAccepted })
    }
  }
  yield* ask(since, 4 * level)
  if (asked.length === 0 || asked.at(-1)!.isAccepted) return
  const first = times.length
  while (asking.now < since + longestMs) {
    const gaps = gapsOf(times.slice(first))
    const lastMs = gaps.at(-1) ?? middle(spacing)
    yield* ask(asking.now + Math.min(lastMs, middle(spacing)) / 10, 1)
    const turn = turnOf(gaps)
    const isEven = turn === undefined && gaps.length > level
    if (isEven || (turn !== undefined && gaps.length - turn > tokens)) return asked
  }
  return
}

/** After how many gaps they are longer from then on: where both parts are most even. */
function turnOf(gaps: readonly number[]): number | undefined {
  const logs = gaps.map((gap) => Math.log(Math.max(gap, 0.1)))
  const sum = logs.reduce((all, one) => all + one, 0)
  let best: { turn: number; apart: number; ratio: number } | undefined
  let below = 0
  for (let turn = 1; turn < logs.length; turn++) {
    below += logs[turn - 1]!
    const ratio = (sum - below) / (logs.length - turn) - below / turn
    const apart = turn * (logs.length - turn) * ratio ** 2
    if (ratio > 0 && (!best || apart > best.apart)) best = { turn, apart, ratio }
  }
  return best && best.turn >= 3 && Math.exp(best.ratio) > slower ? best.turn : undefined
}

/** The two buckets that may have decided so; undefined where one alone may have, or no two. */
function pairOf(asked: readonly AskedOnce[]): Pair | undefined {
  const accepted = asked.filter(({ isAccepted }) => isAccepted)
  const once = asked.findIndex(({ isAccepted }) => !isAccepted)
  const times = accepted.map(({ sent, answered }) => (sent + answered) / 2)
  const turn = turnOf(gapsOf(times.slice(once)))
  if (turn === undefined) return
  const [last, next] = [accepted[once + turn]!, accepted[once + turn + 1]!]
  const begun = times[0]!
  const [lastAt, firstAt] = [times[once + turn]!, times[once]!]
  const innerMs = (lastAt - firstAt) / turn
  const outerMs = (times.at(-1)! - times[once + turn + 1]!) / (accepted.length - once - turn - 2)
  const before = asked.filter(({ answered }) => answered <= last.answered)
  const after = asked.filter(({ isAccepted, sent }) => isAccepted || sent > next.sent)
  const inner = bucketsOf(before, once - (times[once - 1]! - begun) / innerMs, innerMs)
  const outer = bucketsOf(after, once + turn + 1 - (lastAt - begun) / outerMs, outerMs)
  if (inner.length === 0 || outer.length === 0) return
  return { inner, outer }
}

/** The buckets of about so many, one about every so many ms, that may have decided so. */
function bucketsOf(asked: readonly AskedOnce[], about: number, everyMs: number): Bucket[] {
  const sizes = Array.from({ length: 7 }, (_, nth) => Math.round(about) - 3 + nth)
  const count = Math.round(around / step)
  return sizes.flatMap((size) => {
    return Array.from({ length: 2 * count + 1 }, (_, nth): Bucket[] => {
      const from = everyMs * (1 + (nth - count - 0.5) * step)
      const period = { from, to: from + everyMs * step }
      return size > 0 && bucketFit(asked, size, period) ? [{ size, period }] : []
    }).flat()
  })
}

/** Whether one limiter alone may have decided so upon all runs. */
function isSingle(asked: readonly AskedOnce[]): boolean {
  const once = asked.findIndex(({ isAccepted }) => !isAccepted)
  const sizes = [once, once - 1, once - 2].filter((size) => size > 0)
  const most = asked.filter(({ isAccepted }) => isAccepted).length
  const tookMs = asked.at(-1)!.answered - asked[0]!.sent
  // In all that time no more came back than in so many windows, and no less than in a few.
  const windows = { from: (once * tookMs) / (4 * most), to: tookMs }
  return fittingOf(candidatesOf([...forgetting, ...counting], sizes, windows), asked).length > 0
}

/** Those of two runs that are of one size, and about as fast. */
function both(some: readonly Bucket[], others: readonly Bucket[]): Bucket[] {
  return some.filter(({ size, period }) => {
    return others.some((one) => {
      return one.size === size && Math.abs(middle(one.period) / middle(period) - 1) < 2 * step
    })
  })
}

function said({ status }: RateAsker, { inner, outer }: Pair): RateLimit {
  const [one, other] = [told(inner), told(outer)]
  const because =
    `one limit: ${one.words}; and a slower one behind it: ${other.words}: what came back was ` +
    'that fast first, and that slow later'
  const { burst, perSecond } = one
  return {
    ...{ algorithm: 'stacked', ...(burst !== undefined && { burst }), perSecond },
    behind: {
      ...{ algorithm: 'token-bucket', perSecond: other.perSecond },
      ...(other.burst !== undefined && { burst: other.burst })
    },
    ...{ status, because, repeats: '2/2' }
  }
}

/** How many such a bucket holds, where that is one number, and how many come back a second. */
function told(buckets: readonly Bucket[]) {
  const sizes = buckets.map(({ size }) => size)
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const from = Math.min(...buckets.map(({ period }) => period.from))
  const to = Math.max(...buckets.map(({ period }) => period.to))
  const perSecond = 1_000 / middle({ from, to })
  const many = least === most ? `${least}` : `${least} to ${most}`
  const words = `a bucket of ${many}, ${Number(perSecond.toPrecision(3))} a second`
  return { words, perSecond, burst: least === most ? least : undefined }
}
