import { unlikeAlone } from './rate-alone.ts'
import { steadily } from './rate-ban.ts'
import { besideOf, moreThanEver } from './rate-beside.ts'
import { carriedOver } from './rate-carried.ts'
import { askedAlone, connected } from './rate-concurrency.ts'
import { refusalsCounted } from './rate-counting.ts'
import { heldUp, isOftenLate } from './rate-delay.ts'
import type { Pace } from './rate-known.ts'
import { anotherLayer } from './rate-layers.ts'
import type { RateLimit } from './rate-limit.ts'
import { lookMs, unlimited, untilRefused, usualUpTo } from './rate-open.ts'
import { pace } from './rate-pace.ts'
import { type Burst, createAsking, type Questions, type RateAsker } from './rate-question.ts'
import { quick, shortestMs, spaced } from './rate-quick.ts'
import { waitsOf } from './rate-slow.ts'
import { inMs, middle, onceAndBefore } from './rate-span.ts'
import { isLess, twoBuckets } from './rate-stacked.ts'
import { windowOf } from './rate-trial.ts'
import { trials } from './rate-trials.ts'
import { byConnection, byTurns } from './rate-turns.ts'
import { weighed, withWeights } from './rate-weight.ts'
import { besideWindow } from './rate-window-end.ts'

/** How often to start anew, after twice the rest, when a trial finds more than was thought. */
const mostAttempts = 4

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
  let fast: Pace | undefined
  for (let attempt = 0; attempt < mostAttempts && burst.refused; attempt++) {
    const known = yield* pace(asking, burst, attempt === 0)
    if ('algorithm' in known) return known
    // Whatever has become slower as it was asked has another limit behind it.
    const stacked = fast && isLess(known, fast) && (yield* twoBuckets(asking, fast))
    if (stacked) return stacked
    fast = known
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
    if (known.told) return yield* withOthers(asking, known, known.told)
    const byBytes = !isWeighed && !isQuick && (yield* weighed(asking, known))
    if (byBytes) return byBytes
    isWeighed ||= !isQuick
    const limit = yield* isQuick ? quick(asking, known) : trials(asking, known, attempt === 0)
    if (limit?.algorithm === 'ban') return steadily(asking, limit)
    if (limit?.algorithm === 'stacked' || limit?.algorithm === 'in-flight') return limit
    // What is refused as soon as it is let through may be so for another reason than a rate.
    const turns = isQuick && limit?.algorithm === 'unclear' && (yield* byTurns(asking))
    if (turns) return turns
    const told = limit ?? (yield* refusalsCounted(asking, known))
    if (told) return yield* withOthers(asking, known, told)
    // Connections of a burst that are still open look like a limit on the rate, of no known kind.
    const open = yield* connected(asking, { burst: burst.accepted, isAlone: true })
    if (open) return open
    // What is as many each time may count something else than requests, as they come.
    const other = attempt === 0 && isAlike(known) && (yield* unlikeAlone(asking, known))
    if (other) return unlike(asking, other)
    // What was asked before this began may still have counted.
    burst = yield* asking.burst(asking.now + 2.2 * 2 ** attempt * windowOf(known).to)
  }
  const turns = yield* byTurns(asking)
  if (turns) return turns
  const weights = asking.weights.words()
  const heavy = weights === undefined ? '' : `; answers weigh ${weights}, which it may count`
  const beside = besideOf(asking)
  const seen = beside ?? `what it gives back, and when, is like no limiter known${heavy}`
  const { soFar, status } = asking
  return {
    algorithm: 'unclear',
    because: `${soFar.because}; ${seen}`,
    status,
    repeats: soFar.repeats
  }
}

/** What was found, or what else there is. */
function* withOthers(asking: RateAsker, known: Pace, told: RateLimit): Questions<RateLimit> {
  const found = withWeights(asking, yield* spaced(asking, told))
  const more = moreThanEver(asking.record, found)
  if (more !== undefined) {
    const because = `${found.because}; but ${more}`
    return { algorithm: 'unclear', status: asking.status, because, repeats: found.repeats }
  }
  asking.soFar = found
  const others = (yield* connected(asking, found)) ?? (yield* anotherLayer(asking, known, found))
  if (others) return others
  const carried = yield* carriedOver(asking, known, found)
  return carried ?? (yield* besideWindow(asking, known, found)) ?? found
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

const isAlike = ({ counts }: Pace) => new Set(counts).size === 1

/** What is said of a limit that counts something else than requests as they come. */
function unlike({ soFar, status }: RateAsker, words: string): RateLimit {
  const because = `${soFar.because.split('; a trial')[0]!}; ${words}`
  return { algorithm: 'unclear', status, because, repeats: '2/2' }
}

function tooSlow({ soFar, status }: RateAsker, known: Pace): RateLimit {
  const [took, window] = [known.tookMs, middle(windowOf(known))].map(inMs)
  const because = `${soFar.because}: asking takes ${took} of about ${window}, too slow to tell`
  return { ...soFar, status, because }
}
