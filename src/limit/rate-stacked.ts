import { type AskedOnce, tickMs } from './fit/asked-once.ts'
import { candidatesOf, counters, counting, fittingOf, forgetting } from './fit/candidates.ts'
import {
  type AboutPair,
  type FittedBucket,
  type FittedPair,
  pairFit,
  pairsOf
} from './fit/pair-fit.ts'
import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker, Sighting } from './rate-question.ts'
import { gapsOf, middle, middleOf } from './rate-span.ts'
import { thirdBehind } from './rate-third.ts'

/** How many times slower the second has to be to show beside the first. */
const slower = 1.5

/** How many tokens are waited for once they come more slowly, and for how long at most, in ms. */
const tokens = 12
const longestMs = 30_000

/** How many show how slow the second is, and for how long they are waited for, in ms. */
const few = 5
const fewMs = 12_000

/** How long it rests until both are full, in times that the second seems to take, and in ms. */
const rest = 1.08
const unlike = 0.13
const longestRestMs = 75_000

/** How many rows there are until two of them are alike. */
const mostRows = 3

/** By how many the sizes may be off what they seem to be. */
const off = { inner: 2, outer: 3 }

/**
 * Two buckets, each of which refuses what it does not hold. Where what comes back has become
 * slower, the second is empty: how slow shows how long it takes until both are full again. After
 * such a rest it is asked one after another until refused, and on for what comes back, which is
 * soon at first, and later once the second is empty. Undefined unless two buckets may have decided
 * so upon that, and upon all that was asked before or another such row, and no single limiter.
 */
export function* twoBuckets(asking: RateAsker, known: Pace): Questions<RateLimit | undefined> {
  let slowMs = yield* slowest(asking, known)
  if (slowMs === undefined) return
  const until = asking.now
  const before = inOrder(asking.record, asking.usedBefore)
  let held = heldOf(before, until, slowMs)
  const rows: AskedOnce[][] = []
  for (let nth = 0; nth < mostRows; nth++) {
    // No two are alike, so that no window ends at the same time in each.
    const times = rest * (1 + unlike * nth)
    const restMs = times * Math.max(held * slowMs, known.mostLevel * known.spacing.to)
    if (restMs > longestRestMs) return
    const row = yield* rowAfter(asking, restMs, { known, slowMs, held })
    if (!row) return
    const about = aboutOf(row)
    const pairs = about ? pairsOf([...rows, row], about) : []
    if (about && pairs.length === 0) return
    // Who was used by others as well may have held less at first, but never more.
    const all = nth === 0 ? before : before.filter(isTaken)
    const both = pairs.filter((pair) => pairFit(all, pair))
    const fillMs = Math.max(0, ...both.map(({ outer }) => outer.size * outer.period.to))
    // What holds more than came back meanwhile looks as if it held as many as that.
    const isRested = both.length > 0 && fillMs < restMs / full
    if (isRested) rows.push(row)
    if (isRested && !isSingle(rows.flat(), slowMs)) {
      const told = said(asking, both)
      return (yield* thirdBehind(asking, told)) ?? told
    }
    slowMs = about ? about.outer.everyMs : slowMs
    held = isRested ? held : Math.max(longer * held, heldOf(before, until, slowMs))
  }
  return
}

/** How many it held at most that were accepted, less those that came back until then. */
function heldOf(before: readonly AskedOnce[], until: number, slowMs: number): number {
  const taken = before.filter(isTaken)
  const begun = Math.max(taken[0]!.sent, taken[0]!.answered)
  return taken.length - (until - begun) / slowMs
}

/** How many times as long as it takes to be full it has to have rested. */
const full = 1.04

function isTaken({ isAccepted }: AskedOnce): boolean {
  return isAccepted
}

/** How many times as long as one token takes a refusal lasts that is none of that bucket. */
const longer = 1.15

/** How many fewer it takes at once where another is not full yet, as a part of them. */
const fewer = 0.6

