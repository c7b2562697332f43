import type { Span } from '../rate-span.ts'
import type { AskedOnce, Fit } from './asked-once.ts'
import { bucketFit, tickedBucketFit } from './bucket-fit.ts'
import { counterFit, ownCounterFit } from './counter-fit.ts'
import { logFit } from './log-fit.ts'
import { anchoredFit, clockFit } from './window-fit.ts'

/** The limiters that let so many through at once, and then refuse. */
export type WindowedAlgorithm = 'fixed-window' | 'sliding-log' | 'sliding-counter' | 'token-bucket'

/** A limit on the rate as it is stated. */
export type StatedLimiter = {
  algorithm: WindowedAlgorithm
  /** How many are accepted at once after a rest. */
  burst: number
  /** Milliseconds of the window; of a token bucket, the time in which it fills. */
  windowMs: number
}

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
  { algorithm: 'sliding-counter', fits: ownCounterFit },
  { algorithm: 'token-bucket', fits: bucketFit }
]

const ticked: Model = { algorithm: 'token-bucket', fits: tickedBucketFit }

/** Those that may know whole seconds only. */
const inSeconds: readonly Model[] = [
  { algorithm: 'fixed-window', fits: anchoredFit },
  { algorithm: 'sliding-log', fits: logFit }
]

/** By how many ms a clock may be off that is read now and then. */
const tickMs = 1.5

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
  const asked = seen.map(({ sent, answered, isAccepted }) => {
    return { sent: sent - tickMs, answered: answered + tickMs, isAccepted }
  })
  const { algorithm, burst } = stated
  const unit = unitOf(stated)
  const isStated = (one: Candidate, part: number) => {
    const isNear = one.off.from <= part * unit && one.off.to >= -part * unit
    return one.algorithm === algorithm && one.burst === burst && isNear
  }
  const fitsStated = (all: readonly Candidate[]) => all.some((one) => isStated(one, parts.stated))
  const own = exact.filter((model) => model.algorithm === algorithm)
  const others = exact.filter((model) => model.algorithm !== algorithm)
  const ofOwn = candidates(own, stated, asked, rivals.units)
  const byClocks = fitsStated(ofOwn) ? [] : clockCandidates(stated, asked)
  // Of a clock of its own is only thought where nothing simpler would do.
  const fitted = ofOwn.length > 0 ? ofOwn : byClocks
  if (!fitsStated(fitted)) {
    const isDoubtful = fitsStated(byClocks)
    const wide = () => candidates(others, stated, asked, rivals.units)
    const saw = told(fitted.length > 0 ? fitted : wide(), stated)
    // A bucket of one more looks like one whose clock was lucky each time, but for the rate: luck
    // would have one more and fewer a second. A window does not.
    const isLucky = algorithm !== 'token-bucket' || !ofOwn.some(isOfStatedRate)
    const isOpen = isDoubtful && isLucky
    return { verdict: isOpen ? 'open' : 'fails', isDoubtful, saw }
  }
  const isNear = fitted.every((one) => isStated(one, parts.excluded))
  // Where one is let through at a time, kinds do not differ.
  const isAlone = !isNear || burst === 1
  const alike = isAlone ? [] : candidates(others, stated, asked, parts.alike)
  const saw = told([...fitted, ...alike], stated)
  const verdict = isNear && alike.length === 0 ? 'holds' : 'open'
  return { verdict, isDoubtful: false, saw }
}

const isOfStatedRate = ({ off }: Candidate) => off.from <= 0 && off.to >= 0

/** A limiter that fits, and by what part of itself its period is off what is stated. */
type Candidate = { algorithm: WindowedAlgorithm; burst: number; off: Span }

/** What part of a period may have added up, where it does, until the last question. */
const drift = { most: 0.03, times: 16 }

