import { type AskedOnce, tickMs } from './fit/asked-once.ts'
import {
  candidatesOf,
  counting,
  type FittedKind,
  type FittedLimiter,
  fittingOf,
  forgetting,
  windowOfAll
} from './fit/candidates.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Questions, type RateAsker, tarpitMs } from './rate-question.ts'
import { inMs, middle } from './rate-span.ts'

/** Of fewer, kinds that count what they refused cannot be told apart. */
const leastLevel = 5

/** What is over sooner is no window, in ms. */
const leastMs = 300

/** How long it rests, and how long a window may be, as parts of the first refusal. */
const rest = 2.2
const windows = { from: 0.3, to: 1.6, forgetting: 4 }

/** How well a window has to be known, as a part of it. */
const sharp = 0.03

/** How often it is left in peace and asked again, at least and at most. */
const rounds = { least: 6, most: 24 }

/** How long all that takes, by how long the first refusal was. */
const usually = 7

/** Of how long a silence is, by windows, where it is not the end of one that is looked for. */
const silences = [1.2, 1.55, 1.35, 1.75]

/** Neither a bucket nor a ban is told here, but that it may be one keeps others from being told. */
const told: readonly FittedKind['algorithm'][] = ['sliding-log', 'sliding-counter']

/**
 * What came back after a refusal: how many, what asking for them took, after how long, and for how
 * long nothing was asked before it, in ms.
 */
type Regained = { accepted: number; tookMs: number; waitedMs: number; silentMs: number }

/**
 * Whether what came back is like no limiter that forgets what it refused: while such a one is asked
 * a part comes back at a pace that stays the same, after a first time that may be longer. Where
 * what was refused counts, it depends on when that was.
 */
export function isPartly(cycles: readonly Regained[], level: number): boolean {
  const [one, other] = cycles as [Regained, Regained?]
  if (level < leastLevel || one.waitedMs < leastMs) return false
  const last = cycles.at(-1)!
  const [isPart, isLater] = [one.accepted < mostPart * level, other !== undefined]
  // Of a counter no more than all come back in a window, which is longer than it was waited for.
  if (!isLater) return isPart && one.accepted >= 3 && isMore(one, one.waitedMs / level)
  if (cycles.length === 2) {
    const isAsLong = other!.waitedMs > 0.4 * one.waitedMs
    const isEither = [one, other!].some((cycle) => isMore(cycle, other!.waitedMs))
    return isPart && isAsLong && isEither && other!.accepted < mostPart * level
  }
  const pace = ({ accepted, waitedMs }: Regained) => accepted / waitedMs
  const before = Math.max(...cycles.slice(1, -1).map(pace))
  if (isPart) return last.accepted >= 3 && pace(last) > 3 * before
  // Nor does such a one give back another number each time.
  const counts = cycles.map(({ accepted }) => accepted)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return new Set(counts).size >= 3 && least >= 3 && most > 1.4 * least
}

/** What part of as many as at first is not all of them. */
const mostPart = 0.7

/** Whether it is more than come back at such a pace in silence and while it is asked again. */
function isMore({ accepted, silentMs, tookMs }: Regained, everyMs: number): boolean {
  return accepted > 1.5 + (silentMs + 2.2 * tookMs) / everyMs
}

/**
 * Finds out whether that is so, and which limiter it is then, by what was `asked` already after a
 * rest, one after another, and by more; see `decided`.
 */
export function* allCounted(
  asking: RateAsker,
  cycles: readonly Regained[],
  { once, asked }: { once: number; asked: AskedOnce[] }
): Questions<RateLimit | undefined> {
  const { decidedAt } = asking
  const waitedMs = Math.max(...cycles.slice(0, 2).map((cycle) => cycle.waitedMs))
  const found = yield* decided(asking, waitedMs, { once, asked })
  asking.decidedAt = decidedAt
  return found
}

/**
 * A log or a counter that counts what it refused as well. What such a one does depends on all that
 * it was asked, and on no answer, so that after a rest everything is known of it but its window: it
 * is asked one after another, left in peace, and asked again, and of all windows and kinds those
 * are left that may have decided so upon everything. Undefined where one that forgets what it
 * refused may have, or where none is left, or none of a size that is known.
 */
function* decided(
  asking: RateAsker,
  waitedMs: number,
  { once, asked }: { once: number; asked: AskedOnce[] }
): Questions<RateLimit | undefined> {
  const { soFar } = asking
  asking.soFar = { ...soFar, because: `${soFar.because}: perhaps what it refuses counts as well` }
  // It rests, and a window is no longer than it took until one was accepted.
  asking.decidedAt = asking.now + (rest + usually) * waitedMs
  const burst = function* (at: number, most: number, inFlight = 1): Questions<number> {
    const { seen, accepted } = yield* asking.burst(at, most, { inFlight })
    for (const { kind, sent, answered } of seen) {
      if (kind === 'unclear') continue
      const isAccepted = kind === 'accepted'
      // A refusal that is held back was decided upon as soon as an acceptance is.
      const heldMs = isAccepted || !tarpitMs(asking) ? Number.POSITIVE_INFINITY : asking.acceptedMs
      const by = Math.min(answered, sent + heldMs)
      asked.push({ sent: sent - tickMs, answered: by + tickMs, isAccepted })
    }
    return accepted
  }
  // Who takes more than that, one after another, is asked too slowly to be told anything.
  const many = 3 * once
  if (asked.length === 0) yield* burst(asking.now + rest * waitedMs, many)
  const level = asked.findIndex(({ isAccepted }) => !isAccepted)
  // Where not all is back, it takes longer than that, and that tells nothing.
  if (level < Math.max(leastLevel, 0.9 * once)) return
  let left = fittingOf(countingOf(level, waitedMs), asked)
  let others = forgettingOf(level, waitedMs)
  if (left.length === 0) return
  for (let round = 0; round < rounds.most; round++) {
    const since = asking.now
    const { silenceMs, isDisturbed } = silenceOf(left, round, asked)
    if (isDisturbed) {
      const extra = Math.ceil(0.6 * level)
      // Where each refusal is long in coming, one after another would take too long.
      const atOnce = tarpitMs(asking) ? extra : 1
      for (let nth = 0; nth < extra; nth += atOnce) {
        yield* burst(Math.max(asking.now, since + 0.4 * silenceMs), atOnce, atOnce)
      }
    }
    yield* burst(since + silenceMs, many)
    left = fittingOf(left, asked)
    if (left.length === 0) return
    if (round + 1 < rounds.least) continue
    others = fittingOf(others, asked)
    if (others.length > 0) continue
    asking.soFar = countedOf(asking, left, { level, round })
    const window = windowOfAll(left)
    const [{ kind, size }] = left as [FittedLimiter]
    const isOne = left.every((one) => one.size === size && one.kind.algorithm === kind.algorithm)
    const isSharp = window.to - window.from <= sharp * window.to + 2 * tickMs
    if (isOne && isSharp && told.includes(kind.algorithm)) {
      return foundOf(asking, left, { level: size, round })
    }
  }
  return
}

