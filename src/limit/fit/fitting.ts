import type { Span } from '../rate-span.ts'
import { type AskedOnce, type Fit, tickMs } from './asked-once.ts'
import { bucketFit, soonestParts, soonestSteps, tickedBucketFit } from './bucket-fit.ts'
import { counterFit, ownCounterFit } from './counter-fit.ts'
import { logFit } from './log-fit.ts'
import type { FittingLimiter, StatedLimiter, WindowedAlgorithm } from './stated-limiter.ts'
import { told } from './told.ts'
import { anchoredFit, clockFit } from './window-fit.ts'

/** What comes of holding what was asked against a stated limiter. */
export type FittingResult = {
  verdict: 'holds' | 'fails' | 'open'
  /** Whether more questions may yet change a verdict: another kind of clock would explain it. */
  isDoubtful: boolean
  saw: string
}

/** One kind; what is not known of its period adds up in it where a rest ends nothing. */
type Model = { algorithm: WindowedAlgorithm; fits: Fit; isLasting?: true }

const exact: readonly Model[] = [
  { algorithm: 'fixed-window', fits: anchoredFit },
  { algorithm: 'fixed-window', fits: clockFit, isLasting: true },
  { algorithm: 'sliding-log', fits: logFit },
  { algorithm: 'sliding-counter', fits: counterFit, isLasting: true },
  { algorithm: 'sliding-counter', fits: ownCounterFit, isLasting: true },
  { algorithm: 'token-bucket', fits: bucketFit }
]

const ticked: Model = { algorithm: 'token-bucket', fits: tickedBucketFit }

/** Those that may know whole seconds only. */
const inSeconds: readonly Model[] = [
  { algorithm: 'fixed-window', fits: anchoredFit },
  { algorithm: 'sliding-log', fits: logFit }
]

/** What part of a unit a stated rate may be off, a rival has to be, and one of another kind is. */
const parts = { stated: 0.4, excluded: 0.85, alike: 0.15 }

/** How far away rivals are looked for, in units, and by what part of one they are apart. */
const rivals = { units: 3, step: 1 / 6 }

/** What part of itself a rate may be off at most, and at least, to be no other. */
const units = { most: 0.1, least: 0.01 }

/**
 * What part of itself a rate has to be off to be another: one a second of a bucket's, but never
 * more than a tenth, nor less than a hundredth; a tenth of a window.
 */
export function unitOf({ algorithm, burst, windowMs }: StatedLimiter): number {
  if (algorithm !== 'token-bucket') return units.most
  return Math.min(units.most, Math.max(units.least, windowMs / burst / 1_000))
}

/**
 * Holds what was asked against a stated limiter: it fails where no time at which each question may
 * have been decided upon lets it answer so, and holds where besides none does that is a unit off in
 * burst or rate, or that is of another kind with the same numbers.
 */
export function fitting(stated: StatedLimiter, seen: readonly AskedOnce[]): FittingResult {
  const asked = seen.map((one) => {
    return { ...one, sent: one.sent - tickMs, answered: one.answered + tickMs }
  })
  const { algorithm, burst } = stated
  const unit = unitOf(stated)
  const isStated = (one: FittingLimiter, part: number) => {
    const isNear = one.off.from <= part * unit && one.off.to >= -part * unit
    return one.algorithm === algorithm && one.burst === burst && isNear
  }
  const fitsStated = (all: readonly FittingLimiter[]) =>
    all.some((one) => isStated(one, parts.stated))
  const own = exact.filter((model) => model.algorithm === algorithm)
  const others = exact.filter((model) => model.algorithm !== algorithm)
  const ofOwn = candidates(own, stated, asked, rivals.units)
  // Of a clock of its own is only thought where nothing simpler would do.
  const byClocks = fitsStated(ofOwn) ? [] : clockCandidates(stated, asked, ofOwn.length > 0)
  const fitted = [ofOwn, ...byClocks].find((all) => all.length > 0) ?? []
  if (!fitsStated(fitted)) {
    const isDoubtful = byClocks.some(fitsStated) && !isBeyondLuck(stated, asked, fitted)
    const wide = () => candidates(others, stated, asked, rivals.units)
    const likely = told(fitted.length > 0 ? fitted : wide(), stated)
    const saw = isDoubtful ? `${likely}, or ${burst} by a clock of its own` : likely
    return { verdict: isDoubtful ? 'open' : 'fails', isDoubtful, saw }
  }
  const isNear = fitted.every((one) => isStated(one, parts.excluded))
  // Where one is let through at a time, kinds do not differ.
  const isAlone = !isNear || burst === 1
  const alike = isAlone ? [] : candidates(others, stated, asked, parts.alike)
  const saw = told([...fitted, ...alike], stated)
  const verdict = isNear && alike.length === 0 ? 'holds' : 'open'
  return { verdict, isDoubtful: false, saw }
}

