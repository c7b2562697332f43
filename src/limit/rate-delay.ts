import { inMs } from './rate-finding.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { acceptedOf, queued } from './rate-queue.ts'

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

/** For how long it is looked for the end of a window in which answers are held up, in ms. */
const windowPatienceMs = 70_000

/**
 * A target that limits by answering later, with or without refusals: throughput flattens while
 * answers take longer, and those asked one after another are held up too, which they are not where
 * the target is only busy or works on few at a time. Undefined where it is not so.
 */
export function* heldUp(asking: RateAsker, first: Burst): Questions<RateLimit | undefined> {
  const waits = waitsOf(first)
  if (waits.length < 2 || !isHeldUp(Math.max(...waits), Math.min(...waits))) return
  let single = yield* asking.burst(0, alone.most, alone)
  const isLate = (ms: number) => isHeldUp(ms, Math.min(...waits))
  const isOften = waits.filter(isLate).length > waits.length / 5
  let again = 0
  // The window in which answers are held up may have ended just then.
  for (; isOften && again < mostAgain && !waitsOf(single).some(isLate); again++) {
    const crowd = yield* asking.burst(0, Number.POSITIVE_INFINITY, { forMs: againMs })
    if (crowd.refused) break
    single = yield* asking.burst(0, alone.most, alone)
  }
  const steady = waitsOf(single).slice(1)
  // Before one was refused, some may be late by chance.
  if (steady.length < (single.refused ? fewestSteady : 1)) return
  let quickMs = Math.min(...waits)
  if (!isHeldUp(middleOf(steady), quickMs)) {
    // What was asked before this began may have held up all of them.
    const rests: number[] = []
    for (let nth = 0; nth < rested; nth++) {
      const at = asking.now + Math.max(restMs, 3 * middleOf(steady))
      rests.push(...waitsOf(yield* asking.burst(at, 1)))
    }
    quickMs = Math.min(...waits, ...rests)
    // As many answers as these do not all come late by chance.
    if (rests.length === rested && middleOf(steady) > 2 * middleOf(rests) + 3) {
      const isQueue = latePaceOf(first) < 1.3 * paceOf(single)
      if (isQueue) return yield* queued(asking, single)
    }
  }
  if (!isHeldUp(middleOf(steady), quickMs)) {
    return isOften && steady.some(isLate) ? atTimes(first, quickMs) : undefined
  }
  // What each has to wait for by itself is as long beside others; a queue's rate is shared.
  const isShared = latePaceOf(first) < 1.5 * paceOf(single)
  if (isShared) return yield* queued(asking, single)
  const isOver = again > 0 || steady.some((ms) => !isHeldUp(ms, quickMs))
  return (yield* slowed(asking, first, { quickMs, isOver })) ?? atTimes(first, quickMs)
}

/** Whether an answer took so long that it was held up, by what one takes that is not, in ms. */
function isHeldUp(ms: number, quickMs: number): boolean {
  return ms > 3 * quickMs + 15
}

/** A target that holds up each answer from so many in a window on: by how much, and until when. */
function* slowed(
  asking: RateAsker,
  first: Burst,
  { quickMs, isOver }: { quickMs: number; isOver: boolean }
): Questions<RateLimit | undefined> {
  const law = delayOf(first, quickMs)
  if (!law) return
  // Where a window ended on the way it is not known since when the next one goes on.
  if (isOver) return said({ ...law, burst: law.free, isLeast: true })
  const began = first.first.from
  let burst = law.free
  let slowAt = asking.now
  let ended: number | undefined
  asking.soFar = said({ ...law, burst, isLeast: true })
  while (ended === undefined && asking.now - began < windowPatienceMs) {
    const gapMs = Math.max(200, 0.05 * (asking.now - began))
    const one = yield* asking.burst(asking.now + gapMs, 1)
    const [ms = 0] = waitsOf(one)
    if (isHeldUp(ms, quickMs)) slowAt = one.first.from
    else if (one.accepted > 0) ended = (slowAt + one.first.to) / 2
  }
  if (ended === undefined) return said({ ...law, burst, isLeast: true })
  // Others may have asked before this began, so that what is free is counted anew.
  const again = yield* asking.burst(0, Number.POSITIVE_INFINITY, { forMs: 3 * law.delayMs + 500 })
  const free = delayOf(again, quickMs)?.free
  if (free !== undefined) burst = free + 1
  return said({ ...law, burst, isLeast: free === undefined, windowMs: ended - began })
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

type DelayLaw = { free: number; delayMs: number; isGrowing: boolean }

/** How many came without delay before all that did not, and by how much those were held up. */
function delayOf(burst: Burst, quickMs: number): DelayLaw | undefined {
  const waits = waitsOf(burst)
  const held = waits.filter((ms) => isHeldUp(ms, quickMs)).sort((a, b) => a - b)
  if (held.length < 4) return
  const median = middleOf(held)
  const even = held.filter((ms) => ms > quickMs + median / 2)
  const spread = even[Math.floor(0.9 * even.length)]! - even[Math.floor(0.1 * even.length)]!
  const isEven = spread < 0.3 * median
  // Beside a delay that is the same for all, what is late by less is late for some other reason.
  const slow = isEven ? even : held
  const free = waits.length - slow.length
  if (waits.slice(free + 16).some((ms) => ms < slow[0]!)) return
  if (isEven) return { free, delayMs: middleOf(slow) - quickMs, isGrowing: false }
  const step = middleOf(slow.slice(1).map((ms, index) => ms - slow[index]!))
  const isLadder = slow.every((ms, index) => {
    return Math.abs(ms - quickMs - (index + 1) * step) < 0.25 * (index + 2) * step
  })
  return isLadder ? { free, delayMs: step, isGrowing: true } : undefined
}

type Slowed = DelayLaw & { burst: number; isLeast: boolean; windowMs?: number }

function said({ burst, delayMs, isGrowing, isLeast, windowMs }: Slowed): RateLimit {
  const many = `${isLeast ? 'at least ' : ''}${burst.toLocaleString('en')}`
  const later = isGrowing ? `each later by ${inMs(delayMs)} more` : `each later by ${inMs(delayMs)}`
  const until = windowMs === undefined ? '' : `, for ${inMs(windowMs)} from the first on`
  return {
    ...{ algorithm: 'slow-down', burst, delayMs, isGrowing },
    ...(windowMs !== undefined && { windowMs }),
    because: `after ${many} at once, ${later}${until}`,
    repeats: isLeast ? '1/1' : '2/2'
  }
}

/** How long each of the accepted took, in ms, in the order of sending. */
function waitsOf(burst: Burst): number[] {
  return acceptedOf(burst).map(({ sent, answered }) => answered - sent)
}

/** That of the later half: what a queue takes at once after a rest comes first. */
function latePaceOf(burst: Burst): number {
  const times = acceptedOf(burst).map(({ answered }) => answered)
  const late = times.sort((a, b) => a - b).slice(times.length >> 1)
  return (late.length - 1) / Math.max(1, late.at(-1)! - late[0]!)
}

/** How many are answered a ms, from the first answer to the last. */
function paceOf(burst: Burst): number {
  const times = acceptedOf(burst).map(({ answered }) => answered)
  return (times.length - 1) / Math.max(1, Math.max(...times) - Math.min(...times))
}

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}
