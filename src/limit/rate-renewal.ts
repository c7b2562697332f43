import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { inMs, middle, type Span } from './rate-span.ts'

/** How well the length of a ban is to be known, as a part of itself, and in how many steps. */
const sharp = 0.04
const mostSteps = 9

/** How long it may be, as a part of the time for which it was asked in vain. */
const mostPart = 0.5

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
    // The last one to renew it was decided on between when it was sent and the last answer.
    const [since, by] = [asking.refusedAt, asking.now]
    // At last it has to come back in as much peace as before.
    const silenceMs = to - from > sharp * to ? (from + to) / 2 : (1 + sharp) * to
    const again = yield* asking.burst(since + silenceMs)
    if (!again.refused) return
    if (again.accepted === 0) {
      from = Math.max(from, again.first.from - by)
      continue
    }
    if (again.accepted < 0.8 * level) return
    most = Math.max(most, again.accepted)
    to = Math.min(to, again.first.to - since)
    isAgain = true
  }
  // Who gives back what was taken by and by may seem to be a little sooner at times.
  if (!isAgain || from >= to || to > mostPart * askedMs) return
  asking.soFar = renewedOf(asking, { level: most, askedMs, span: { from, to } })
  const grown = yield* growing(asking, { level: most, to })
  return grown ?? { ...asking.soFar, banMs: (from + to) / 2 }
}

/** How many more are asked of a ban that may grow by each. */
const more = 24

/**
 * A ban that does not begin anew with each that it refuses, but grows by it: after many more of
 * them it is not over as soon as ever. Undefined where it is.
 */
function* growing(
  asking: RateAsker,
  { level, to }: { level: number; to: number }
): Questions<RateLimit | undefined> {
  const { soFar } = asking
  for (let nth = 0; nth < more; nth++) {
    const one = yield* asking.burst(0, 1, { inFlight: 1 })
    if (one.accepted > 0) return
  }
  const again = yield* asking.burst(asking.refusedAt + (1 + 2 * sharp) * to, 1)
  if (again.accepted > 0) return
  asking.soFar = soFar
  const because =
    `after ${level.toLocaleString('en')} at once nothing is accepted for a while that grows with ` +
    `what is refused: it was over after ${inMs(to)} in peace, and not when ${more} more ` +
    'had been refused'
  const { status } = asking
  return { algorithm: 'unclear', countsRefused: true, status, because, repeats: '1/1' }
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
