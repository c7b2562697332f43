import { banOf, heldBan, isBan, isHeld } from './rate-ban.ts'
import { heldOpen } from './rate-connections.ts'
import { isLikeCounter, slidingCounter } from './rate-counter.ts'
import { isLate } from './rate-counting.ts'
import {
  concluded,
  found,
  isCounter,
  isSettled,
  levelOf,
  type RateFinding
} from './rate-finding.ts'
import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import { sharpened } from './rate-pace.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { middle, scaled } from './rate-span.ts'
import { isSlowAtTimes, isSlower, twoBuckets } from './rate-stacked.ts'
import { tickedWindow } from './rate-tick.ts'
import {
  isLong,
  isUndecided,
  type LimiterTrial,
  leastOwn,
  type RatePlan,
  trial,
  windowOf
} from './rate-trial.ts'

/** How many trials have to agree. */
const enough = 3

/** By how much of a window each trial starts before a boundary: no two are alike. */
const leads = {
  sudden: [0.6, 0.4, 0.7],
  // One of its own begins with the first request, so that its end is as far from each of these.
  gradual: [0.75, 0.5, 0.62],
  // What so few give back is too coarse to be told from that.
  few: [0.7, 0.6, 0.65],
  // Whatever the boundaries, a counter would not give back soon at each of these.
  bucket: [0.85, 0.6, 0.35]
}

/** Trials until enough agree; undefined where they show that the pace was misjudged. */
export function* trials(
  asking: RateAsker,
  pace: Pace,
  isFirst: boolean
): Questions<RateLimit | undefined> {
  const findings: RateFinding[] = []
  let known = pace
  let [misses, late, longestMs] = [0, 0, 0]
  const [{ held, bans, whole, odd, tried }, before] = [noTrials(), asking.soFar]
  asking.decidedAt = asking.now + lastsMs(known)
  for (let nth = 0; nth < 4 * enough; nth++) {
    const other = yield* noBucket(asking, known, tried)
    if (other) return other.told
    const isBucket = findings.at(-1)?.kind === 'token-bucket'
    const plan = planned(known, { now: asking.now, nth, isBucket, leastMs: 1.2 * longestMs })
    const seen = yield* trial(asking, plan, known)
    // Whatever refused for so long is to be over, be it another limit.
    if ('release' in seen) longestMs = Math.max(longestMs, seen.release.from - seen.refused.to)
    const finding = 'release' in seen && isLike(seen, known) ? found(seen, known) : undefined
    const isEither = 'release' in seen && isLike(seen, known) && isUndecided(seen, known)
    if (finding?.kind === 'token-bucket' && isSlowAtTimes(asking, middle(known.spacing))) return
    if (finding) findings.push(finding)
    // What two kinds would have done speaks against neither.
    else if (!isEither || findings.length === 0) misses++
    if (!finding && !isEither && 'release' in seen) odd.push(seen.accepted)
    // It had rested for hardly more than a window, which was enough, and was asked for longer.
    if (!finding && 'release' in seen && isLike(seen, known) && isLate(seen, known)) late++
    if (!finding && 'release' in seen && isBan(seen, known)) bans.push(seen)
    if (bans.length === 2 && findings.length === 0) return banOf(asking, known, bans)
    if (isWhole(seen, known)) whole.push(seen)
    if (!finding && 'release' in seen && isLike(seen, known) && isHeld(seen, known)) held.push(seen)
    if (held.length === 2 && findings.length === 0) {
      const ban = yield* heldBan(asking, known, held)
      if (ban) return ban
      held.length = 0
    }
    const isOdd = misses > 1 || isScattered(findings, asking)
    const ticked = isOdd && tickedWindow(asking, known.level, whole)
    if (ticked) return ticked
    // Whether it was for what was refused, or for another limit, shows as it is left in peace.
    if (late === 2) return
    const open = !finding && misses === 1 && (yield* heldOpen(asking, known))
    if (open) return open
    // What came before the first finding may have been for want of a boundary to go by.
    if (findings.length === 1 && finding) [misses, odd.length] = [0, 0]
    const isWholly = whole.length === nth + 1 && nth < 2 * enough
    if (findings.length === 0 && misses >= 2 + late + bans.length && !isWholly) return
    if ('release' in seen) known = learnt(seen, known, finding)
    if (finding?.kind === 'token-bucket' && findings.length === 1 && finding.level > 1) {
      known = yield* sharpened(asking, known)
    }
    if (findings.length === 0) {
      asking.soFar = unlikeAny(before, nth + 1)
      continue
    }
    // One of three may have been for what was asked before this began: it is rested for longer.
    if (isFirst && findings.length === 1 && misses === 2) return
    const beside = { status: asking.status, weights: asking.weights.words() }
    asking.soFar = concluded(findings, { misses, odd, counts: pace.counts, ...beside })
    const isDone = Number.parseInt(asking.soFar.repeats, 10) >= enough && isSettled(findings)
    const isFew = !known.isGradual && findings.length < 2 * enough
    const isOpen = isScattered(findings, asking) && (isWholly || isFew)
    if ((isDone && !isOpen) || misses > enough) break
  }
  return asking.soFar
}

