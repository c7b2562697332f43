import { type AskedOnce, tickMs } from './fit/asked-once.ts'
import {
  candidatesOf,
  counters,
  counting,
  type FittedLimiter,
  fittingOf,
  forgetting,
  windowOfAll
} from './fit/candidates.ts'
import { reason } from './rate-finding.ts'
import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { middle, type Span } from './rate-span.ts'
import { leastOwn } from './rate-trial.ts'

/** For how many times as long as one takes to come back none does after a rest, at least. */
const longer = 3

/** For how many windows none comes back at most. */
const longest = 1.4

/** Of a longer window there is no time for as many rests, in ms. */
const longestMs = 12_000

/** Of more at once all kinds and windows take seconds of processor time to be held against it. */
const mostAtOnce = 200

/** How long it rests at first, where its window is not known, and later, in windows. */
const rests = { first: 2.2, later: 2.05 }

/** How many rounds there are, at least and at most, and how well its window has to be known. */
const rounds = { least: 2, most: 4 }
const sharp = 0.03

/**
 * For how many windows each goes on, how many have to come back, for how long that may take at most
 * and the first of them, and in how many steps a window is asked for that.
 */
const back = { windows: 1.75, least: 6, most: 2.6, first: 1.5, steps: 24 }

/** How long a window may be, as parts of what it seems to be. */
const windows = { from: 0.6, to: 1.5, others: 4 }

const others = [...forgetting, ...counting].filter(
  ({ algorithm, countsRefused }) => algorithm !== 'sliding-counter' || countsRefused
)

/**
 * Whether it may be a counter: little came back at a time, and none for long after it had rested,
 * as of no bucket.
 */
export function isLikeCounter({ refusals }: RateAsker, known: Pace): boolean {
  const { isGradual, spacing, mostLevel } = known
  const longMs = Math.max(0, ...refusals.empty)
  const windowMs = mostLevel * spacing.to
  // Nor is one refused for much longer than its window.
  const isLong = longMs > longer * spacing.to && longMs < longest * windowMs
  const isMany = mostLevel >= leastOwn && mostLevel <= mostAtOnce
  return isGradual && isMany && isLong && windowMs < longestMs
}

/** What a counter seems to be before it is looked for, and what it was asked in rounds. */
type About = { least: number; level: number; spacingMs: number; longMs: number; asked: AskedOnce[] }

/**
 * A sliding counter that forgets what it refused, by rounds: each rests until all is forgotten,
 * asks one after another until refused, and on for what comes back. Of all kinds and windows those
 * are kept that may have decided so upon everything. Undefined where none of these is left, or too
 * many: then it is something else.
 */
export function* slidingCounter(
  asking: RateAsker,
  { least, level: most, spacingMs, longMs, asked }: About
): Questions<RateLimit | undefined> {
  const aboutMs = Math.max(most * spacingMs, longMs)
  let [left, besides]: FittedLimiter[][] = [[], []]
  let windowMs = aboutMs
  for (let nth = 0; nth < rounds.most; nth++) {
    const restMs = (nth === 0 ? rests.first : rests.later + 0.37 * nth) * windowMs
    const level = yield* round(asking, asked, { restMs, windowMs, spacingMs })
    if (level === undefined || level < least) return
    if (nth === 0) {
      const [from, to] = [windows.from * aboutMs, windows.to * aboutMs]
      left = candidatesOf(counters, [level, level - 1], { from, to })
      besides = candidatesOf(others, [level, level - 1, level - 2], {
        from,
        to: windows.others * aboutMs
      })
    }
    left = fittingOf(left, asked)
    if (left.length === 0) return
    windowMs = restedBy(left)
    besides = fittingOf(besides, asked)
    const limit = besides.length === 0 ? limitOf(asking, left, nth + 1) : undefined
    if (limit && nth + 1 >= rounds.least) return limit
  }
  return
}

