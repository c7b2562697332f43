import { batched } from './rate-batches.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { queued } from './rate-queue.ts'
import { logged } from './rate-queued-log.ts'
import { acceptedOf } from './rate-row.ts'
import { isHeldUp, paceOf, slowed, waitsOf } from './rate-slow.ts'
import { lateAfter } from './rate-slow-law.ts'
import { inMs, middleOf } from './rate-span.ts'

/** How many are asked one after another to see whether each of them is held up, and how long. */
const alone = { most: 8, inFlight: 1, forMs: 5_000 }

/** How many of them have to be answered to show it, where one was refused. */
const fewestSteady = 5

/** What is said of a queue that is none to measure. */
const uneven = 'answers wait for each other, as in a queue, but not evenly enough to measure it'

/** What part of many at once has to be late so that it is seen there. */
const many = 0.3

/** How many at once are to show whether they wait for each other, and for how many ms, at least. */
const some = 8
const leastFewMs = 600

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
  const { soFar } = asking
  const together = (yield* logged(asking, first)) ?? (yield* batched(asking, first))
  const found = together ?? (yield* delayed(asking, first))
  // What looked like one on the way is none of what is looked for next.
  if (!found) asking.soFar = soFar
  return found
}

function* delayed(asking: RateAsker, first: Burst): Questions<RateLimit | undefined> {
  const waits = waitsOf(first)
  const leastMs = Math.min(...waits)
  if (waits.length < 2 || !isHeldUp(Math.max(...waits), leastMs)) return
  const isLate = (ms: number) => isHeldUp(ms, leastMs)
  const isOften = isOftenLate(waits)
  const single = yield* asking.burst(0, alone.most, alone)
  const steady = waitsOf(single).slice(1)
  // Before one was refused, some may be late by chance.
  if (steady.length < (single.refused ? fewestSteady : 1)) {
    return isOften ? yield* eachSlowed(asking, first, leastMs) : undefined
  }
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
      const isQueue = latePaceOf(first) < 1.3 * paceOf(single)
      const queue = isQueue && (yield* queued(asking, { single, before: first }))
      if (queue) return queue
    }
  }
  const isSteady = isHeldUp(middleOf(steady), quickMs)
  if (isSteady && (yield* isShared(asking, single))) {
    const before = first
    const queue = (yield* queued(asking, { single, before })) ?? (yield* again(asking, before))
    // Who refuses, too, may limit in another way.
    if (queue || first.refused) return queue
    return { algorithm: 'unclear', because: uneven, repeats: '0/2' }
  }
  if (!isSteady && !isOften) return
  const slow = yield* eachSlowed(asking, first, quickMs)
  if (slow) return slow
  const isSeen = isSteady || waitsOf(single).filter(isLate).length > 1
  const told = atTimes(first, quickMs)
  return told && (isSeen || (yield* isAsLate(asking, first, quickMs))) ? told : undefined
}

/**
 * A slow-down that also explains how long many at once took: where one waits for another, each is
 * held up for longer then.
 */
function* eachSlowed(
  asking: RateAsker,
  first: Burst,
  quickMs: number
): Questions<RateLimit | undefined> {
  const found = yield* slowed(asking, quickMs)
  if (!found || found.isGrowing || found.delayMs === undefined) return found
  const mostMs = 1.5 * found.delayMs + lateAfter(quickMs) + stallMs
  const waits = waitsOf(first)
  const beyond = waits.filter((ms) => ms > mostMs)
  if (beyond.length <= mostBeyond * waits.length) return found
  const because =
    `one after another is held up by ${inMs(found.delayMs)}, and of many at once some by ` +
    `${inMs(Math.max(...beyond))}: they wait for each other, in no way that is known`
  return { algorithm: 'unclear', because, repeats: '0/2' }
}

/** For how long a busy machine may stand still, in ms, and what part of answers that may meet. */
const stallMs = 150
const mostBeyond = 0.1

/** Whether more came late than do by chance. */
export function isOftenLate(waits: readonly number[]): boolean {
  const leastMs = Math.min(...waits)
  return waits.filter((ms) => isHeldUp(ms, leastMs)).length > waits.length / 5
}

/** Whether a few at once go on no faster than one after another: a queue's rate is shared. */
function* isShared(asking: RateAsker, single: Burst): Questions<boolean> {
  const oneMs = middleOf(waitsOf(single))
  const forMs = Math.max(leastFewMs, 8 * oneMs)
  const few = yield* asking.burst(0, Number.POSITIVE_INFINITY, { inFlight: some, forMs })
  return few.refused !== undefined || paceOf(few) * oneMs < Math.sqrt(some)
}

/** A queue that did not look like one, asked once more: whatever held it up may be over. */
function* again(asking: RateAsker, before: Burst): Questions<RateLimit | undefined> {
  const single = yield* asking.burst(asking.now + restMs, alone.most, alone)
  return yield* queued(asking, { single, before })
}

/**
 * Whether a few at once are held up for as long as many: who works on one after another takes as
 * much less as they are fewer.
 */
function* isAsLate(asking: RateAsker, first: Burst, quickMs: number): Questions<boolean> {
  const lateOf = (burst: Burst) => waitsOf(burst).filter((ms) => isHeldUp(ms, quickMs))
  const late = lateOf(first)
  if (late.length < many * waitsOf(first).length) return false
  const manner = { inFlight: Math.ceil(asking.inFlight / 4), forMs: fewForMs }
  const few = lateOf(yield* asking.burst(0, Number.POSITIVE_INFINITY, manner))
  return few.length >= alone.most && middleOf(few) > 0.7 * middleOf(late)
}

/** For how long a few at once are asked, in ms. */
const fewForMs = 3_000

/** What is said where windows begin anew on the way; undefined where answers are late unevenly. */
function atTimes(burst: Burst, quickMs: number): RateLimit | undefined {
  const held = waitsOf(burst).filter((ms) => isHeldUp(ms, quickMs))
  const sorted = held.sort((a, b) => a - b)
  const [low, median, high] = [0.25, 0.5, 0.75].map((part) => {
    return sorted[Math.floor(part * held.length)]
  })
  // Who is slow by chance is so by ever other times, and by less more often than by more.
  const near = held.filter((ms) => ms < 0.7 * median!)
  const isApart = near.length < 0.1 * held.length
  if (held.length < alone.most || !isApart || high! - low! >= 0.3 * median!) return
  const because =
    `answers are held up by ${inMs(median! - quickMs)} at times, and at others not: a slow-down, ` +
    'or a window that delays, and too short to see from how many on'
  return { algorithm: 'unclear', because, repeats: '1/1' }
}

/** That of the later half: what a queue takes at once after a rest comes first. */
export function latePaceOf(burst: Burst): number {
  const times = acceptedOf(burst).map(({ answered }) => answered)
  const late = times.sort((a, b) => a - b).slice(times.length >> 1)
  return (late.length - 1) / Math.max(1, late.at(-1)! - late[0]!)
}
