import { inMs } from './rate-finding.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { acceptedOf } from './rate-queue.ts'

/** For how long it is looked for the end of a window in which answers are held up, in ms. */
const patienceMs = 70_000

/** How many windows are begun to count twice as many, and how long one may be for that, in ms. */
const mostWindows = 5
const longMs = 15_000

/** For how long a new window is asked as fast as it goes, in ms, at least. */
const leastMs = 500

/** How many in a row have to be held up to show by how much, and how many may be out of order. */
const leastRow = 6
const outOfOrder = 10

/** How many that are not held up may stand in a row, as they were sent earlier and came later. */
const mostOvertaken = 3

/** By how much a row's waits grow, as a part of their middle: of an even one, and of a growing. */
const mostEven = 0.4
const leastGrowing = 1.2

/** How many in their order show that each waits longer than the one before. */
const leastLadder = 5

/** How long answers take that are not held up, at least, and usually, in ms. */
export type Quick = { ms: number; usualMs: number }

/** By how much each is held up, or with `isGrowing` each one more than the one before, in ms. */
type Law = { delayMs: number; isGrowing: boolean }

/** Whether an answer took so long that it was held up, by what one takes that is not, in ms. */
export function isHeldUp(ms: number, quickMs: number): boolean {
  return ms > 3 * quickMs + 15
}

/**
 * A target that holds up each answer by itself, from so many in a window on: by how much a crowd
 * shows, and from how many on windows that are seen to begin, until two of them agree.
 */
export function* slowed(
  asking: RateAsker,
  crowd: Burst,
  known: Quick
): Questions<RateLimit | undefined> {
  // The quickest answer of all is known ever better; a crowd's may all be late for another reason.
  const quick = { ...known }
  const law = lawOf(crowd, quick)
  if (!law) return
  const free = freeOf(crowd, law, quick)
  const told = { ...law, least: Math.max(1, free) }
  asking.soFar = said(told)
  const counts: number[] = []
  const waits: number[] = []
  let windowMs: number | undefined
  let began: number | undefined
  let longer = 1
  for (let nth = 0; nth < mostWindows; nth++) {
    // After a crowd each of a growing one is held up by many steps.
    const lateMs = (law.isGrowing ? 3 : 0.95) * law.delayMs
    const start = yield* nextWindow(asking, quick, lateMs)
    if (law.isGrowing) told.delayMs = medianOf([...waits, law.delayMs])
    else told.delayMs = leastOf([...waits, law.delayMs + known.ms]) - quick.ms
    if (!start) return said({ ...told, windowMs })
    if (began !== undefined) windowMs = start.endedAt - began
    const isLong = (windowMs ?? start.waitedMs) > longMs
    const burst = agreed(counts, law) ?? (isLong ? counts[0] : undefined)
    if (burst !== undefined) return said({ ...told, burst, windowMs })
    began = start.beganAt
    const forMs = Math.max(leastMs, (law.isGrowing ? 10 : 3) * law.delayMs)
    const again = yield* asking.burst(0, Number.POSITIVE_INFINITY, { forMs: longer * forMs })
    quick.ms = Math.min(quick.ms, ...waitsOf(again))
    // Where none was held up yet it is asked for longer the next time.
    const own = lawOf(again, quick)
    const { from, to } = longestRow(waitsOf(again), quick.ms)
    if (to - from < leastRow) longer *= 2
    if (to - from < leastRow) continue
    // The crowd may have met the end of a window, and what began with one is surer.
    if (own?.isGrowing === law.isGrowing) {
      waits.push(law.isGrowing ? own.delayMs : own.delayMs + quick.ms)
    }
    counts.push(1 + freeOf(again, told, quick))
    told.least = Math.max(...counts)
  }
  return said({ ...told, windowMs })
}

/**
 * What two windows agree about, and three where another was said to let through more, or where it
 * rests on how long each waited.
 */
function agreed(counts: readonly number[], { isGrowing }: Law): number | undefined {
  const often = counts.filter((one) => counts.filter((other) => other === one).length > 1)
  const most = Math.max(...often)
  const many = counts.filter((one) => one === most).length
  const isLess = isGrowing || counts.some((one) => one > most)
  return many > (isLess ? 2 : 1) ? most : undefined
}

/**
 * Asks one at a time until one is not held up by as much, which begins a window: when it was, and
 * when the one before ended. Others may be late that are not held up, and count all the same.
 */
