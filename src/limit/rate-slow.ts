import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { acceptedOf } from './rate-row.ts'
import {
  type Law,
  lateAfter,
  lateFrom,
  lawOf,
  type SlowWindow,
  windowsOf
} from './rate-slow-law.ts'
import { inMs } from './rate-span.ts'

/** For how long it is waited for the end of a window in which answers are held up, in ms. */
const patienceMs = 70_000

/** For how long it is asked one after another to see any that are held up in a row, in ms. */
const noneMs = 8_000

/** How many answers are too few to say that there is no such row, and how many enough. */
const fewest = 12
const many = 4_000

/** How many whole windows are looked at, at most, and how long one may be for that, in ms. */
const mostWindows = 8
const longMs = 15_000

/** For how long it is asked before it is looked at what came of it, in ms. */
const chunkMs = 1_000

/** Whether an answer took so long that it was held up, by what one takes that is not, in ms. */
export function isHeldUp(ms: number, quickMs: number): boolean {
  return ms > lateAfter(quickMs)
}

/**
 * A target that holds up each answer by itself, from so many in a window on. It is asked one after
 * another, so that each has its place in its window: one window ends where answers are quick again,
 * and two of those that were seen from their beginning have to agree. Undefined where it holds up
 * none in a row.
 */
export function* slowed(asking: RateAsker, knownMs: number): Questions<RateLimit | undefined> {
  const since = asking.now
  let quickMs = knownMs
  const row: Answered[] = []
  for (;;) {
    const part = yield* asking.burst(0, Number.POSITIVE_INFINITY, { inFlight: 1, forMs: chunkMs })
    // A limit that refuses, too, is looked for in another way.
    if (part.refused || part.accepted === 0) return
    row.push(...acceptedOf(part))
    const goneMs = asking.now - since
    const waits = row.map(({ sent, answered }) => answered - sent)
    quickMs = Math.min(quickMs, ...waits)
    const lateMs = lateFrom(waits, quickMs)
    const { whole, isAny } = windowsOf(waits, lateMs)
    if (!isAny && (goneMs > noneMs || row.length > many) && row.length > fewest) return
    const windowMs = lengthOf(row, whole)
    const law = windowMs === undefined ? undefined : lawOf(whole, { quickMs, lateMs })
    if (law && windowMs !== undefined) {
      asking.soFar = said({ law, windowMs })
      const burst = agreed(whole, law, { isLong: windowMs > longMs })
      if (burst !== undefined) return said({ law, burst, windowMs })
    }
    if (whole.length >= mostWindows) return
    if (goneMs < patienceMs && row.length < 2 * many) continue
    // No window ended for as long: all of them may be held up.
    const steady = whole.length === 0 && lawOf([{ waits }], { quickMs, lateMs: lateAfter(quickMs) })
    if (steady) return said({ law: steady, windowMs })
    asking.remark = slowing(waits)
    return
  }
}

/** What is said where answers took longer and longer; undefined where they did not. */
function slowing(waits: readonly number[]): string | undefined {
  const part = Math.ceil(waits.length / 5)
  const [first, last] = [waits.slice(0, part), waits.slice(-part)].map((some) => {
    return some.toSorted((a, b) => a - b)[some.length >> 1]!
  }) as [number, number]
  if (last < 1.5 * first) return
  return `one after another took ${inMs(first)} at first and ${inMs(last)} at last`
}

/** When a request was sent and when its answer came, in ms of the clock. */
type Answered = { sent: number; answered: number }

/** From how many on they are held up: two windows say so, or three where another says otherwise. */
function agreed(
  windows: readonly SlowWindow[],
  { afterOf }: Law,
  { isLong }: { isLong: boolean }
): number | undefined {
  const counts = windows.flatMap((one) => afterOf(one) ?? [])
  if (isLong) return counts[0]
  const many = (count: number) => counts.filter((one) => one === count).length
  const most = counts.toSorted((a, b) => many(b) - many(a))[0]
  if (most === undefined) return
  const isSure = many(most) > (many(most) === counts.length ? 1 : 2)
  return isSure && many(most) > counts.length / 2 ? most : undefined
}

/**
 * How long a window is, in ms: the last that was held up came before its end, and the first of the
 * next after it. Undefined where there is no such length for all of them.
 */
function lengthOf(row: readonly Answered[], whole: readonly SlowWindow[]): number | undefined {
  if (whole.length === 0) return
  const least = Math.max(...whole.map(({ from, to }) => row[to - 1]!.sent - row[from]!.answered))
  const most = whole.map(({ from, to }) => row[to]!.answered - row[from]!.sent)
  // One of the clock began before its first request, but after the last of the window before.
  const longest = whole.map(({ from, to }) => row[to]!.answered - row[from - 1]!.sent)
  if (least > Math.min(...longest)) return
  return (least + Math.max(least, Math.min(...most))) / 2
}

function said({
  law: { delayMs, isGrowing },
  burst,
  windowMs
}: {
  law: Law
  burst?: number
  windowMs: number | undefined
}): RateLimit {
  const many = burst === undefined ? 'some, how many is not clear,' : burst.toLocaleString('en')
  const later = isGrowing ? `each later by ${inMs(delayMs)} more` : `each later by ${inMs(delayMs)}`
  const until = windowMs === undefined ? '' : `, for ${inMs(windowMs)} from the first on`
  return {
    ...{ algorithm: 'slow-down', delayMs, isGrowing },
    ...(burst !== undefined && { burst }),
    ...(windowMs !== undefined && { windowMs }),
    because: `after ${many} at once, ${later}${until}`,
    repeats: burst === undefined ? '1/1' : '2/2'
  }
}

/** How long each of the accepted took, in ms, in the order of sending. */
export function waitsOf(burst: Burst): number[] {
  return acceptedOf(burst).map(({ sent, answered }) => answered - sent)
}

/** How many are answered a ms, from the first answer to the last. */
export function paceOf(burst: Burst): number {
  const times = acceptedOf(burst).map(({ answered }) => answered)
  return (times.length - 1) / Math.max(1, Math.max(...times) - Math.min(...times))
}
