import { latePaceOf } from './rate-delay.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { queued } from './rate-queue.ts'
import { isHeldUp, paceOf, waitsOf } from './rate-slow.ts'
import { inMs } from './rate-span.ts'
import { byTurns } from './rate-turns.ts'

/** How many have to be asked alone to show that each of them waits. */
const fewestAlone = 20

/** For how long each of them waits at least where that cannot be told from the quickest, in ms. */
const leastWaitMs = 20

/** How many of those have to wait about as long as the others, as a part of all. */
const evenShare = 0.7

/** How long after the last answer connections that stay are closed for sure, in ms. */
const idleMs = 1_500

/**
 * Asks one after another, since refusals may depend on how many requests are in flight; twice,
 * since a window may have ended meanwhile. The latest burst that was refused, if they do not.
 */
export function* askedAlone(asking: RateAsker, first: Burst): Questions<RateLimit | Burst> {
  const together = asking.inFlight
  let burst = first
  let single = first
  for (let round = 0; round < 2; round++) {
    // With many rounds of as many in flight accepted, it was not their number that was refused.
    if (together === 1 || burst.accepted > 10 * together || !burst.refused) return burst
    asking.inFlight = 1
    const many = Math.max(2 * burst.accepted, 50)
    const alone = yield* asking.burst(0, many)
    const isCrowd = burst.accepted <= together && alone.accepted >= 2 * together
    if (!alone.refused || !isCrowd) asking.inFlight = together
    if (alone.refused) return burst
    single = alone
    if (round === 0) burst = yield* asking.burst(0)
  }
  const waits = yield* waiting(asking, { crowd: burst, single }, together)
  if (waits) return waits
  if (!(yield* isRate(asking, together))) {
    return (yield* byTurns(asking)) ?? crowded(asking, { crowd: burst, single })
  }
  asking.inFlight = together
  return yield* asking.burst(asking.now + aloneRestMs)
}

/** How many are in flight, as parts of as many as were refused, to tell a rate from them. */
const parts = [0.25, 0.5]

/** For how long so many are asked for, and what they rest before, in ms. */
const partMs = 8_000
const aloneRestMs = 3_000

/**
 * Whether it is how many come in some time that is refused: a few at once are taken many times over
 * and then refused, while their number stays the same.
 */
function* isRate(asking: RateAsker, together: number): Questions<boolean> {
  for (const part of parts) {
    const inFlight = Math.ceil(part * together)
    const forMs = partMs
    const few = yield* asking.burst(asking.now + aloneRestMs, 400, { inFlight, forMs })
    if (few.refused) return few.accepted > 3 * inFlight
  }
  return false
}

/** A queue that is refused only where many wait, and holds up those that are asked alone, too. */
function* waiting(
  asking: RateAsker,
  { crowd, single }: { crowd: Burst; single: Burst },
  together: number
): Questions<RateLimit | undefined> {
  const waits = waitsOf(single).sort((a, b) => a - b)
  const usualMs = waits[waits.length >> 1]!
  // Many at once go on no faster, though all together wait for longer.
  const isShared = usualMs > leastWaitMs && paceOf(crowd) < 1.3 * paceOf(single)
  if (waits.length < fewestAlone || !(isHeldUp(usualMs, waits[0]!) || isShared)) return
  // Who is slow by chance is so now and then, and a queue has each wait for as long.
  const even = waits.filter((ms) => Math.abs(ms - usualMs) < 0.25 * usualMs)
  if (even.length < evenShare * waits.length) return
  const found = yield* queued(asking, { single, before: crowd })
  asking.inFlight = together
  return found
}

/**
 * Whether it is open connections that are counted, idle ones as well: those of a burst keep the
 * next request out until they are closed, and on a connection of its own each is accepted. With
 * `isAlone` it is not known yet how fast it may be asked, and some that stay are asked as well.
 */
export function* connected(
  asking: RateAsker,
  { burst = 0, perSecond = 0, isAlone }: Partial<RateLimit> & { isAlone?: boolean }
): Questions<RateLimit | undefined> {
  const { status, inFlight } = asking
  if (burst === 0 || burst > inFlight) return
  for (let round = 0; round < 2; round++) {
    const many = Math.max(3 * burst, 50)
    const at = asking.now + idleMs
    const apart = yield* asking.burst(at, many, { inFlight: 1, isApart: true })
    // Nor does it tell anything where one after another is no faster than the limit found.
    if (apart.refused || apart.accepted < 2 * burst + (2 * perSecond * apart.tookMs) / 1_000) return
    // Asked on half as many that stay it is faster, which a limit on the rate would meet.
    if (isAlone) {
      const half = Math.max(1, burst >> 1)
      const kept = yield* asking.burst(asking.now + idleMs, many, { inFlight: half })
      if (kept.refused) return
    }
    // A bucket that gives back fast lets more through after a rest than there are connections.
    const again = yield* asking.burst(asking.now + idleMs, 4 * inFlight)
    if (!again.refused || again.accepted > inFlight) return
  }
  const because =
    `refusals depend on how many connections are open, idle ones too: of ${inFlight} at once ` +
    'some were refused, one after another none'
  return { algorithm: 'in-flight', status, because, repeats: '2/2' }
}

/** How many times as many as are in flight are let through by no limit on those. */
const mostTimes = 2

/** What is said of refusals that do not occur when asked one after another. */
function crowded(
  { inFlight, status }: RateAsker,
  { crowd, single }: { crowd: Burst; single: Burst }
): RateLimit {
  const slow = `one after another, ${perSecondOf(single)} a second, none`
  const usualMs = waitsOf(single).sort((a, b) => a - b)[single.accepted >> 1] ?? 0
  if (usualMs > leastWaitMs && latePaceOf(crowd) < 1.3 * paceOf(single)) {
    const because =
      `one after another takes ${inMs(usualMs)} each, and many at once go on no faster until ` +
      'some are refused: a queue, which is not even enough to measure'
    return { algorithm: 'unclear', status, because, repeats: '2/2' }
  }
  const isFast = crowd.accepted > mostTimes * inFlight
  const because = isFast
    ? `refused after ${crowd.accepted.toLocaleString('en')}, ${perSecondOf(crowd)} a second, ` +
      `with ${inFlight} in flight, and ${slow}: ${tooFast(inFlight)}`
    : `refusals depend on how many are in flight: with ${inFlight} some were refused, ${slow}, ` +
      'which may be too slow to meet a limit; --limits concurrency asks about them'
  return { algorithm: 'unclear', status, because, repeats: '2/2' }
}

/** What is said where nothing is refused that is asked one after another. */
export function tooFast(inFlight: number): string {
  const other = inFlight === 1 ? 'come by chance' : 'depend on how many are in flight'
  return `it gives back faster than is asked one after another, or refusals ${other}`
}

function perSecondOf({ accepted, tookMs }: Burst): string {
  const perSecond = (1_000 * accepted) / Math.max(1, tookMs)
  return Number(perSecond.toPrecision(2)).toLocaleString('en')
}