/** How seldom what was seen has to come by chance to be none. */
const seldom = 1e-4

/**
 * A bucket of one more looks like one whose clock was lucky each time: its first token came at
 * once. Whether that is too much luck for so many rounds; of no other than a bucket it is any.
 */
function isBeyondLuck(
  stated: StatedLimiter,
  asked: readonly AskedOnce[],
  fitted: readonly FittingLimiter[]
): boolean {
  if (stated.algorithm !== 'token-bucket' || fitted.length === 0) return false
  const { burst, windowMs } = stated
  const periods = fitted.map(({ off: { from, to } }) => {
    return { from: ((1 + from) * windowMs) / burst, to: ((1 + to) * windowMs) / burst }
  })
  const rounds = roundsOf(asked, windowMs)
  const late = Math.min(...soonestParts(rounds, burst, periods))
  return Math.max(1 / soonestSteps, 1 - late) ** rounds.length < seldom
}

/** What was asked from one rest to the next. */
function roundsOf(asked: readonly AskedOnce[], restMs: number): AskedOnce[][] {
  const rounds: AskedOnce[][] = []
  for (const [index, one] of asked.entries()) {
    const before = asked[index - 1]
    if (!before || one.sent - before.answered > restMs) rounds.push([one])
    else rounds.at(-1)!.push(one)
  }
  return rounds
}

/**
 * What part of a period may have added up, where it does, until the last question: less where that
 * tells another kind, and no less of a counter's own, of which there are many that fit.
 */
const drift = { other: { most: 0.004, times: 128 }, own: { most: 0.03, times: 16 } }

/** Those of some kinds that fit, up to so many units away; other sizes only of its own kind. */
function candidates(
  models: readonly Model[],
  stated: StatedLimiter,
  asked: readonly AskedOnce[],
  within: number
): FittingLimiter[] {
  const step = rivals.step * unitOf(stated)
  const count = Math.ceil(within / rivals.step)
  // A window may have ended between two that were asked at once, and a refusal changes nothing.
  const inOrder = asked.filter(({ isBeside }) => !isBeside)
  const periods = ((asked.at(-1)?.sent ?? 0) - (asked[0]?.sent ?? 0)) / stated.windowMs
  return models.flatMap(({ algorithm, fits, isLasting }) => {
    const tokens = algorithm === 'token-bucket' ? stated.burst : 1
    // Of a bucket it adds up as well, by each token from one rest to the next.
    const { most, times: finest } =
      drift[algorithm === 'sliding-counter' && algorithm === stated.algorithm ? 'own' : 'other']
    const finer = Math.min(finest, Math.max(1, Math.ceil((step * periods) / most)))
    const times = isLasting ? finer : algorithm === 'token-bucket' ? drift.own.times : 1
    const at = (place: number) => (place - count - 0.5) * step
    const length = (part: number) => ((1 + part) * stated.windowMs) / tokens
    return sizesOf(algorithm, stated).flatMap((burst) => {
      const isFit = ({ from, to }: Span) => {
        const all = algorithm === 'token-bucket' ? asked : inOrder
        return fits(all, burst, { from: length(from), to: length(to) })
      }
      const offs = between(at(0), at(2 * count + 1), 2 * count + 1)
      return offs
        .flatMap((off) => fitsIn(off, times, isFit))
        .map((off) => ({ algorithm, burst, off }))
    })
  })
}

/** Those parts of a span that fit: what does not fit as a whole has none that does. */
function fitsIn(whole: Span, times: number, isFit: (one: Span) => boolean): Span[] {
  if (!isFit(whole)) return []
  if (times <= 1) return [whole]
  return between(whole.from, whole.to, 2).flatMap((half) => fitsIn(half, times / 2, isFit))
}