function* nextWindow(asking: RateAsker, quick: Quick, lateMs: number) {
  const since = asking.now
  let slowAt = asking.now
  while (asking.now - since < patienceMs) {
    const gapMs = Math.max(100, 0.02 * (asking.now - since))
    const one = yield* asking.burst(asking.now + gapMs, 1)
    const [ms] = waitsOf(one)
    if (ms === undefined) return
    const beganAt = (one.first.from + one.first.to) / 2
    const waitedMs = asking.now - since
    quick.ms = Math.min(quick.ms, ms)
    if (ms < quick.ms + lateMs) return { beganAt, endedAt: (slowAt + one.first.to) / 2, waitedMs }
    slowAt = one.first.from
  }
}

/** Whether a crowd shows by how much each is held up. */
export function hasLaw(crowd: Burst, quick: Quick): boolean {
  return lawOf(crowd, quick) !== undefined
}

/** Whether each of a crowd was held up by more than the one before. */
export function isGrowing(crowd: Burst, quick: Quick): boolean {
  return lawOf(crowd, quick)?.isGrowing === true
}

/** By how much those are held up that a crowd asked in a row; undefined where they are too few. */
function lawOf(crowd: Burst, quick: Quick): Law | undefined {
  const waits = waitsOf(crowd)
  const { from, to } = longestRow(waits, quick.ms)
  const row = waits.slice(from, to).filter((ms) => isHeldUp(ms, quick.ms))
  if (row.length < leastRow) return
  const growth = (slopeOf(row) * row.length) / medianOf(row)
  if (growth < mostEven) {
    // Those that begin it may be late for another reason, and so may those that end it.
    const trim = Math.min(outOfOrder, Math.ceil(row.length / 3))
    const sure = row.slice(trim, -trim).sort((a, b) => a - b)
    const at = (part: number) => sure[Math.floor(part * (sure.length - 1))]!
    const isEven = at(0.9) - at(0.1) < 0.5 * at(0.5)
    return isEven ? { delayMs: leastOf(sure) - quick.ms, isGrowing: false } : undefined
  }
  if (growth < leastGrowing) return
  const ordered = inOrder(waits, { from, to })
  if (ordered.length < leastLadder) return
  const steps = ordered.flatMap((ms, index) => {
    return ordered.slice(index + 2).map((later, nth) => (later - ms) / (nth + 2))
  })
  const delayMs = medianOf(steps)
  const isLadder = ordered.every((ms, index) => {
    const due = medianOf(ordered) + (index - (ordered.length >> 1)) * delayMs
    return Math.abs(ms - due) < 2.5 * delayMs
  })
  return isLadder && delayMs > 0 ? { delayMs, isGrowing: true } : undefined
}

/** The later ones of a row: each was sent as one before was answered, so none overtook another. */
function inOrder(waits: readonly number[], { from, to }: { from: number; to: number }): number[] {
  return waits.slice(Math.max(from + outOfOrder, to - ((to - from) >> 1)), to)
}

function slopeOf(values: readonly number[]): number {
  const mean = (values.length - 1) / 2
  const spread = values.reduce((sum, _, index) => sum + (index - mean) ** 2, 0)
  return values.reduce((sum, value, index) => sum + (index - mean) * value, 0) / spread
}

/** How many of a crowd were let through before the first that was held up. */
function freeOf(crowd: Burst, { delayMs, isGrowing }: Law, quick: Quick): number {
  const waits = waitsOf(crowd)
  const { from, to } = longestRow(waits, quick.ms)
  const isFree = (ms: number) => ms < quick.ms + 0.95 * delayMs
  if (!isGrowing) return waits.slice(0, to).filter(isFree).length
  // Each wait tells which place after the last free one it has; those that come later are in order.
  const ordered = inOrder(waits, { from, to })
  const first = to - ordered.length + 1
  const places = ordered.map((ms, index) => first + index - (ms - quick.usualMs) / delayMs)
  return Math.max(0, Math.round(medianOf(places)))
}

/**
 * Where the longest row of those that are held up begins, and where it is over: with as few others
 * in it as may have been overtaken.
 */
function longestRow(waits: readonly number[], quickMs: number): { from: number; to: number } {
  let longest = { from: 0, to: 0 }
  let row = { from: 0, to: 0 }
  for (const [index, ms] of waits.entries()) {
    if (!isHeldUp(ms, quickMs)) continue
    row = { from: index - row.to > mostOvertaken ? index : row.from, to: index + 1 }
    if (row.to - row.from > longest.to - longest.from) longest = row
  }
  return longest
}

/** The least of those that are not far from most. */
function leastOf(numbers: readonly number[]): number {
  const median = medianOf(numbers)
  return Math.min(...numbers.filter((one) => one >= 0.8 * median))
}

function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

type Told = Law & { least: number; burst?: number; windowMs?: number | undefined }

function said({ burst, least, delayMs, isGrowing, windowMs }: Told): RateLimit {
  const many = `${burst === undefined ? 'at least ' : ''}${(burst ?? least).toLocaleString('en')}`
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
