import type { Burst, Questions, RateAsker, Sighting } from './rate-question.ts'
import { acceptedOf } from './rate-row.ts'
import type { Law, SlowWindow } from './rate-slow-law.ts'
import { middle, type Span } from './rate-span.ts'

/** By what part of itself a window may be longer or shorter than the number that is told. */
const mostOff = 0.03

/** By what part of itself it may be so once it was asked about its end, and how often it is. */
const enough = 0.015
const rounds = { least: 2, most: 4 }

/** For how long a busy machine may hold up one that is not, in ms. */
const stallMs = 150

/** How many are sent around the end, and how long before the least that is known, at least. */
const around = 12
const ahead = { part: 0.03, ms: 50 }

/** After how long without any it is asked anew, in windows: at another time of a clock. */
const peace = 1.3

/** What part of how long one is held up another may take at most that is not. */
const quickPart = 0.8

/** What was seen of the length of windows, in ms. */
type LengthBounds = {
  /** What it is more than, each time; one that was late may have been of the next window. */
  least: number[]
  /** What it is less than. */
  most: number
}

/** A slow-down whose window is to be measured. */
export type SlowKnown = { law: Law; burst: number }

/** Whether a window is known so well that it is told as a number. */
export function isKnown(window: Span): boolean {
  return isWithin(window, mostOff)
}

function isWithin(window: Span, part: number): boolean {
  return window.to - window.from <= 2 * part * middle(window)
}

/**
 * Between which two lengths windows are that were asked one after another: the last that was held
 * up came before an end, and the first that was not after it, however long the one before took.
 * Undefined where there is no such length for all of them.
 */
export function lengthOf(
  row: readonly Sighting[],
  whole: readonly SlowWindow[],
  known?: SlowKnown
): Span | undefined {
  const bounds = boundsOf(row, whole, known)
  const window = spanOf(bounds)
  return whole.length > 0 && window.from <= window.to ? window : undefined
}

function boundsOf(
  row: readonly Sighting[],
  whole: readonly SlowWindow[],
  known?: SlowKnown
): LengthBounds {
  // Where a window seemed to begin too late, too few are let through at once.
  const sure = whole.filter((one) => !known || known.law.afterOf(one) === known.burst)
  return {
    least: sure.map(({ from, to }) => row[to - 1]!.sent - row[from]!.answered),
    // One of the clock began before its first request, but after the last of the window before.
    most: Math.min(...sure.map(({ from, to }) => row[to]!.answered - row[from - 1]!.sent))
  }
}

/** What is seen twice, or leaves room for a machine that stood still, is so. */
function spanOf({ least, most }: LengthBounds): Span {
  const [first = 0, second = 0] = least.toSorted((a, b) => b - a)
  return { from: Math.max(first - stallMs, second, 0), to: most }
}

/**
 * Asks right before and after the end of windows that begin with a request after a rest, until it
 * is known how long they are, and gives what is known so far to `tell`. A window of the clock does
 * not begin with a request: what is known without asking so is all there is then.
 */
export function* measured(
  asking: RateAsker,
  known: SlowKnown,
  seen: { row: readonly Sighting[]; whole: readonly SlowWindow[] },
  tell: (window: Span) => void
): Questions<Span> {
  const bounds = boundsOf(seen.row, seen.whole, known)
  const before = spanOf(bounds)
  if (isKnown(before)) return before
  let told = before
  for (let [nth, ends] = [0, 0]; nth < rounds.most; nth++) {
    const end = yield* endOf(asking, known, spanOf(bounds))
    // Of windows that begin with a request one ends meanwhile, each time.
    if (end === 'open') return before
    if (end === 'late') continue
    bounds.least.push(...end.least)
    bounds.most = Math.min(bounds.most, end.most)
    const window = spanOf(bounds)
    if (window.from > window.to) return before
    if (++ends < rounds.least) continue
    told = window
    tell(told)
    if (isWithin(told, enough)) break
  }
  return told
}

/**
 * What one window shows that is asked for after a rest, and around its end: `late` where that took
 * too long to tell, and `open` where it did not end.
 */
function* endOf(
  asking: RateAsker,
  { law, burst }: SlowKnown,
  window: Span
): Questions<LengthBounds | 'late' | 'open'> {
  const over = law.isGrowing ? Math.ceil(stallMs / law.delayMs) : 1
  const crowd = yield* asking.burst(asking.now + peace * window.to, burst + over)
  const begun = beginningOf(crowd)
  const leadMs = ahead.part * window.from + ahead.ms
  const at = begun.to + window.from - leadMs
  // What is asked for too slowly tells nothing about the end.
  if (crowd.refused || asking.now > at) return 'late'
  const everyMs = (window.to - window.from + 1.5 * leadMs) / (around - 1)
  const probes = acceptedOf(yield* asking.burst(at, around, { inFlight: around, everyMs }))
  const heldMs = law.isGrowing ? (over + 1) * law.delayMs : law.delayMs
  const isQuick = ({ sent, answered }: Sighting) => answered - sent < quickPart * heldMs
  const first = probes.findIndex(isQuick)
  if (first < 0) return 'open'
  return {
    least: probes.slice(Math.max(0, first - 1), first).map(({ sent }) => sent - begun.to),
    // Whoever is not held up came after the end, and nothing else is as sure.
    most: Math.min(...probes.filter(isQuick).map(({ answered }) => answered)) - begun.from
  }
}

/** When the first of some was decided on. */
function beginningOf({ seen }: Burst): Span {
  return {
    from: Math.min(...seen.map(({ sent }) => sent)),
    to: Math.min(...seen.map(({ answered }) => answered))
  }
}