/** Those whose state depends on all that they were asked. */
function countingOf(level: number, waitedMs: number): FittedLimiter[] {
  const span = { from: windows.from * waitedMs, to: windows.to * waitedMs }
  return counting.flatMap((kind) => candidatesOf([kind], sizesOf(kind, level), span))
}

/** Those who forget what they refused, of whose window it may have been waited for a part only. */
function forgettingOf(level: number, waitedMs: number): FittedLimiter[] {
  const span = { from: windows.from * waitedMs, to: windows.forgetting * waitedMs }
  return forgetting.flatMap((kind) => candidatesOf([kind], sizesOf(kind, level), span))
}

/** Of a bucket some came back while it was emptied, of a counter one as a window ended. */
function sizesOf({ algorithm }: FittedKind, level: number): number[] {
  if (algorithm === 'token-bucket') return [level, level - 1, level - 2]
  return algorithm === 'sliding-counter' ? [level, level - 1] : [level]
}

/**
 * For how long to leave it in peace, in ms, and whether more is asked on the way, which one who
 * forgets what it refused does not mind: a log gives back all at once, a counter by and by.
 */
function silenceOf(left: readonly FittedLimiter[], round: number, asked: readonly AskedOnce[]) {
  const counted = left.filter(({ kind }) => told.includes(kind.algorithm))
  const isStep = counted.every(({ kind }) => kind.algorithm === 'sliding-log')
  const windowMs = middle(windowOfAll(counted.length > 0 ? counted : left))
  const isDisturbed = round % 2 === 1 && (!isStep || round < rounds.least)
  if (!isStep) return { isDisturbed, silenceMs: silences[round % silences.length]! * windowMs }
  if (isDisturbed) return { isDisturbed, silenceMs: 1.25 * windowMs }
  // What was taken first of the last ones counts until a window later.
  const last = asked.findLastIndex(({ isAccepted }) => isAccepted)
  const before = asked.findLastIndex(({ isAccepted }, index) => index < last && !isAccepted)
  const goneMs = asked.at(-1)!.sent - asked[before + 1]!.sent
  return { isDisturbed, silenceMs: goneMs < 0.98 * windowMs ? windowMs - goneMs : windowMs }
}

type Told = { level: number; round: number }

/** What is said where all that it was asked counts, but not yet how long. */
function countedOf(
  asking: RateAsker,
  left: readonly FittedLimiter[],
  { level, round }: Told
): RateLimit {
  const { from, to } = windowOfAll(left)
  const names = new Set(left.map(({ kind }) => words[kind.algorithm]))
  const because =
    `refused requests count as well: after ${level.toLocaleString('en')} at once it answers as ` +
    `${[...names].join(' or ')} of ${inMs(from)} to ${inMs(to)} would`
  const repeats = `${round + 1}/${round + 1}`
  return { algorithm: 'unclear', countsRefused: true, status: asking.status, because, repeats }
}

const words: Record<FittedKind['algorithm'], string> = {
  'fixed-window': 'a fixed window',
  'sliding-log': 'a sliding log',
  'sliding-counter': 'a sliding counter',
  'token-bucket': 'a bucket',
  other: 'a ban'
}

function foundOf(asking: RateAsker, left: readonly FittedLimiter[], told: Told): RateLimit {
  const { level, round } = told
  const [{ kind }] = left as [FittedLimiter]
  const windowMs = middle(windowOfAll(left))
  const isOwn = left.some((one) => one.kind.anchor === 'first-request')
  const from = isOwn ? 'the first request' : 'the clock'
  const counter =
    `counted by windows of ${inMs(windowMs)} from ${from} on, the one before by what part of it ` +
    'is no older than that'
  const each = `each again ${inMs(windowMs)} after it was asked for`
  const how = kind.algorithm === 'sliding-log' ? each : counter
  const because =
    `after ${level.toLocaleString('en')} at once, ${how}; refused requests count as well, ` +
    'so that who asks on as fast is never let through'
  return {
    ...{ algorithm: kind.algorithm as 'sliding-log' | 'sliding-counter', countsRefused: true },
    ...{ burst: level, perSecond: (1_000 * level) / windowMs, windowMs },
    ...{ status: asking.status, because, repeats: `${round + 1}/${round + 1}` }
  }
}
