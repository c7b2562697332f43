import type { RateLimit } from './rate-limit.ts'
import type { Pace } from './rate-pace.ts'
import type { RateAsker } from './rate-question.ts'
import { inMs, middle } from './rate-span.ts'
import { type LimiterTrial, windowOf } from './rate-trial.ts'

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
  return isAnew && Math.abs(lastedMs(seen) / middle(windowOf(known)) - 1) < tolerance
}

function lastedMs({ release, refused }: LimiterTrial): number {
  return middle(release) - middle(refused)
}

/** What is said of a ban that was met in all of these trials. */
export function banOf(
  { status }: RateAsker,
  { level }: Pace,
  trials: readonly LimiterTrial[]
): RateLimit {
  const times = trials.map(lastedMs)
  const banMs = times.reduce((sum, ms) => sum + ms, 0) / times.length
  const because =
    `bans for ${inMs(banMs)} after ${level.toLocaleString('en')} at once: what was asked before ` +
    'a quarter of that time does not count, and nothing is accepted until it is over'
  const repeats = `${trials.length}/${trials.length}`
  return { algorithm: 'ban', burst: level, banMs, status, because, repeats }
}
