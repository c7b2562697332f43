import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { inMs, meets, middle, type Span, widened } from './rate-span.ts'
import { type LimiterTrial, trial, windowOf } from './rate-trial.ts'

/** By what part of itself a ban may be off what it was before. */
const tolerance = 0.1

/**
 * Whether a trial met a ban: what was asked for a quarter of the refusal earlier no longer counts,
 * so that the whole level is accepted once more, and from the refusal on nothing is for as long as
 * ever. A window would have ended that long after its first, and a log gives back a part of it.
 */
export function isBan(seen: LimiterTrial, known: Pace): boolean {
  const { level, isGradual } = known
  if (isGradual || level < 3) return false
  const whole = seen.plan.part + level
  const isAnew = Math.abs(seen.accepted - whole) <= 0.1 * level + 0.5
  return isAnew && lastsAsLong(seen, known)
}

/** Whether a refusal lasted as long as those before, from one end of them to the next. */
function lastsAsLong(seen: LimiterTrial, known: Pace): boolean {
  return Math.abs(lastedMs(seen) / middle(windowOf(known)) - 1) < tolerance
}

/**
 * Whether a refusal lasted as long as ever though it came later after the first: as of a ban for
 * more than which it was counted for a quarter of that time, or by chance of a window of the clock.
 */
export function isHeld(seen: LimiterTrial, known: Pace): boolean {
  const { level, isGradual } = known
  const windowMs = middle(windowOf(known))
  const isLater = seen.release.from - seen.start.to > (1 + tolerance) * windowMs
  const isSame = lastsAsLong(seen, known)
  return !isGradual && level >= 3 && isLater && isSame && seen.regained >= 0.8 * level
}

/** How many trials have to show it, how much later, and by how much a ban may be off then. */
const later = { trials: 2, apart: 0.5, tolerance: 0.05 }

/**
 * A ban that began with the refusal, and with nothing before: the rest is asked for half of that
 * time later, after which a window would have ended twice as soon, and it lasts as long as in the
 * trials before.
 */
export function* heldBan(
  asking: RateAsker,
  known: Pace,
  before: readonly LimiterTrial[]
): Questions<RateLimit | undefined> {
  const windowMs = middle(windowOf(known))
  const usualMs = before.reduce((sum, one) => sum + lastedMs(one), 0) / before.length
  const seen: LimiterTrial[] = []
  while (seen.length < later.trials) {
    const part = Math.ceil(known.level / 2)
    const plan = { at: asking.now + 1.2 * windowMs, windows: 0, part, apart: later.apart }
    const one = yield* trial(asking, plan, known)
    if (!('release' in one) || !isHeld(one, known)) return
    if (Math.abs(lastedMs(one) / usualMs - 1) > later.tolerance) return
    seen.push(one)
  }
  return banOf(asking, known, seen, 'it lasts as long, however long before the first were asked')
}

function lastedMs({ release, refused }: LimiterTrial): number {
  return middle(release) - middle(refused)
}

/** What is said of a ban that was met in all of these trials. */
export function banOf(
  { status }: RateAsker,
  { level }: Pace,
  trials: readonly LimiterTrial[],
  why = 'what was asked before a quarter of that time does not count'
): RateLimit {
  const times = trials.map(lastedMs)
  const banMs = times.reduce((sum, ms) => sum + ms, 0) / times.length
  const because =
    `bans for ${inMs(banMs)} after ${level.toLocaleString('en')} at once: ${why}, ` +
    'and nothing is accepted until it is over'
  const repeats = `${trials.length}/${trials.length}`
  return { algorithm: 'ban', burst: level, banMs, status, because, repeats }
}

/** By what part of a ban a refusal has to be off to be another one. */
const otherwise = 0.2

/** How well known a time is that is told, as a part of itself, and how many are told at most. */
const sharp = 0.12
const mostTold = 6

/**
 * The ban, where every refusal lasted as long; unclear with what was seen where one was over sooner
 * or went on for longer, as where each ban is longer than the one before, up to some length.
 */
export function steadily({ refusals }: RateAsker, found: RateLimit): RateLimit {
  const { banMs = 0, burst = 0, status, repeats } = found
  const isShorter = ({ to }: Span) => to < (1 - otherwise) * banMs
  const isLonger = ({ from }: Span) => from > (1 + otherwise) * banMs
  const odd = refusals.lasted.filter((one) => isShorter(one) || isLonger(one))
  if (odd.length === 0) return found
  const known = refusals.lasted.filter(({ from, to }) => to - from < sharp * to)
  // As long as the one before is nothing new.
  const steps = known.filter((one, nth) => nth === 0 || !meets(one, widenedBy(known[nth - 1]!)))
  const grown = known.filter((one, nth) => nth > 0 && one.from > known[nth - 1]!.to)
  const how = grown.length > 0 ? 'grows when it is met again' : 'is not always as long'
  const times = (steps.length > 1 ? steps : odd).slice(0, mostTold).map((one) => inMs(middle(one)))
  const because =
    `after ${burst.toLocaleString('en')} at once nothing is accepted for a while, which ${how}: ` +
    `it lasted ${times.join(', ')}`
  return { algorithm: 'unclear', status, because, repeats }
}

function widenedBy(one: Span): Span {
  return widened(one, tolerance * one.to)
}
