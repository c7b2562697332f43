import { inMs } from './rate-finding.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Pace } from './rate-pace.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { middle, type Span } from './rate-span.ts'
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

/** How well the length of a ban is to be known, as a part of itself, and in how many steps. */
const sharp = 0.04
const mostSteps = 9

/**
 * A ban that every request renews: what was asked for `askedMs` without being accepted comes back
 * after a while in peace, which is between the two times of `span`, in ms, and is measured here.
 * Undefined where not all comes back, or it is refused for longer than that.
 */
export function* renewedBan(
  asking: RateAsker,
  { level, askedMs, span }: { level: number; askedMs: number; span: Span }
): Questions<RateLimit | undefined> {
  let { from, to } = span
  let most = level
  let isAgain = false
  for (let step = 0; step < mostSteps && !(isAgain && to - from <= sharp * to); step++) {
    asking.soFar = renewedOf(asking, { level: most, askedMs, span: { from, to } })
    const since = asking.refusedAt
    // At last it has to come back in as much peace as before.
    const silenceMs = to - from > sharp * to ? (from + to) / 2 : (1 + sharp) * to
    const again = yield* asking.burst(since + silenceMs)
    if (!again.refused) return
    if (again.accepted === 0) {
      from = again.first.from - since
      continue
    }
    if (again.accepted < 0.5 * level) return
    most = Math.max(most, again.accepted)
    to = Math.min(to, again.first.to - since)
    isAgain = true
  }
  if (!isAgain || from >= to) return
  asking.soFar = renewedOf(asking, { level: most, askedMs, span: { from, to } })
  return { ...asking.soFar, banMs: (from + to) / 2 }
}

/** What is said of a ban that asking renews, whose length is between two times. */
function renewedOf(
  { status }: RateAsker,
  { level, askedMs, span }: { level: number; askedMs: number; span: Span }
): RateLimit {
  const isSharp = span.to - span.from <= sharp * span.to
  const long = isSharp ? inMs(middle(span)) : `${inMs(span.from)} to ${inMs(span.to)}`
  const because =
    `bans for ${long} after ${level.toLocaleString('en')} at once, renewed by every request: ` +
    `it never came back while it was asked for ${inMs(askedMs)}, and did when left in peace`
  return { algorithm: 'ban', burst: level, countsRefused: true, status, because, repeats: '2/2' }
}
