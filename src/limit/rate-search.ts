import { banOf, heldBan, isBan, isHeld, steadily } from './rate-ban.ts'
import { askedAlone, connected } from './rate-concurrency.ts'
import { isLate, refusalsCounted } from './rate-counting.ts'
import { heldUp, isOftenLate } from './rate-delay.ts'
import {
  concluded,
  found,
  isCounter,
  isSettled,
  levelOf,
  type RateFinding
} from './rate-finding.ts'
import { anotherLayer } from './rate-layers.ts'
import type { RateLimit } from './rate-limit.ts'
import { lookMs, unlimited, untilRefused, usualUpTo } from './rate-open.ts'
import { type Pace, pace, sharpened } from './rate-pace.ts'
import { type Burst, createAsking, type Questions, type RateAsker } from './rate-question.ts'
import { quick, shortestMs, spaced } from './rate-quick.ts'
import { waitsOf } from './rate-slow.ts'
import { inMs, middle, onceAndBefore, scaled } from './rate-span.ts'
import { isSlowAtTimes, twoBuckets } from './rate-stacked.ts'
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
import { byConnection, byTurns } from './rate-turns.ts'
import { weighed, withWeights } from './rate-weight.ts'

/** How many trials have to agree. */
const enough = 3

/** How often to start anew, after twice the rest, when a trial finds more than was thought. */
const mostAttempts = 4

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

/** How many at once are so few that a burst needs no more connections than a handful. */
const few = 3

/** For how much of a window a burst may take, so that what it meets at its end is the same. */
const slowest = 0.25

/**
 * Finds out which limiter a target has, and how big: yields what to ask, is given what was seen.
 *
 * It asks until refused, waits until accepted, and so on, for the level and the pace. Each trial
 * then rests for a window, asks for half the level at a time between two boundaries, for the rest a
 * quarter of a window later, and sees when the refusal ends and how much comes back at once. These
 * two tell all limiters apart, as the times they would end at are a tenth of a window apart and
 * more. A window of a minute takes five minutes for one trial, one of a second 30 seconds for
 * three, of which it is asked for 22 s whether another limit is behind the one found.
 *
 * Measured by `npm run bench:limiters` on six simulated limiters with jitter and stalls, for limits
 * of 1 to 5,000 in 100 ms to a minute, within six minutes: 0 of 2,900 named wrongly, 4 % unclear,
 * rates within 0.8 % in 95 of 100. Where requests had been made just before (`--used`), more stay
 * unclear, as to start anew takes longer. Unclear is also what takes a quarter of
 * its window to be asked for, and a counter of less than five.
 */
export function* rateSearch({
  inFlight,
  upTo = usualUpTo,
  before
}: {
  inFlight: number
  /** How many a second have to be accepted before it is said that there is no limit. */
  upTo?: number | undefined
  /** How many were accepted just before. */
  before?: number
}): Questions<RateLimit> {
  const asking = createAsking(inFlight, before)
  const begun = yield* refusedAtFirst(asking, upTo)
  if ('algorithm' in begun) return begun
  let [burst, isWeighed] = [begun, false]
  for (let attempt = 0; attempt < mostAttempts && burst.refused; attempt++) {
    const known = yield* pace(asking, burst, attempt === 0)
    if ('algorithm' in known) return known
    const isQuick = middle(windowOf(known)) < shortestMs
    const isSlow = known.tookMs > slowest * windowOf(known).to
    // A burst that a busy machine held up may be quicker the next time.
    const slow = isSlow && !isQuick && attempt > 0 && tooSlow(asking, known)
    if (slow) return (yield* byTurns(asking)) ?? slow
    if (isSlow && !isQuick) {
      // Where so few are taken, fewer at once are answered sooner.
      if (known.level <= few) asking.inFlight = Math.min(asking.inFlight, few + 1)
      burst = yield* asking.burst(asking.now + 2.2 * windowOf(known).to)
      continue
    }
    const byBytes = !isWeighed && !isQuick && (yield* weighed(asking, known))
    if (byBytes) return byBytes
    isWeighed ||= !isQuick
    const limit = yield* isQuick ? quick(asking, known) : trials(asking, known, attempt === 0)
    if (limit?.algorithm === 'ban') return steadily(asking, limit)
    // What is refused as soon as it is let through may be so for another reason than a rate.
    const turns = isQuick && limit?.algorithm === 'unclear' && (yield* byTurns(asking))
    if (turns) return turns
    const told = limit ?? (yield* refusalsCounted(asking, known))
    if (told) {
      const found = withWeights(asking, yield* spaced(asking, told))
      asking.soFar = found
      const others =
        (yield* connected(asking, found)) ?? (yield* anotherLayer(asking, known, found))
      return others ?? found
    }
    // Connections of a burst that are still open look like a limit on the rate, of no known kind.
    const open = yield* connected(asking, { burst: burst.accepted, isAlone: true })
    if (open) return open
    const stacked = attempt < 2 && known.isGradual && (yield* twoBuckets(asking, known))
    if (stacked) return stacked
    // What was asked before this began may still have counted.
    burst = yield* asking.burst(asking.now + 2.2 * 2 ** attempt * windowOf(known).to)
  }
  const turns = yield* byTurns(asking)
  if (turns) return turns
  const weights = asking.weights.words()
  const heavy = weights === undefined ? '' : `; answers weigh ${weights}, which it may count`
  const unlike = `what it gives back, and when, is like no limiter known${heavy}`
  const { soFar, status } = asking
  return {
    algorithm: 'unclear',
    because: `${soFar.because}; ${unlike}`,
    status,
    repeats: soFar.repeats
  }
}