/** The parts of a span, each as long as any other. */
function between(from: number, to: number, count: number): Span[] {
  const at = (place: number) => from + (place / count) * (to - from)
  return Array.from({ length: count }, (_, nth) => ({ from: at(nth), to: at(nth + 1) }))
}

function sizesOf(algorithm: WindowedAlgorithm, stated: StatedLimiter): number[] {
  const { burst } = stated
  const sizes = algorithm === stated.algorithm ? [burst, burst - 1, burst + 1] : [burst]
  return sizes.filter((size) => size > 0)
}

/** Every how many ms a clock may be read: by a timer, or as a loop comes round. */
const clocksMs = [5, 20, 50, 100]

/** In so many places between two whole seconds a clock of theirs may stand. */
const secondPlaces = 20

/** By how much a window may seem longer or shorter that is one of whole seconds, in ms. */
const secondMs = 600

/**
 * Those of the stated kind that fit with a clock of their own, the finest first: one that is read
 * every so many ms, one by which each token comes, or one of whole seconds; and where none of all
 * that fits, and nothing does without (`hasOwn`), one so coarse that others would fit as well.
 */
function clockCandidates(
  stated: StatedLimiter,
  asked: readonly AskedOnce[],
  hasOwn: boolean
): FittingLimiter[][] {
  const { algorithm, burst, windowMs } = stated
  const isBucket = algorithm === 'token-bucket'
  // One alone is seen as it comes, whatever clock it comes by.
  const part = burst === 1 ? parts.stated * units.most : 0.6
  const fineMs = isBucket ? (part * windowMs) / burst : (units.most * windowMs) / 4
  const own = exact.filter((model) => model.algorithm === algorithm)
  const read = (everyMs: number) => {
    // As it knows the time, a question may have come so much sooner than it was sent.
    const sooner = asked.map((one) => ({ ...one, sent: one.sent - everyMs }))
    return candidates(own, stated, sooner, rivals.units)
  }
  const isFine = (ms: number) => ms <= fineMs
  const coarse = isBucket
    ? candidates([ticked], stated, asked, rivals.units)
    : secondCandidates(stated, asked)
  const all = [...clocksMs.filter(isFine).map(read), coarse]
  if (hasOwn || all.some((one) => one.length > 0)) return all
  return clocksMs.filter((ms) => !isFine(ms)).map(read)
}

function secondCandidates(stated: StatedLimiter, asked: readonly AskedOnce[]): FittingLimiter[] {
  const { algorithm, windowMs } = stated
  const furthest = Math.max(secondMs, rivals.units * units.most * windowMs)
  const least = Math.max(1, Math.ceil((windowMs - furthest) / 1_000))
  const count = Math.max(0, Math.floor((windowMs + furthest) / 1_000) - least + 1)
  const periods = Array.from({ length: count }, (_, nth) => 1_000 * (least + nth))
  const models = inSeconds.filter((model) => model.algorithm === algorithm)
  const byPlace = models.length === 0 ? [] : wholeSeconds(asked)
  return models.flatMap(({ fits }) => {
    return sizesOf(algorithm, stated).flatMap((burst) => {
      return periods.flatMap((ms): FittingLimiter[] => {
        const part = Math.abs(ms - windowMs) <= secondMs ? 0 : ms / windowMs - 1
        const isFit = byPlace.some((place) => fits(place, burst, { from: ms, to: ms }))
        return isFit ? [{ algorithm, burst, off: { from: part, to: part } }] : []
      })
    })
  })
}

/** What was asked as one sees it that knows whole seconds only, wherever those begin. */
function wholeSeconds(asked: readonly AskedOnce[]): AskedOnce[][] {
  return Array.from({ length: secondPlaces }, (_, place) => {
    const shift = (place * 1_000) / secondPlaces
    const later = shift + 1_000 / secondPlaces
    return asked.map(({ sent, answered, isAccepted }) => ({
      sent: 1_000 * Math.floor((sent + shift) / 1_000),
      answered: 1_000 * Math.floor((answered + later) / 1_000),
      isAccepted
    }))
  })
}
