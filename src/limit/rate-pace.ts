import type { AskedOnce } from './fit/asked-once.ts'
import { allCounted, isPartly } from './rate-all-counted.ts'
import { heldOpen } from './rate-connections.ts'
import { counterAtFirst } from './rate-counter.ts'
import type { Pace } from './rate-known.ts'
import type { RateLimit } from './rate-limit.ts'
import {
  type Burst,
  type Questions,
  type RateAsker,
  type Release,
  tarpitMs
} from './rate-question.ts'
import { renewedBan } from './rate-renewal.ts'
import { common, inMs, middle, middleOf, minus, onceAndBefore, scaled } from './rate-span.ts'
import { isSlower } from './rate-stacked.ts'

type Before = { tookMs: number; deadMs?: number; share: number; level: number; inPeaceMs?: number }

/** After how long a refusal is said to be a long one, within the first minute, in ms. */
const longMs = 50_000

/** After how long it is no window of a minute, and is asked about less often, in ms. */
const rarelyMs = 66_000

/**
 * Between which times after a refusal, in ms, nothing is asked, so that a ban ends that asking
 * renews. Windows that are common, of 10, 20, 30 or 60 s, end at other times, and who sees what is
 * left of a minute ends in one of these still knows it well enough.
 */
const peaces = [
  [16_000, 19_500],
  [20_500, 28_000],
  [62_000, 82_000]
] as const

/** How sharp a spacing has to be, as a part of itself, and for how many ms it is measured. */
const sharp = 0.01
const sharpMs = 8_000

type Cycle = {
  release: Release
  accepted: number
  tookMs: number
  /** From the refusal to its end, in ms. */
  waitedMs: number
  /** For how long nothing was asked before it ended, and at most before one was refused, in ms. */
  silentMs: number
  refusedMs: number
}

/**
 * Waits for the first acceptance after a burst that was refused, bursts again, and so on, until the
 * time between acceptances is known to a few percent. A minute's window is waited for twice. What
 * comes back in peace, and not while it is asked, is a ban.
 */
export function* pace(
  asking: RateAsker,
  first: Burst,
  isFirst = true
): Questions<Pace | RateLimit> {
  const cycles: Cycle[] = []
  const { before } = asking
  let isOpen = isFirst
  let { tookMs } = first
  let deadMs: number | undefined
  let share = 0.08
  for (;;) {
    const since = asking.refusedAt
    const [one] = cycles
    const inPeaceMs = one && peaceOf(one)
    const known = { tookMs, deadMs, share, level: first.accepted, inPeaceMs }
    const cycle: Cycle = yield* regained(asking, known)
    tookMs = cycle.tookMs
    cycles.push(cycle)
    asking.before = 0
    if (isOpen && isPartly(cycles, first.accepted)) {
      isOpen = false
      const { soFar } = asking
      asking.soFar = { ...soFar, because: soFarOf(cycles, first, tarpitMs(asking)) }
      const open = yield* heldOpen(asking, { level: first.accepted })
      if (open) return open
      const counted = yield* byCounting(asking, cycles, { first, before })
      if (counted) return counted
      asking.soFar = soFar
      cycles.length = 0
      continue
    }
    if (cycles.length === 2 && isSooner(cycles, first)) {
      const { soFar } = asking
      const ban = yield* renewedBan(asking, spanOf(cycles, first))
      if (ban) return ban
      asking.soFar = soFar
    }
    // Little by little is faster than the first time, which may have been the rest of a window.
    const isAll = cycle.accepted > 0.5 * first.accepted
    share = isAll ? 0.04 : 0.02
    const isSame = cycles.length > 1 || isAll
    deadMs = isSame ? cycle.release.to - since : undefined
    // More of the same is nothing new.
    const isNew = cycles.length <= 3 || cycle.waitedMs > 2 * cycles.at(-2)!.waitedMs
    if (isNew) {
      asking.soFar = { ...asking.soFar, because: soFarOf(cycles, first, tarpitMs(asking)) }
    }
    const found = judged(cycles, first, before)
    if (found) return found
  }
}

