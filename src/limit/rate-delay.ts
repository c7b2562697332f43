import { inMs } from './rate-finding.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { acceptedOf, queued } from './rate-queue.ts'
import { hasLaw, isGrowing, isHeldUp, paceOf, slowed, waitsOf } from './rate-slow.ts'

/** How many are asked one after another to see whether each of them is held up, and how long. */
const alone = { most: 8, inFlight: 1, forMs: 5_000 }

/** How many of them have to be answered to show it, where one was refused. */
const fewestSteady = 5

/** How often that is asked again where many answers came late, and for how many ms before it. */
const mostAgain = 3
const againMs = 1_000

/** How long one is not held up after, in ms, at least. */
const restMs = 1_000

/** How many are asked one by one, each after a rest, to see how long one takes. */
const rested = 3

/**
 * A target that limits by answering later, with or without refusals: throughput flattens while
 * answers take longer, and those asked one after another are held up too, which they are not where
 * the target is only busy or works on few at a time. Undefined where it is not so.
 */
export function* heldUp(asking: RateAsker, first: Burst): Questions<RateLimit | undefined> {
  const waits = waitsOf(first)
  const leastMs = Math.min(...waits)
  if (waits.length < 2 || !isHeldUp(Math.max(...waits), leastMs)) return
  const isLate = (ms: number) => isHeldUp(ms, leastMs)
  const usualMs = middleOf(waits.filter((ms) => !isLate(ms)))
  let single = yield* asking.burst(0, alone.most, alone)
  const isOften = waits.filter(isLate).length > waits.length / 5
  let crowd = first
  const quick = { ms: leastMs, usualMs }
  const lateOnes = () => waitsOf(single).filter(isLate).length
  // The window in which answers are held up may have ended just then.
  for (let again = 0; isOften && again < mostAgain; again++) {
    const isTold = lateOnes() > 1 && hasLaw(crowd, quick)
    if (isTold || lateOnes() > waitsOf(single).length / 2) break
    const next = yield* asking.burst(0, Number.POSITIVE_INFINITY, { forMs: againMs })
    if (next.refused) break
    crowd = next
    single = yield* asking.burst(0, alone.most, alone)
  }
  // One more behind a queue waits no longer than there are others, and alone for no time at all.
  if (isOften && isLate(waitsOf(single)[0] ?? 0) && isGrowing(crowd, quick)) {
    return yield* slowed(asking, crowd, quick)
  }
  const steady = waitsOf(single).slice(1)
  // Before one was refused, some may be late by chance.
  if (steady.length < (single.refused ? fewestSteady : 1)) return
  let quickMs = leastMs
  if (!isHeldUp(middleOf(steady), quickMs)) {
    // What was asked before this began may have held up all of them.
    const rests: number[] = []
    for (let nth = 0; nth < rested; nth++) {
      const at = asking.now + Math.max(restMs, 3 * middleOf(steady))
      rests.push(...waitsOf(yield* asking.burst(at, 1)))
    }
    quickMs = Math.min(leastMs, ...rests)
    // As many answers as these do not all come late by chance.
    if (rests.length === rested && middleOf(steady) > 2 * middleOf(rests) + 3) {
      const isQueue = latePaceOf(crowd) < 1.3 * paceOf(single)
      const queue = isQueue && (yield* queued(asking, single))
      if (queue) return queue
    }
  }
  if (!isHeldUp(middleOf(steady), quickMs)) {
    if (!isOften || lateOnes() < 2) return
    const known = yield* slowed(asking, crowd, quick)
    return known?.burst === undefined ? atTimes(crowd, quickMs) : known
  }
  // What each has to wait for by itself is as long beside others; a queue's rate is shared.
  const isShared = latePaceOf(crowd) < 1.5 * paceOf(single)
  const queue = isShared && (yield* queued(asking, single))
  if (queue) return queue
  return (yield* slowed(asking, crowd, { ...quick, ms: quickMs })) ?? atTimes(crowd, quickMs)
}

/** What is said where windows begin anew on the way; undefined where answers are late unevenly. */
function atTimes(burst: Burst, quickMs: number): RateLimit | undefined {
  const held = waitsOf(burst).filter((ms) => isHeldUp(ms, quickMs))
  const sorted = held.sort((a, b) => a - b)
  const [low, median, high] = [0.1, 0.5, 0.9].map((part) => sorted[Math.floor(part * held.length)])
  if (held.length < alone.most || high! - low! >= 0.3 * median!) return
  const because =
    `answers are held up by ${inMs(median! - quickMs)} at times, and at others not: a slow-down, ` +
    'in windows too short to see from how many on'
  return { algorithm: 'unclear', because, repeats: '1/1' }
}

/** That of the later half: what a queue takes at once after a rest comes first. */
function latePaceOf(burst: Burst): number {
  const times = acceptedOf(burst).map(({ answered }) => answered)
  const late = times.sort((a, b) => a - b).slice(times.length >> 1)
  return (late.length - 1) / Math.max(1, late.at(-1)! - late[0]!)
}

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}