/**
 * What gives back little at a time and is no single bucket: two of them, where that has become
 * slower, or a counter, which is asked about once. Undefined where it may be a bucket.
 */
function* noBucket(
  asking: RateAsker,
  known: Pace,
  tried: 'counter'[]
): Questions<{ told: RateLimit | undefined } | undefined> {
  const spacingMs = middle(known.spacing)
  if (known.isGradual && isSlower(asking, spacingMs)) {
    return { told: yield* twoBuckets(asking, known) }
  }
  if (tried.length > 0 || !isLikeCounter(asking, known)) return
  tried.push('counter')
  const longMs = Math.max(...asking.refusals.empty)
  const { level: least, mostLevel: level } = known
  const about = { least, level, spacingMs, longMs, asked: [] }
  const told = yield* slidingCounter(asking, about)
  return told && { told }
}

/** What is said where so many trials were like no limiter. */
function unlikeAny(before: RateLimit, many: number): RateLimit {
  const trials = many === 1 ? 'a trial was' : `${many} trials were`
  return { ...before, because: `${before.because}; ${trials} like no limiter known` }
}

/** How long trials take, in ms. */
function lastsMs(known: Pace): number {
  return enough * (known.isGradual ? 4 : 2.7) * middle(windowOf(known))
}

/** No trials yet, by what they were like, none that was odd, and nothing else that was tried. */
function noTrials() {
  const none: Record<'held' | 'bans' | 'whole', LimiterTrial[]> = { held: [], bans: [], whole: [] }
  const odd: number[] = []
  const tried: 'counter'[] = []
  return { ...none, odd, tried }
}

/** Whether as many trials as are enough agree about a kind, and not about how big it is. */
function isScattered(findings: readonly RateFinding[], { soFar }: RateAsker): boolean {
  return findings.length >= enough && soFar.algorithm === 'unclear'
}

/** The next trial: some part of a window before a boundary, and a rest after the last answer. */
function planned(
  known: Pace,
  { now, nth, isBucket, leastMs }: { now: number; nth: number; isBucket: boolean; leastMs: number }
): RatePlan {
  const { level, isGradual, reference } = known
  const gradual = level < leastOwn ? 'few' : 'gradual'
  const lead = leads[isBucket ? 'bucket' : isGradual ? gradual : 'sudden'][nth % 3]!
  const windowMs = middle(windowOf(known))
  // A counter has to forget the window before as well; one may be what was left of more.
  const isLong = level === 1 || (isBucket && nth % 3 === 2)
  const rest = isLong ? 2.2 : isGradual && !isBucket ? 2.1 - lead : 1.2
  // A counter's refusals are as long as its window lets them be.
  const restMs = Math.max(rest * windowOf(known).to, isGradual ? 0 : leastMs)
  const least = Math.ceil((now + restMs - middle(reference)) / windowMs + lead)
  // Two windows of one length are three of another, and so are four, but three are no number of it.
  const isEven = !isGradual || isBucket || (least - nth) % 2 === 0
  const windows = isEven ? least : least + 1
  const part = isBucket && level > 1 ? Number.POSITIVE_INFINITY : Math.ceil(level / 2)
  // Where tokens come by a clock of their own, each trial begins elsewhere between two of them.
  const phaseMs = isBucket ? (0.382 * nth * windowMs) / level : 0
  return { at: middle(reference) + (windows - lead) * windowMs + phaseMs, windows, part }
}

/** Whether a trial found the level where it was expected, but for a tenth. */
function isLike(seen: LimiterTrial, known: Pace): boolean {
  return Math.abs(levelOf(seen, known) - known.level) <= 0.1 * known.level + 0.5
}

/** Whether all was given back together that a trial found at the level where it was expected. */
function isWhole(seen: LimiterTrial | Burst, known: Pace): seen is LimiterTrial {
  const isSudden = 'release' in seen && !known.isGradual && isLike(seen, known)
  return isSudden && seen.regained >= 0.8 * known.level
}

/** What is known after a trial: the level and the window as measured, and the latest boundary. */
function learnt(seen: LimiterTrial, known: Pace, finding?: RateFinding): Pace {
  const reference = known.isGradual && !isLong(seen, known) ? known.reference : seen.release
  if (!finding) return { ...known, reference }
  const { level, window, kind } = finding
  const spacing = scaled(window, 1 / level)
  const isMeasured = known.isMeasured || isCounter(kind)
  const isOwn = kind === 'first-request' || kind === 'sliding-log'
  const isBoth = kind === 'own-counter'
  return {
    ...known,
    level,
    reference,
    [isOwn ? 'ownSpacing' : 'spacing']: spacing,
    ...(isBoth && { ownSpacing: spacing }),
    isMeasured
  }
}
