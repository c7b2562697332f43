import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Questions, RateAsker } from './rate-question.ts'
import { common, type Span } from './rate-span.ts'
import { windowOf } from './rate-trial.ts'

/** By how many a count would vary at least that is one of bytes, where it is asked again. */
const leastOff = 0.2

/** How seldom a count of bytes may be as many each time, how often it is asked, and how long. */
const seldom = 0.02
const rounds = { least: 4, most: 12, longMs: 40_000 }

/** How long it rests, in windows: what comes back by and by may be of a window before as well. */
const rests = { gradual: 2.2, sudden: 1.3 }

/**
 * Whether how many are let through depends on what answers weigh, as of a limit by bytes: after
 * rests as many have to be let through each time, but for one that met the end of a window.
 * Undefined where they are, or all weigh about as much.
 */
export function* weighed(asking: RateAsker, known: Pace): Questions<RateLimit | undefined> {
  const { level, isGradual } = known
  const off = Math.sqrt(level) * asking.weights.spread()
  if (off < leastOff) return
  const restMs = (isGradual ? rests.gradual : rests.sudden) * windowOf(known).to
  const longest = Math.ceil(rounds.longMs / restMs)
  const many = Math.max(rounds.least, Math.min(roundsFor(off), longest))
  const seen = yield* counted(asking, known, { many, restMs })
  if (!seen || isSame(seen)) return
  if (!isGradual) return differing(asking, seen)
  // What comes back by and by may not all have been back: after twice as much peace it is.
  const again = yield* counted(asking, known, { many: many + 2, restMs: 2 * restMs })
  if (!again || isSame(again) || mostOf(again) > muchMore * mostOf(seen)) return
  return differing(asking, [...seen, ...again])
}

/** How many times as many come back after twice as long where it was not long enough. */
const muchMore = 1.4

/** From how many on counts of bytes would have differed, by how many they would vary. */
const telling = 1

/** The same, with what may be counted as well where all answers weigh nearly as much. */
export function withWeights({ weights }: RateAsker, found: RateLimit): RateLimit {
  const words = weights.words()
  const off = Math.sqrt(found.burst ?? 0) * weights.spread()
  if (words === undefined || off < leastOff || off > telling) return found
  const because = `${found.because}; answers weigh ${words}: it may be bytes that are counted`
  return { ...found, because }
}

/** How many were let through after each rest, until it was another number. */
function* counted(
  asking: RateAsker,
  { isGradual, spacing }: Pace,
  { many, restMs }: { many: number; restMs: number }
): Questions<Span[] | undefined> {
  const seen: Span[] = []
  for (let nth = 0; nth < many && (nth < 3 || isSame(seen)); nth++) {
    const one = yield* asking.burst(asking.now + restMs)
    if (!one.refused) return
    // What came back meanwhile makes more of it.
    const back = isGradual ? (one.refused.to - one.first.from) / spacing.from : 0
    seen.push({ from: one.accepted - back, to: one.accepted })
  }
  return seen
}

function mostOf(seen: readonly Span[]): number {
  return Math.max(...seen.map(({ to }) => to))
}

/** Whether all but the most may have been as many. */
function isSame(seen: readonly Span[]): boolean {
  const most = mostOf(seen)
  const odd = seen.findIndex(({ to }) => to === most)
  const { from, to } = common(seen.filter((_, index) => index !== odd))
  return from <= to
}

/** After how many times as many by bytes would not be as many by chance. */
function roundsFor(off: number): number {
  const same = Math.min(0.99, 0.4 / off)
  const many = Math.ceil(Math.log(seldom) / Math.log(same))
  return Math.min(rounds.most, Math.max(rounds.least, many))
}

function differing({ weights, status }: RateAsker, seen: readonly Span[]): RateLimit {
  const counts = seen.map(({ to }) => to)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  const because =
    `after ${least.toLocaleString('en')} to ${most.toLocaleString('en')} at once: how many ` +
    `differs each time; answers weigh ${weights.words() ?? 'not the same'}, which may be what is ` +
    'counted'
  return { algorithm: 'unclear', ...(status !== undefined && { status }), because, repeats: '0/3' }
}