/**
 * What comes back in part, as of who counts what it refused, or of a counter that was asked late:
 * it is told first by what comes back while it is asked.
 */
function* byCounting(
  asking: RateAsker,
  cycles: readonly Cycle[],
  { first, before }: { first: Burst; before: number }
): Questions<Pace | RateLimit | undefined> {
  const asked: AskedOnce[] = []
  const level = first.accepted + before
  const told = yield* counterAtFirst(asking, cycles, { least: first.accepted, level, asked })
  return told ?? (yield* allCounted(asking, cycles, { once: first.accepted, asked }))
}

/** How soon a refusal ends again that was left in peace, as a part of what it lasted before. */
const sooner = 0.66

/**
 * Whether the second refusal ended sooner after the first than any window could that had been
 * going on for as long as that, and all came back after both. A window may have ended anywhere in
 * the silence before it was seen to, which is less than a third of the time.
 */
function isSooner([one, other]: readonly Cycle[], { accepted }: Burst): boolean {
  const isAll = [one!, other!].every((cycle) => cycle.accepted > 0.5 * accepted)
  const apartMs = other!.release.to - one!.release.from
  return isAll && accepted >= leastBanned && apartMs < sooner * one!.waitedMs
}

/** Of fewer it is not seen whether all come back. */
const leastBanned = 3

/** Between which times in peace it comes back, by the first two cycles, and after how many. */
function spanOf([one, other]: readonly Cycle[], first: Burst) {
  const level = Math.max(first.accepted, one!.accepted, other!.accepted)
  const span = { from: Math.min(one!.refusedMs, other!.waitedMs), to: other!.waitedMs }
  return { level, askedMs: one!.waitedMs - one!.silentMs, span }
}

/** For how long a refusal is left in peace that ended in a silence, in ms; else undefined. */
function peaceOf({ silentMs, waitedMs }: Cycle): number | undefined {
  return silentMs > waitedMs / 6 ? 1.05 * silentMs : undefined
}

/**
 * Polls for the end of a refusal, in steps that grow with the time gone by: 8% at first, and a few
 * around the time it took before. Then waits as long as the burst before had taken, for what is
 * given back in the order it was taken, and bursts.
 */
function* regained(asking: RateAsker, before: Before): Questions<Cycle> {
  const { tookMs, deadMs, share, level, inPeaceMs } = before
  const since = asking.refusedAt
  let refusedMs = 0
  let by = asking.now
  const gap = () => {
    const goneMs = asking.now - since
    // The one before was decided on when its answer came, at the latest.
    refusedMs = Math.max(refusedMs, asking.refusedAt - by)
    by = asking.now
    if (deadMs === undefined && goneMs > longMs && level + asking.before > 0) {
      const after = onceAndBefore(level, asking.before)
      asking.soFar = { ...asking.soFar, because: longRefusal(goneMs, after) }
      // A ban that asking renews ends in a silence as long as itself.
      if (goneMs > rarelyMs) return 0.45 * goneMs
    }
    const peace = peaces.find(([from, to]) => goneMs >= from && goneMs < to)
    if (deadMs === undefined && peace) return peace[1] - goneMs
    // Few steps where all comes back, as refused requests may count, and small ones otherwise.
    if (deadMs === undefined) return 0.08 * goneMs
    return Math.max(share * deadMs, 0.08 * (goneMs - 1.5 * deadMs))
  }
  const beginMs = Math.min(0.5 * (deadMs ?? 0), inPeaceMs ?? Number.POSITIVE_INFINITY)
  const release = yield* asking.release(Math.max(asking.now, since + beginMs), gap)
  const burst = yield* asking.burst(asking.now + 1.2 * tookMs)
  const waitedMs = release.to - since
  const silentMs = release.sent - release.from
  return {
    release,
    accepted: 1 + burst.accepted,
    tookMs: burst.tookMs,
    waitedMs,
    silentMs,
    refusedMs
  }
}

