import type { Pace } from './rate-known.ts'
import type { Burst, Questions, RateAsker, Release } from './rate-question.ts'
import { meets, middle, plus, type Span, scaled, widened } from './rate-span.ts'

/** What a trial speaks for. */
export type Kind =
  | 'clock'
  | 'first-request'
  | 'sliding-log'
  | 'sliding-counter'
  | 'own-counter'
  | 'token-bucket'

/** When to ask for which part of the level. */
export type RatePlan = {
  at: number
  /** How many windows lie between the reference and the boundary that comes after `at`. */
  windows: number
  /** How many to ask for at first; the rest a quarter of a window later. */
  part: number
  /** How much later that is, as a part of the window, where it is no quarter. */
  apart?: number
}

/** What one trial saw. */
export type LimiterTrial = {
  plan: RatePlan
  /** When the first was accepted. */
  start: Span
  /** How many were accepted from then on until all was refused, and when that was. */
  accepted: number
  refused: Span
  /** When the last of them was known to be accepted, and the last refused one was sent. */
  acceptedBy: number
  refusedFrom: number
  /** When the rest was asked for, and for how long the part was, in ms. */
  restAt: number
  tookMs: number
  release: Release
  /** How many were accepted after the release, and when the next was refused. */
  regained: number
  regainedBy: number
}

/**
 * Asks for a part of the level at a time between two boundaries, for the rest a quarter of a window
 * later, waits for the refusal to end, and sees how much is given back at once. Undefined where the
 * part alone was refused.
 */
export function* trial(
  asking: RateAsker,
  plan: RatePlan,
  known: Pace
): Questions<LimiterTrial | Burst> {
  const windowMs = middle(windowOf(known))
  const spacingMs = middle(known.spacing)
  const head = yield* asking.burst(plan.at, plan.part)
  const isWhole = plan.part === Number.POSITIVE_INFINITY
  if (!isWhole && (head.refused || head.accepted === 0)) return head
  const start = head.first
  const tail = isWhole ? head : yield* asking.burst(plan.at + (plan.apart ?? 0.25) * windowMs)
  if (!tail.refused) return tail
  const accepted = isWhole ? head.accepted : head.accepted + tail.accepted
  const refusedFrom = asking.refusedAt
  const gap = () => {
    // A bucket holds the next token soon, and how many it held shows by when exactly that is.
    const isSoon = isWhole && asking.now - refusedFrom < 2 * spacingMs
    if (isSoon) return Math.min(windowMs / 150, spacingMs / 8)
    return Math.max(windowMs / 150, 0.08 * (asking.now - plan.at - 1.6 * windowMs))
  }
  const release = yield* asking.release(asking.now, gap)
  const again = yield* asking.burst(asking.now + 1.2 * head.tookMs)
  return {
    plan,
    start,
    accepted,
    refused: tail.refused,
    acceptedBy: tail.first.from + tail.tookMs,
    refusedFrom,
    restAt: tail.first.from,
    tookMs: head.tookMs,
    release,
    regained: 1 + again.accepted,
    regainedBy: again.refused?.to ?? Number.POSITIVE_INFINITY
  }
}

/** How far a window may be off what was measured before, as a part of itself. */
const tolerance = 0.03

/**
 * The one kind of limiter that would have done what a trial saw, with times a quarter of a window
 * apart: undefined where there is none, or more than one.
 *
 * A window of the clock ends at a boundary, whatever was asked; one from the first request, and a
 * log, a window after the start. The log gives back the part that is a window old, the window all.
 * A counter gives back little, and only from a boundary on, or from the end of a window of its own;
 * a bucket gives back one at a time.
 */
export function kindOf(seen: LimiterTrial, known: Pace): Kind | undefined {
  const fits = fitting(seen, known)
  // Before its window is measured a counter's boundary may be anywhere, but a bucket's drop is not.
  if (!known.isMeasured && fits.includes('token-bucket')) return 'token-bucket'
  return fits.length === 1 ? fits[0] : undefined
}

/** Whether more than one kind of limiter would have done what a trial saw. */
export function isUndecided(seen: LimiterTrial, known: Pace): boolean {
  return fitting(seen, known).length > 1
}

function fitting(seen: LimiterTrial, known: Pace): Kind[] {
  return (Object.keys(rules) as Kind[]).filter((kind) => rules[kind](seen, known))
}

/** Of fewer a clock's boundary and the end of a window of its own cannot be told apart. */
export const leastOwn = 7

