import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker, Sighting } from './rate-question.ts'
import { acceptedOf } from './rate-row.ts'
import {
  type Law,
  lateAfter,
  lateFrom,
  lawOf,
  type SlowWindow,
  windowsOf
} from './rate-slow-law.ts'
import { isKnown, lengthOf, measured } from './rate-slow-window.ts'
import { inMs, middle, type Span } from './rate-span.ts'

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
  const row: Sighting[] = []
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
    const window = lengthOf(row, whole)
    const law = window && lawOf(whole, { quickMs, lateMs })
    if (law) {
      asking.soFar = said({ law, window })
      const burst = agreed(whole, law, { isLong: middle(window) > longMs })
      if (burst !== undefined) return yield* withWindow(asking, { law, burst }, { row, whole })
    }
    if (whole.length >= mostWindows) return
    if (goneMs < patienceMs && row.length < 2 * many) continue
    // No window ended for as long: all of them may be held up.
    const steady = whole.length === 0 && lawOf([{ waits }], { quickMs, lateMs: lateAfter(quickMs) })
    if (steady) return said({ law: steady })
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

/** What is said of a slow-down once it is known how long its windows are, as far as they show. */
function* withWindow(
  asking: RateAsker,
  known: { law: Law; burst: number },
  seen: Parameters<typeof measured>[2]
): Questions<RateLimit> {
  const tell = (window: Span | undefined) => said({ ...known, window })
  asking.soFar = tell(lengthOf(seen.row, seen.whole, known))
  const window = yield* measured(asking, known, seen, (window) => {
    asking.soFar = tell(window)
  })
  return tell(window)
}

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

function said({
  law: { delayMs, isGrowing },
  burst,
  window
}: {
  law: Law
  burst?: number
  window?: Span | undefined
}): RateLimit {
  const many = burst === undefined ? 'some, how many is not clear,' : burst.toLocaleString('en')
  const later = isGrowing ? `each later by ${inMs(delayMs)} more` : `each later by ${inMs(delayMs)}`
  const until = window === undefined ? '' : `, for ${lengthText(window)} from the first on`
  const length = window && (isKnown(window) ? { windowMs: middle(window) } : { windowIn: window })
  return {
    ...{ algorithm: 'slow-down', delayMs, isGrowing },
    ...(burst !== undefined && { burst }),
    ...length,
    because: `after ${many} at once, ${later}${until}`,
    repeats: burst === undefined ? '1/1' : '2/2'
  }
}

function lengthText(window: Span): string {
  if (isKnown(window)) return inMs(middle(window))
  const [from, to] = [Math.floor(window.from), Math.ceil(window.to)]
  return `${from.toLocaleString('en')} to ${to.toLocaleString('en')} ms`
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
