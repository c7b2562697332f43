import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker, Release } from './rate-question.ts'
import { inMs, minus, type Span, scaled } from './rate-span.ts'
import { windowOf } from './rate-trial.ts'

/** Of fewer at once, a token more or less makes no difference that is seen. */
const leastAtOnce = 4

/** How long before its end a window is used up, as a part of it, and how many ms at least. */
const lead = { part: 0.15, leastMs: 80, mostPart: 0.4 }

/** How much later than a window after its first request it is over, as a part of it. */
const after = 0.02

/** How many of what a window lets through are all of them, as a part. */
const all = 0.8

/** How many come back one at a time are waited for, and how often it is tried. */
const mostBack = 7
const attempts = 2

/**
 * Another limit beside a window that begins with the first request: one is asked for, the others
 * just before the window ends, and as many as are taken once it is over. A window lets all through
 * again; where a few are, and then one at a time, there is a bucket as well, which is full whenever
 * a window begins that was not used up late. Undefined where the window is all there is, or where
 * it could not be asked in time.
 */
export function* besideWindow(
  asking: RateAsker,
  known: Pace,
  found: RateLimit
): Questions<RateLimit | undefined> {
  const { burst = 0, windowMs = 0, because, status } = found
  const used = yield* usedLate(asking, known, found)
  if (!used) return
  const many = burst.toLocaleString('en')
  const more = used.again.accepted.toLocaleString('en')
  const late = `of ${many} used up just before its end, ${more} more were accepted right after it`
  const everyMs = windowMs / burst
  const spacing = yield* spacingOf(asking, everyMs, burst - used.again.accepted - 1)
  const isSame = spacing && spacing.from <= everyMs && everyMs <= spacing.to
  if (!isSame || !isSize(burst, spacing, used)) {
    const told = `${because}; but ${late}: there is another limit beside it`
    return { algorithm: 'unclear', because: told, status, repeats: '1/1' }
  }
  // In the long run it is no faster than the window, whichever of the two lets more through.
  const both = { burst, perSecond: (1_000 * burst) / windowMs, windowMs }
  const bucket = `then one every ${inMs(everyMs)}: a token bucket of as many beside it`
  return {
    algorithm: 'stacked',
    ...both,
    behind: { algorithm: 'fixed-window', ...both },
    status,
    because: `${because}; but ${late}, ${bucket}`,
    repeats: '1/1'
  }
}

/** What was taken just before a window's end, and right after it. */
type Used = { late: Burst; again: Burst }

/** Uses a window up late, and asks again; undefined where it lets all through, or does not tell. */
function* usedLate(
  asking: RateAsker,
  known: Pace,
  { anchor, burst = 0, windowMs = 0 }: RateLimit
): Questions<Used | undefined> {
  const leadMs = Math.max(lead.part * windowMs, lead.leastMs, 3 * known.tookMs)
  const isAsked = anchor === 'first-request' && burst >= leastAtOnce
  if (!isAsked || leadMs > lead.mostPart * windowMs) return
  for (let nth = 0; nth < attempts; nth++) {
    const { first, refused } = yield* asking.burst(asking.now + 1.2 * windowOf(known).to, 1)
    if (refused) return
    const late = yield* asking.burst(first.from + windowMs - leadMs, burst - 1)
    if (late.refused) return
    // What came after the window's end began the next one.
    if (asking.now >= first.from + (1 - after) * windowMs) continue
    const again = yield* asking.burst(first.to + (1 + after) * windowMs)
    // None is no more than that the window was not yet over, by whatever clock it has.
    const isSome = again.refused && again.accepted > 0 && again.accepted < all * burst
    return isSome ? { late, again } : undefined
  }
}

/** How far apart those are that come back one at a time, in ms; undefined where they do not. */
function* spacingOf(asking: RateAsker, aboutMs: number, most: number): Questions<Span | undefined> {
  const back: Release[] = []
  while (back.length < Math.min(mostBack, most)) {
    back.push(yield* asking.release(asking.now, () => aboutMs / 12))
  }
  const [first, last] = [back[0], back.at(-1)]
  if (!first || !last || back.length < 2) return
  return scaled(minus(last, first), 1 / (back.length - 1))
}

/** Whether a bucket of as many, which was full, would have let so many through again. */
function isSize(size: number, spacing: Span, { late, again }: Used): boolean {
  const gone = minus(again.refused!, late.first)
  const [least, most] = [gone.from / spacing.to, gone.to / spacing.from]
  const taken = size - 1 + again.accepted
  return size + least - 1 < taken && taken <= size + most
}
