import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { logged } from './rate-queued-log.ts'
import { agreedOn, lateIn, roomIn } from './rate-room.ts'
import { acceptedOf, atOnceIn, freeAt, type QueueRow, rowOf, rowOfWaiting } from './rate-row.ts'
import { inMs, middleOf, type Span } from './rate-span.ts'

/** How many a queue is asked to hold, and for how many ms the last may wait. */
const largestWave = 256
const longestWaitMs = 10_000

/** After how many ms at most the next is sent, and as what part of the time of one. */
const apart = { mostMs: 8, part: 1 / 6 }

/** How long nothing is asked before it is filled, in ms, at least. */
const restMs = 1_000

/** How often it is filled at most, and how often where it is never full. */
const mostWaves = 16
const openWaves = 2

/** How many times as fast as others a row is, what part of all may be, and of how many one is. */
const other = { times: 1.2, part: 0.4, least: 10 }

/** How it is asked to see how far apart those are that wait, where few of them do at once. */
const steadily = { least: 3, part: 0.6, forMs: 4_000 }

/** How well a pace has to be known, as a part of itself, and how late an answer may be, in ms. */
const sharp = 0.006
const lateMs = 20

/** By what part of itself a pace may be off that so many rows tell, by how long these are. */
function offOf(rows: readonly QueueRow[], everyMs: number): number {
  return lateMs / everyMs / Math.sqrt(rows.reduce((sum, { late }) => sum + late.length ** 3, 0))
}

const isShort = ({ late }: QueueRow) => late.length < other.least

/** A long row of those that wait, a few at a time; none where there is no such. */
function* steadyRow(
  asking: RateAsker,
  rows: readonly QueueRow[],
  spacingMs: number
): Questions<QueueRow[]> {
  const { least, part, forMs } = steadily
  const waiting = rows.length === 0 ? 0 : Math.min(...rows.map(({ late }) => late.length))
  const inFlight = Math.max(least, Math.floor(part * waiting))
  const steady = yield* asking.burst(0, Number.POSITIVE_INFINITY, { inFlight, forMs })
  const row = rowOfWaiting(steady, spacingMs)
  return row ? [row] : []
}

/**
 * By what part of one how many are let through at once may be less than it seems, and more: what
 * happens on the way to those that waited makes their row later.
 */
const slack = { less: 0.1, more: 0.6 }

/** By how many more waves a number at once has to be allowed than any other. */
const freeAhead = 3

/**
 * By how many more, and by as many as come in how many ms, one burst has to be ahead of the row to
 * show that it was none of a queue: what a busy machine answers late begins a row too late.
 */
const beyond = { part: 0.75, ms: 60 }

/** What came of filling a queue a few times. */
type Filled = {
  asked: Burst[]
  rows: QueueRow[]
  /** How far apart those are that waited, in ms. */
  everyMs: number
  /** Whether that is known well enough to be told. */
  isSharp: boolean
  /** How many are let through at once after a rest, and how many it holds, once that is clear. */
  free?: number | undefined
  held?: number | undefined
}

/**
 * A queue that lets one through at a time: how fast, how many at once, and how many may wait. It is
 * filled by one after another, none of which waits for the others, until one is refused; how many
 * of these were let through at once is where the row of the others would have begun.
 */