/** Those of some kinds that fit, up to so many units away; other sizes only of its own kind. */
function candidates(
  models: readonly Model[],
  stated: StatedLimiter,
  asked: readonly AskedOnce[],
  within: number
): Candidate[] {
  const step = rivals.step * unitOf(stated)
  const count = Math.ceil(within / rivals.step)
  const periods = ((asked.at(-1)?.sent ?? 0) - (asked[0]?.sent ?? 0)) / stated.windowMs
  const finer = Math.min(drift.times, Math.max(1, Math.ceil((step * periods) / drift.most)))
  return models.flatMap(({ algorithm, fits, isLasting }) => {
    const tokens = algorithm === 'token-bucket' ? stated.burst : 1
    const times = isLasting ? finer : 1
    const at = (place: number) => (place - count - 0.5) * step
    const length = (part: number) => ((1 + part) * stated.windowMs) / tokens
    return sizesOf(algorithm, stated).flatMap((burst) => {
      const isFit = ({ from, to }: Span) => {
        return fits(asked, burst, { from: length(from), to: length(to) })
      }
      // What does not fit as a whole has no part that does.
      const offs = between(at(0), at(2 * count + 1), 2 * count + 1).filter(isFit)
      const fine = offs.flatMap(({ from, to }) => between(from, to, times))
      return (times > 1 ? fine.filter(isFit) : offs).map((off) => ({ algorithm, burst, off }))
    })
  })
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

/** In so many places between two whole seconds a clock of theirs may stand. */
const secondPlaces = 20

/** By how much a window may seem longer or shorter that is one of whole seconds, in ms. */
const secondMs = 600

/** Those of the stated kind that fit with a clock of their own: of tokens, or of whole seconds. */
function clockCandidates(stated: StatedLimiter, asked: readonly AskedOnce[]): Candidate[] {
  const { algorithm, windowMs } = stated
  if (algorithm === 'token-bucket') return candidates([ticked], stated, asked, rivals.units)
  const furthest = Math.max(secondMs, rivals.units * units.most * windowMs)
  const least = Math.max(1, Math.ceil((windowMs - furthest) / 1_000))
  const count = Math.max(0, Math.floor((windowMs + furthest) / 1_000) - least + 1)
  const periods = Array.from({ length: count }, (_, nth) => 1_000 * (least + nth))
  const models = inSeconds.filter((model) => model.algorithm === algorithm)
  const byPlace = models.length === 0 ? [] : wholeSeconds(asked)
  return models.flatMap(({ fits }) => {
    return sizesOf(algorithm, stated).flatMap((burst) => {
      return periods.flatMap((ms): Candidate[] => {
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

/** What fits, in words: the kinds, how many at once, and how long it takes. */
function told(all: readonly Candidate[], stated: StatedLimiter): string {
  const words = stated.algorithm.replace('-', ' ')
  if (all.length === 0) return `as no ${words} of about ${stated.burst} does`
  const kinds = [...new Set(all.map(({ algorithm }) => algorithm))]
  return kinds.map((kind) => oneTold(kind, all, stated)).join(', or ')
}

function oneTold(
  kind: WindowedAlgorithm,
  all: readonly Candidate[],
  { burst, windowMs }: StatedLimiter
): string {
  const own = all.filter(({ algorithm }) => algorithm === kind)
  const bursts = own.map((one) => one.burst)
  const [least, most] = [Math.min(...bursts), Math.max(...bursts)]
  const from = (1 + Math.min(...own.map(({ off }) => off.from))) * windowMs
  const to = (1 + Math.max(...own.map(({ off }) => off.to))) * windowMs
  const many = least === most ? `${least}` : `${least} to ${most}`
  const perSecond = [(1_000 * burst) / to, (1_000 * burst) / from]
  const span = kind === 'token-bucket' ? perSecond : [from / 1_000, to / 1_000]
  const [low, high] = span.map((value) => Number(value.toPrecision(3)))
  const unit = kind === 'token-bucket' ? 'a second' : 's'
  const long = kind === 'token-bucket' ? 'then' : 'in a window of'
  return `${kind.replace('-', ' ')}: ${many} at once, ${long} ${low} to ${high} ${unit}`
}