/** The first burst that a limit may have refused; what there is to say where none was. */
function* refusedAtFirst(asking: RateAsker, upTo: number): Questions<RateLimit | Burst> {
  const look = yield* asking.burst(0, Number.POSITIVE_INFINITY, { forMs: lookMs })
  if (!look.refused && look.accepted > 0) {
    const none = unlimited(look, asking, upTo)
    const all = `all ${look.accepted.toLocaleString('en')} at first were accepted`
    const open = { because: `${all}; whether some are held up is not decided` }
    const isOpen = none.algorithm !== 'none' || isOftenLate(waitsOf(look))
    asking.soFar = isOpen ? { ...asking.soFar, ...open } : none
  }
  const delay = yield* heldUp(asking, look)
  if (delay) return delay
  const first = look.refused ? look : yield* untilRefused(asking, look, upTo)
  if (!first.refused) return unlimited(first, asking, upTo)
  const once = onceAndBefore(first.accepted, asking.before)
  const because = first.accepted > 0 ? `refused after ${once}` : asking.soFar.because
  asking.soFar = { ...asking.soFar, because }
  const ofConnection = yield* byConnection(asking)
  if (ofConnection) return ofConnection
  return yield* askedAlone(asking, first)
}

/** Trials until enough agree; undefined where they show that the pace was misjudged. */
function* trials(
  asking: RateAsker,
  pace: Pace,
  isFirst: boolean
): Questions<RateLimit | undefined> {
  const findings: RateFinding[] = []
  let known = pace
  let [misses, late, longestMs] = [0, 0, 0]
  const { held, bans, whole, odd } = noTrials()
  const before = asking.soFar
  const each = known.isGradual ? 4 : 2.7
  asking.decidedAt = asking.now + enough * each * middle(windowOf(known))
  for (let nth = 0; nth < 4 * enough; nth++) {
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
    // What came before the first finding may have been for want of a boundary to go by.
    if (findings.length === 1 && finding) [misses, odd.length] = [0, 0]
    const isWholly = whole.length === nth + 1 && nth < 2 * enough
    if (findings.length === 0 && misses >= 2 + late + bans.length && !isWholly) return
    if ('release' in seen) known = learnt(seen, known, finding)
    if (finding?.kind === 'token-bucket' && findings.length === 1 && finding.level > 1) {
      known = yield* sharpened(asking, known)
    }
    if (findings.length === 0) {
      const trials = nth === 0 ? 'a trial was' : `${nth + 1} trials were`
      asking.soFar = { ...before, because: `${before.because}; ${trials} like no limiter known` }
      continue
    }
    // One of three may have been for what was asked before this began: it is rested for longer.
    if (isFirst && findings.length === 1 && misses === 2) return
    const beside = { status: asking.status, weights: asking.weights.words() }
    asking.soFar = concluded(findings, { misses, odd, counts: pace.counts, ...beside })
    const agreeing = Number.parseInt(asking.soFar.repeats, 10)
    const isDone = agreeing >= enough && isSettled(findings)
    const isFew = !known.isGradual && findings.length < 2 * enough
    const isOpen = isScattered(findings, asking) && (isWholly || isFew)
    if ((isDone && !isOpen) || misses > enough) break
  }
  return asking.soFar
}

/** Trials by what they were like, and how many those accepted that were like no limiter. */
function noTrials(): Record<'held' | 'bans' | 'whole', LimiterTrial[]> & { odd: number[] } {
  return { held: [], bans: [], whole: [], odd: [] }
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

function tooSlow({ soFar, status }: RateAsker, known: Pace): RateLimit {
  const [took, window] = [known.tookMs, middle(windowOf(known))].map(inMs)
  const because = `${soFar.because}: asking takes ${took} of about ${window}, too slow to tell`
  return { ...soFar, status, because }
}