export function* queued(
  asking: RateAsker,
  { single, before }: { single: Burst; before: Burst }
): Questions<RateLimit | undefined> {
  // A machine that stands still for a moment moves a few by more than many.
  const spacingMs = spacingOf(single) ?? rowOf(before)?.spacingMs
  if (spacingMs === undefined) return
  asking.soFar = { algorithm: 'unclear', because: rateIn(spacingMs), repeats: '1/3' }
  const filled = yield* filledBy(asking, before, spacingMs)
  const { asked, everyMs, free, held } = filled
  // Its pace is the same, however many wait.
  if (everyMs < spacingMs / 2 || everyMs > 2 * spacingMs || isOther(filled)) return
  if (isTogether(filled)) return someTogether(everyMs)
  const ahead = aheadOf(filled)
  if (ahead) return yield* notQueued(asking, ahead, everyMs)
  const rate = rateIn(everyMs)
  if (!filled.isSharp) {
    const because = `about ${rate}; how fast exactly is not clear`
    return { algorithm: 'unclear', because, repeats: '1/3' }
  }
  const found = { algorithm: 'leaky-queue' as const, perSecond: 1_000 / everyMs }
  if (free === undefined) {
    return { ...found, because: `${rate}; how many at once is not clear`, repeats: '1/3' }
  }
  const last = asked.at(-1)!
  const all = held ?? (last.refused ? undefined : last.accepted)
  if (all === undefined) {
    const part = `${free} at once, then ${rate}; how many of them is not clear`
    return { ...found, burst: free, because: part, repeats: '2/3' }
  }
  const queue = all - free
  const end = last.refused ? 'wait at most, the next is refused' : 'waited, and none was refused'
  return {
    ...{ ...found, burst: free, ...(last.refused && { queue, status: asking.status }) },
    because: `${free} at once, then ${rate}: ${queue.toLocaleString('en')} ${end}`,
    repeats: '3/3'
  }
}

/** Fills it until it is clear how many it holds, and how many of these are let through at once. */
function* filledBy(asking: RateAsker, before: Burst, spacingMs: number): Questions<Filled> {
  const size = Math.max(4, Math.min(largestWave, Math.floor(longestWaitMs / spacingMs)))
  const everyMs = Math.max(1, Math.min(apart.mostMs, apart.part * spacingMs))
  const filled: Filled = { asked: [before], rows: [], everyMs: spacingMs, isSharp: false }
  const { asked, rows } = filled
  const full: Burst[] = []
  const paced: QueueRow[] = []
  let [idleMs, open] = [Math.max(restMs, 3 * spacingMs), 0]
  for (let round = 0; round < mostWaves; round++) {
    const wave = yield* asking.burst(asking.now + idleMs, size, { inFlight: size, everyMs })
    asked.push(wave)
    const row = rowOfWaiting(wave, spacingMs)
    if (row) rows.push(row)
    // Few at a time go on for long, where rows are too short to tell a pace by.
    if (round === 1 && offOf(rows, paceOf(rows) ?? spacingMs) > sharp / 2) {
      paced.push(...(yield* steadyRow(asking, rows, spacingMs)))
    }
    // What waited before the first may not have gone on yet.
    if (round > 0) full.push(wave)
    open = wave.refused ? 0 : open + 1
    filled.everyMs = paceOf([...paced, ...rows]) ?? spacingMs
    const { everyMs: paceMs } = filled
    filled.free = agreedOn(
      rows.map((one) => freeIn(one, paceMs)),
      freeAhead
    )
    filled.held = agreedOn(roomsIn(full, filled))
    filled.isSharp =
      offOf([...paced, ...rows], paceMs) < sharp && isEven([...paced, ...rows], paceMs)
    const isClear = filled.isSharp && (filled.held !== undefined || open >= openWaves)
    if (filled.free !== undefined && (isClear || aheadOf(filled))) break
    idleMs = Math.max(restMs, 1.2 * ((filled.free ?? wave.accepted) + 2) * spacingMs)
  }
  return filled
}

/** How many it may hold, by each wave that it refused some of. */
function roomsIn(full: readonly Burst[], { everyMs, free }: Filled): Span[] {
  const refused = full.filter((wave) => wave.refused)
  if (refused.length === 0) return []
  const lateMs = middleOf(refused.map(lateIn))
  return refused.flatMap((wave) => roomIn(wave, { spacingMs: everyMs, free, lateMs }) ?? [])
}

function rateIn(everyMs: number): string {
  return `one every ${inMs(everyMs)}, the others wait`
}

/**
 * How far apart those of rows are, in ms, by all that are half a row apart or more, since what is
 * late on the way counts for less there; undefined of none.
 */
function paceOf(rows: readonly QueueRow[]): number | undefined {
  const slopes = rows.flatMap(({ late }) => {
    const half = Math.max(1, late.length >> 1)
    return late.flatMap((one, at) => {
      return late.slice(at + half).map((far) => (far.time - one.time) / (far.nth - one.nth))
    })
  })
  return slopes.length === 0 ? undefined : middleOf(slopes)
}