/** Whether what comes back is that much slower than it was, or as much less. */
export function isLess(now: Pace, before: Pace): boolean {
  const isGradual = now.isGradual && before.isGradual
  const isSlow = now.spacing.from > slower * before.spacing.to
  return isGradual && (isSlow || now.mostLevel < fewer * before.mostLevel)
}

/** How many refusals in a row were as long where what comes back has become slower. */
const inRow = 4

/**
 * Whether it refused for longer than one token takes, several times in a row, as no bucket does
 * that gets one every so many ms: there are two, and what comes back is as fast as neither.
 */
export function isSlower({ refusals }: RateAsker, everyMs: number): boolean {
  const last = refusals.empty.slice(-inRow)
  return last.length === inRow && last.every((ms) => ms > longer * everyMs + tickMs)
}

/** Whether it did so twice, whenever that was. */
export function isSlowAtTimes({ refusals }: RateAsker, everyMs: number): boolean {
  return refusals.empty.filter((ms) => ms > longer * everyMs + tickMs).length > 1
}

/** In how many ms one comes back now; undefined where that is no slower than it was. */
function* slowest(asking: RateAsker, { spacing }: Pace): Questions<number | undefined> {
  const until = asking.now + fewMs
  const leastMs = slower * middle(spacing)
  const times: number[] = []
  while (asking.now < until) {
    const { accepted, seen } = yield* asking.burst(asking.now + middle(spacing) / 10, 1)
    if (accepted === 0) continue
    times.push((seen[0]!.sent + seen[0]!.answered) / 2)
    const gaps = gapsOf(times).slice(-few)
    if (gaps.length === few && gaps.every((ms) => ms > leastMs)) return middleOf(gaps)
  }
  return
}

/** What was asked before, in order, after so many that had been accepted at some time. */
function inOrder(record: readonly Sighting[], before: number): AskedOnce[] {
  const first = record[0]?.sent ?? 0
  const used = { sent: Number.NEGATIVE_INFINITY, answered: first, isAccepted: true }
  const accepted = record.filter(({ kind }) => kind === 'accepted')
  // Whichever of those that were under way at once came first: in that order of time they came.
  const sent = accepted.map((one) => one.sent).sort((a, b) => a - b)
  const answered = accepted.map((one) => one.answered).sort((a, b) => a - b)
  const taken = sent.map((at, nth) => {
    return { sent: at - tickMs, answered: answered[nth]! + tickMs, isAccepted: true }
  })
  const refused = record
    .filter(({ kind }) => kind === 'rejected')
    .map((one) => ({ sent: one.sent - tickMs, answered: one.answered + tickMs, isAccepted: false }))
  const placed = ({ sent, answered, isAccepted }: AskedOnce) => (isAccepted ? sent : answered)
  const all = [...taken, ...refused].sort((one, other) => placed(one) - placed(other))
  return [...Array.from({ length: before }, () => used), ...all]
}

/** What is known before a row: of the second how many it holds, and how slowly they come back. */
type Expected = { known: Pace; slowMs: number; held: number }

/**
 * Asks until refused and then for whatever comes back, until that is slower for long enough.
 * Undefined where nothing was refused, or it takes too long.
 */