const rules: Record<Kind, (seen: LimiterTrial, known: Pace) => boolean> = {
  clock: (seen, known) =>
    !known.isGradual &&
    isAll(seen, known) &&
    meets(seen.release, boundary(known, seen.plan.windows)) &&
    !meets(seen.release, ownEnd(seen, known)),
  'first-request': (seen, known) =>
    !known.isGradual && known.level > 1 && isAll(seen, known) && isWindowLater(seen, known),
  'sliding-log': (seen, known) =>
    !known.isGradual && known.level > 1 && isPart(seen, known) && isWindowLater(seen, known),
  'sliding-counter': (seen, known) =>
    known.isGradual &&
    seen.regained <= 0.3 * known.level + 1 &&
    isLong(seen, known) &&
    isBoundary(seen, known),
  'own-counter': (seen, known) =>
    known.isGradual &&
    known.level >= leastOwn &&
    seen.regained <= 0.3 * known.level + 1 &&
    isLong(seen, known) &&
    isOwnEnd(seen, known),
  'token-bucket': (seen, known) =>
    (known.isGradual || known.level === 1) && meets(seen.release, nextDrop(seen, known))
}

function isAll({ regained }: LimiterTrial, { level }: Pace): boolean {
  return regained >= 0.8 * level
}

function isPart({ regained, plan }: LimiterTrial, { level }: Pace): boolean {
  return regained < 0.8 * level && Math.abs(regained - plan.part) <= 0.15 * level
}

/** When a window of the clock begins, if the reference was such a time: so many windows later. */
function boundary(known: Pace, windows: number): Span {
  const window = scaled(windowOf(known), windows)
  return widened(plus(known.reference, window), tolerance * window.to)
}

/** Whether a trial's refusal was longer than a bucket's, which holds the next token soon. */
export function isLong({ release, refused }: LimiterTrial, { spacing }: Pace): boolean {
  return release.from - refused.to > 1.5 * spacing.to
}

/** Whether a counter gives back so soon after the boundary meant, and after no other. */
function isBoundary({ plan, release }: LimiterTrial, known: Pace): boolean {
  const near = [plan.windows - 1, plan.windows, plan.windows + 1].filter((windows) => {
    const { from, to } = boundary(known, windows)
    return meets(release, { from, to: to + known.spacing.to })
  })
  return near.length === 1 && near[0] === plan.windows
}

/**
 * Milliseconds of the window, if it is one. A counter whose level is small gives back one less in a
 * window than it takes at once, as long as it is asked all the time.
 */
export function windowOf({ level, spacing, isGradual, isMeasured }: Pace): Span {
  const window = scaled(spacing, level)
  if (!isGradual || isMeasured) return window
  return { from: window.from * (1 - 1 / level), to: window.to }
}

/** When a window that began at the start ends. */
function ownEnd({ start }: LimiterTrial, { ownSpacing, level }: Pace): Span {
  const window = scaled(ownSpacing, level)
  return widened(plus(start, window), tolerance * window.to)
}

/** Whether a counter gives back from the end of a window on that began with the first request. */
function isOwnEnd(seen: LimiterTrial, known: Pace): boolean {
  const { from, to } = ownEnd(seen, known)
  return meets(seen.release, { from, to: to + known.spacing.to })
}

/** Whether the release came a window after the start, and was over when the rest's was due. */
function isWindowLater(seen: LimiterTrial, known: Pace): boolean {
  const restEnd = seen.restAt + (1 - tolerance) * known.level * known.ownSpacing.from
  return meets(seen.release, ownEnd(seen, known)) && seen.regainedBy < restEnd
}

/** Of fewer a counter gives back as soon as a bucket may whose tokens come by a clock. */
const leastTicked = 7

/** When a bucket that was full at the start holds the next token. */
function nextDrop(seen: LimiterTrial, known: Pace): Span {
  const { spacing, level } = known
  const { from, to } = level < leastTicked ? { from: level, to: level } : levelsOf(seen, known)
  const [first, last] = [to, from].map((size) =>
    plus(seen.start, spacing, seen.accepted + 1 - size)
  )
  return widened({ from: first!.from, to: last!.to }, 0.02 * level * middle(spacing))
}

/**
 * How many a bucket may hold that was full at the start: as many as were accepted, less what came
 * back until the last of them was, but fewer than one more when the last refused one was sent.
 */
export function levelsOf(seen: LimiterTrial, { spacing }: Pace): Span {
  const { start, accepted, acceptedBy, refusedFrom } = seen
  const from = accepted - (acceptedBy - start.from) / spacing.from
  const to = accepted + 1 - Math.max(0, refusedFrom - start.to) / spacing.to
  return { from, to }
}
