import type { Pace } from './rate-known.ts'
import type { BurstManner, Questions, RateAsker } from './rate-question.ts'
import { middle } from './rate-span.ts'
import { windowOf } from './rate-trial.ts'

/** For how long it rests before each, in windows: otherwise each time, as others may come by it. */
const rests = [1.2, 1.9]

/** Of how long a window it is asked at most, in ms. */
const longestMs = 6_000

/** By what part of itself a count may be off from one time to the other. */
const off = 0.1

/** What part of as many at once is less, and how many times as many are more, or how many. */
const less = 0.8
const more = { times: 3, least: 40 }

/** For what part of a window it may take, so that none ends meanwhile. */
const quick = 0.5

/** How many were accepted one after another, over connections that stay and new ones; at once. */
type Counts = { kept: number; fresh: number; once: number; isOpen: boolean }

/**
 * What is let through one after another, over connections that stay and each over a new one, where
 * that is not as many as at once, and what it is by that, in words: limits that count new
 * connections alone, or what is answered and not what is under way. Undefined where it is neither.
 */
export function* unlikeAlone(asking: RateAsker, known: Pace): Questions<string | undefined> {
  if (asking.inFlight === 1 || middle(windowOf(known)) > longestMs) return
  const seen: Counts[] = []
  for (const rest of rests) {
    const counts = yield* countsOf(asking, known, rest)
    if (!counts) return
    seen.push(counts)
  }
  const [one, other] = [seen[0]!, seen[1]!]
  const isSame = (['kept', 'fresh', 'once'] as const).every((which) => {
    return Math.abs(one[which] - other[which]) <= off * one[which] + 0.5
  })
  return isSame && one.isOpen === other.isOpen ? wordsOf(one, asking) : undefined
}

function* countsOf(asking: RateAsker, known: Pace, rest: number): Questions<Counts | undefined> {
  const { level } = known
  const windowMs = middle(windowOf(known))
  const most = Math.max(more.times * level, more.least)
  const count = function* (manner: BurstManner) {
    const burst = yield* asking.burst(asking.now + rest * windowMs, most, manner)
    return burst.tookMs > quick * windowMs ? undefined : burst
  }
  const kept = yield* count({ inFlight: 1 })
  if (!kept) return
  // Where as many are taken as at once it is none of these.
  const isOpen = kept.refused === undefined
  if (!isOpen && (kept.accepted > less * level || kept.accepted === 0)) return
  const fresh = yield* count({ inFlight: 1, isApart: true })
  if (!fresh?.refused || fresh.accepted === 0) return
  const once = yield* count({})
  return once && { kept: kept.accepted, fresh: fresh.accepted, once: once.accepted, isOpen }
}

function wordsOf({ kept, fresh, once, isOpen }: Counts, { inFlight }: RateAsker) {
  if (isOpen && fresh * more.times <= kept) {
    return (
      `over connections that stay ${kept} in a row were accepted, and over new ones ${fresh}: ` +
      'new connections are counted, and not requests'
    )
  }
  if (isOpen || kept > less * once || fresh > less * once) return
  return (
    `one at a time ${kept} are accepted, and ${once} with ${inFlight} in flight: what is under ` +
    'way is not counted until it is answered'
  )
}