function* rowAfter(
  asking: RateAsker,
  restMs: number,
  { known: { mostLevel, spacing }, slowMs, held }: Expected
): Questions<AskedOnce[] | undefined> {
  const row: AskedOnce[] = []
  const times: number[] = []
  const since = asking.now + restMs
  const ask = function* (at: number, most: number): Questions<void> {
    const { seen } = yield* asking.burst(at, most, { inFlight: 1 })
    for (const { kind, sent, answered } of seen) {
      if (kind === 'unclear') continue
      if (kind === 'accepted') times.push((sent + answered) / 2)
      const isAccepted = kind === 'accepted'
      row.push({ sent: sent - tickMs, answered: answered + tickMs, isAccepted })
    }
  }
  yield* ask(since, 4 * mostLevel)
  if (row.length === 0 || row.at(-1)!.isAccepted) return
  const first = times.length
  // As many come back until the second is empty, as it gets fewer than the first meanwhile.
  const expected = (held - mostLevel) / Math.max(0.1, 1 - middle(spacing) / slowMs)
  while (asking.now < since + longestMs) {
    const gaps = gapsOf(times.slice(first))
    const lastMs = gaps.at(-1) ?? middle(spacing)
    yield* ask(asking.now + Math.min(lastMs, middle(spacing)) / 10, 1)
    const turn = turnOf(gaps)
    const isEven = turn === undefined && gaps.length > 2 * expected + 2 * tokens
    if (isEven || (turn !== undefined && gaps.length - turn > tokens)) return row
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

/** What two buckets a row seems to be of; undefined where what came back was never slower. */
function aboutOf(row: readonly AskedOnce[]): AboutPair | undefined {
  const once = row.findIndex(({ isAccepted }) => !isAccepted)
  const times = row
    .filter(({ isAccepted }) => isAccepted)
    .map(({ sent, answered }) => (sent + answered) / 2)
  const gaps = gapsOf(times.slice(once))
  const turn = turnOf(gaps)
  if (turn === undefined) return
  const [begun, firstAt, lastAt] = [times[0]!, times[once]!, times[once + turn]!]
  const innerMs = (lastAt - firstAt) / turn
  const late = times.slice(once + turn + 1)
  const outerMs = (late.at(-1)! - late[0]!) / (late.length - 1)
  const inner = once - (times[once - 1]! - begun) / innerMs
  const outer = once + turn + 1 - (lastAt - begun) / outerMs
  return {
    inner: { sizes: around(inner, off.inner), everyMs: innerMs },
    outer: { sizes: around(outer, off.outer), everyMs: outerMs }
  }
}

function around(size: number, off: number) {
  return { from: Math.round(size) - off, to: Math.round(size) + off }
}

/** How exactly a window has to be one that fits, over as many as there are, as a part of it. */
const finest = 0.0005

/** Whether one limiter alone may have decided so upon all rows. */
function isSingle(asked: readonly AskedOnce[], slowMs: number): boolean {
  const once = asked.findIndex(({ isAccepted }) => !isAccepted)
  const sizes = [once, once - 1, once - 2].filter((size) => size > 0)
  const most = asked.filter(({ isAccepted }) => isAccepted).length
  const tookMs = asked.at(-1)!.answered - asked[0]!.sent
  // In all that time no more came back than in so many windows, and no less than in a few.
  const windows = { from: (once * tookMs) / (4 * most), to: tookMs }
  const kinds = forgetting.filter(({ algorithm }) => algorithm !== 'sliding-counter')
  // Asked on, a counter gives back its size in each window, and that is how slowly it came.
  const counted = { ...windows, from: Math.max(windows.from, (once * slowMs) / slower) }
  const all = [
    ...candidatesOf([...kinds, ...counting], sizes, windows),
    ...(counted.from < counted.to ? candidatesOf(counters, sizes, counted) : [])
  ]
  return fittingOf(all, asked, finest).length > 0
}

function said({ status }: RateAsker, pairs: readonly FittedPair[]): RateLimit {
  const one = told(pairs.map(({ inner }) => inner))
  const other = told(pairs.map(({ outer }) => outer))
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
function told(buckets: readonly FittedBucket[]) {
  const sizes = buckets.map(({ size }) => size)
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)]
  const from = Math.min(...buckets.map(({ period }) => period.from))
  const to = Math.max(...buckets.map(({ period }) => period.to))
  const perSecond = 1_000 / middle({ from, to })
  const many = least === most ? `${least}` : `${least} to ${most}`
  const words = `a bucket of ${many}, ${Number(perSecond.toPrecision(3))} a second`
  return { words, perSecond, burst: least === most ? least : undefined }
}