/** What came back after a refusal: how many, after how long in ms, and when that was seen. */
type Regained = { accepted: number; waitedMs: number; release: Span }

/**
 * The same where it is not known yet how what it gives back comes. What was asked for that, in
 * order, is added to `asked`, as it may be of one that counts what it refused, too.
 */
export function* counterAtFirst(
  asking: RateAsker,
  cycles: readonly Regained[],
  { least, level, asked }: { least: number; level: number; asked: AskedOnce[] }
): Questions<Pace | undefined> {
  const longMs = Math.max(...cycles.slice(0, 2).map(({ waitedMs }) => waitedMs))
  if (level < leastOwn || level > mostAtOnce || longMs > longestMs) return
  const about = { least, level, spacingMs: longMs / level, longMs, asked }
  const told = yield* slidingCounter(asking, about)
  if (!told) return
  const { burst = level, perSecond = 1 } = told
  const spacing = { from: 1_000 / perSecond, to: 1_000 / perSecond }
  return {
    ...{ level: burst, mostLevel: burst, isGradual: true, isMeasured: true, told },
    ...{ counts: cycles.map(({ accepted }) => accepted), spacing, ownSpacing: spacing, tookMs: 0 },
    reference: cycles[0]!.release
  }
}

/** By which window it rests: what a clock's may be is told by when it is asked next. */
function restedBy(left: readonly FittedLimiter[]): number {
  const own = left.filter(({ kind }) => kind.anchor === 'first-request')
  return own.length > 0 ? windowOfAll(own).to : middle(windowOfAll(left))
}

/**
 * One round, which adds what was asked: how many were accepted at once. Undefined where it takes
 * too long to ask, or for anything to come back.
 */
function* round(
  asking: RateAsker,
  asked: AskedOnce[],
  { restMs, windowMs, spacingMs }: { restMs: number; windowMs: number; spacingMs: number }
): Questions<number | undefined> {
  let [accepted, refused, regained] = [0, false, 0]
  const since = asking.now + restMs
  const ask = function* (at: number, most: number): Questions<void> {
    const { seen } = yield* asking.burst(at, most, { inFlight: 1 })
    for (const { kind, sent, answered } of seen) {
      if (kind === 'unclear') continue
      const isAccepted = kind === 'accepted'
      if (isAccepted) refused ? regained++ : accepted++
      refused ||= !isAccepted
      asked.push({ sent: sent - tickMs, answered: answered + tickMs, isAccepted })
    }
  }
  yield* ask(since, Number.POSITIVE_INFINITY)
  if (asking.now > since + windowMs / 2) return
  for (let goneMs = 0; regained < back.least || goneMs < back.windows * windowMs; ) {
    goneMs = asking.now - since
    if (goneMs > back.most * windowMs) return
    // Who counts what it refused never lets any through while it is asked.
    if (regained === 0 && goneMs > back.first * windowMs) return
    yield* ask(asking.now + (regained > 0 ? spacingMs / 8 : windowMs / back.steps), 1)
  }
  return accepted
}

/** The counter that all of those are, where its size is one and its window is known. */
function limitOf(
  { status }: RateAsker,
  left: readonly FittedLimiter[],
  nth: number
): RateLimit | undefined {
  const [{ size, kind }] = left as [FittedLimiter]
  const window = windowOfAll(left)
  if (left.some((one) => one.size !== size)) return
  if (window.to - window.from > sharp * window.to + 2 * tickMs) return
  const windowMs = middle(window)
  const isOne = left.every((one) => one.kind.anchor === kind.anchor)
  const isOwn = isOne && kind.anchor === 'first-request'
  const name = isOwn ? 'own-counter' : 'sliding-counter'
  return {
    ...{ algorithm: 'sliding-counter', burst: size, perSecond: (1_000 * size) / windowMs },
    ...{ windowMs, status, because: reason(name, [size, size], windowMs) },
    repeats: `${nth}/${nth}`
  }
}