/** The pace, once there are enough cycles for it. */
function judged(cycles: readonly Cycle[], first: Burst, before: number): Pace | undefined {
  if (cycles.length < 2) return
  const counts = cycles.map(({ accepted }) => accepted)
  const isGradual = middleOf(counts) <= 0.5 * first.accepted
  // The first release was found in coarse steps, where all comes back only if it was left in peace.
  const isCoarse = peaceOf(cycles[0]!) !== undefined && cycles.length > 2
  const counted = isGradual || isCoarse ? cycles.slice(1) : cycles
  const [start, end] = [counted[0]!.release, counted.at(-1)!.release]
  const between = counted.slice(0, -1).reduce((sum, { accepted }) => sum + accepted, 0)
  const elapsed = minus(end, start)
  const slack = (elapsed.to - elapsed.from) / elapsed.to
  // The first burst may have met the end of one window and the start of the next.
  const level = isGradual ? first.accepted : Math.max(...counts)
  const isEnough = between >= level && slack < (isGradual ? 0.05 : 0.15)
  if (between === 0 || !(isEnough || (between >= 10 && slack < 0.01))) return
  const spacing = scaled(elapsed, 1 / between)
  const own = { from: elapsed.from, to: end.to - start.sent }
  const credit = isGradual ? Math.floor(first.tookMs / middle(spacing)) : 0
  const least = Math.max(1, level - credit)
  return {
    level: least,
    mostLevel: least + before,
    counts,
    isGradual,
    spacing,
    ownSpacing: scaled(own, 1 / between),
    tookMs: Math.max(first.tookMs, ...cycles.map((cycle) => cycle.tookMs)),
    reference: isGradual ? cycles[0]!.release : end
  }
}

/**
 * The same pace with its spacing measured to one in a hundred, or for as long as there is time: of
 * a bucket that was just emptied, whose tokens come evenly, however it is asked.
 */
export function* sharpened(asking: RateAsker, known: Pace): Questions<Pace> {
  const began = asking.now
  const deadMs = middle(known.spacing)
  let { spacing } = known
  let first: Release | undefined
  let between = 0
  const isOpen = () => spacing.to - spacing.from > sharp * spacing.to && !isSlower(asking, deadMs)
  while (isOpen() && asking.now - began < sharpMs) {
    const before = { tookMs: 0, deadMs, share: 0.02, level: known.level }
    const cycle: Cycle = yield* regained(asking, before)
    if (first) {
      const measured = scaled(minus(cycle.release, first), 1 / between)
      const both = common([spacing, measured])
      if (both.from <= both.to) spacing = both
    }
    first ??= cycle.release
    between += cycle.accepted
  }
  return { ...known, spacing }
}

function longRefusal(goneMs: number, after: string): string {
  const long = `refused for at least ${Math.round(goneMs / 1_000)} s after ${after}`
  return `${long}: a long window, a quota or a ban, perhaps one that asking renews`
}

function soFarOf(cycles: readonly Cycle[], first: Burst, refusalMs?: number): string {
  const again = cycles.map(({ accepted }) => accepted.toLocaleString('en')).slice(0, 3)
  const once = `${first.accepted.toLocaleString('en')} at once`
  const waits = cycles.map(({ waitedMs }) => waitedMs).slice(-3)
  const longest = Math.max(...cycles.map(({ waitedMs }) => waitedMs))
  const long =
    longest > rarelyMs
      ? `; it took ${Math.round(longest / 1_000)} s until one was accepted: a long window, or a ban`
      : ''
  const lasted = waits.map(inMs).join(', ')
  const then = `then after ${again.join(', ')} more, none for ${lasted} between`
  const late = refusalMs === undefined ? '' : `; a refusal takes ${inMs(refusalMs)} to come`
  return `refused after ${once}, ${then}${long}${late}`
}