/**
 * Whether those close to each other are as far apart as all: where each goes on after the one
 * before really did, what holds up one makes all others later.
 */
function isEven(rows: readonly QueueRow[], everyMs: number): boolean {
  const slopes = rows.flatMap(({ late }) => {
    return late.flatMap((one, at) => {
      return late
        .slice(at + close.from, at + close.to)
        .map((far) => (far.time - one.time) / (far.nth - one.nth))
    })
  })
  return slopes.length > 0 && Math.abs(middleOf(slopes) / everyMs - 1) < close.off
}

/** Between how many places apart those are that are close, and by what part they may be off. */
const close = { from: 4, to: 9, off: 0.015 }

function someTogether(everyMs: number): RateLimit {
  const some = `one every ${inMs(everyMs)} on the whole, but some of them come together`
  return { algorithm: 'unclear', because: `${some}: no queue of one at a time`, repeats: '0/2' }
}

/** Whether many of those that waited came together, as from a window of few. */
function isTogether(filled: Filled): boolean {
  const { everyMs } = filled
  if (everyMs < together.leastMs) return false
  const gaps = filled.asked.slice(1).flatMap((wave) => {
    const times = acceptedOf(wave).map(({ answered }) => answered)
    const late = times.sort((a, b) => a - b).slice(Math.min(mostFree(filled), times.length))
    return late.slice(1).map((time, nth) => time - late[nth]!)
  })
  const close = gaps.filter((gap) => gap < together.gap * everyMs)
  return close.length > (everyMs < together.sureMs ? together.part * gaps.length : 1)
}

/** The first burst that was further ahead of rows than any of the same queue. */
function aheadOf(filled: Filled): Burst | undefined {
  const { everyMs, rows } = filled
  if (rows.length === 0) return
  const most = mostFree(filled) + beyond.part + beyond.ms / everyMs
  return filled.asked.find((one) => atOnceIn(one, everyMs) > most)
}

/** How many are let through at once at most, as far as is known. */
function mostFree({ free, rows, everyMs }: Filled): number {
  return free ?? Math.max(...rows.map((row) => freeIn(row, everyMs).to))
}

/** What is said where more were let through at once than a queue of one at a time ever does. */
function* notQueued(
  asking: RateAsker,
  ahead: Burst,
  everyMs: number
): Questions<RateLimit | undefined> {
  const log = yield* logged(asking, ahead)
  // What is faster than a busy machine answers may be something else.
  if (log || everyMs < leastTold) return log
  const because =
    `${rateIn(everyMs)}; but more were let through at once after a rest than such a row begins ` +
    'with: no queue that is known'
  return { algorithm: 'unclear', because, repeats: '0/2' }
}

/** From which spacing on it is said that it is no queue, in ms. */
const leastTold = 20

/**
 * Which part of a spacing is hardly any, what part of all is many, of which spacings, in ms, and of
 * which on two are not late by chance.
 */
const together = { gap: 0.25, part: 0.3, leastMs: 100, sureMs: 500 }

/** Whether rows went on faster than others, as none of the same queue do. */
function isOther({ rows, everyMs }: Filled): boolean {
  const long = rows.filter((row) => !isShort(row))
  const odd = long.filter(({ spacingMs }) => {
    return spacingMs > other.times * everyMs || everyMs > other.times * spacingMs
  })
  return odd.length > other.part * long.length
}

/** How far apart those were answered that were asked one after another, in ms, if it is evenly. */
function spacingOf(single: Burst): number | undefined {
  const times = acceptedOf(single).map(({ answered }) => answered)
  if (times.length < 4) return
  const gaps = times.slice(1).map((time, index) => time - times[index]!)
  const spacingMs = middleOf(gaps)
  const odd = gaps.filter((gap) => Math.abs(gap - spacingMs) > 0.3 * spacingMs + 5)
  return odd.length > gaps.length / 2 ? undefined : spacingMs
}

/** How many may have been let through at once before a row of such a pace. */
function freeIn(row: QueueRow, everyMs: number): Span {
  const { from, to } = freeAt(row, everyMs)
  const least = Math.max(1, Math.ceil(from - slack.less))
  return { from: least, to: Math.max(1, Math.floor(to + slack.more)) }
}
