import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker, Sighting } from './rate-question.ts'
import { inMs, type Span } from './rate-span.ts'

/** How many at once a queue is asked to hold, and for how many ms the last may wait. */
const largestWave = 256
const longestWaitMs = 8_000

/** How long nothing is asked before it is filled, in ms, at least. */
const restMs = 1_000

/** How often it is filled until it holds as many as before. */
const mostWaves = 12

/** How many waves have to be refused in part, and how many of the fullest soon enough. */
const fewestFull = 3
const fewestSure = 2

/** How many times as fast as another a row is at most. */
const mostOther = 1.2

/** How many have to wait before they make a row. */
const least = 3

/** What part of all answers may seem to be too soon, as the pace is not known exactly. */
const soonest = 0.1

/** By how many ms beyond its spacing one may be off its place in a row, and what part of all. */
const unevenMs = 60
const mostUneven = 0.3

/** By what part of one how many are let through at once may be off. */
const slack = 0.1

/**
 * A queue that lets one through at a time: how fast, how many at once, and how many may wait. It is
 * filled until it takes as many twice; how many of these were let through at once is where the row
 * of the others would have begun.
 */
export function* queued(asking: RateAsker, single: Burst): Questions<RateLimit | undefined> {
  const spacingMs = spacingOf(single)
  if (spacingMs === undefined) return
  const because = `one every ${inMs(spacingMs)}, the others wait`
  asking.soFar = { algorithm: 'leaky-queue', because, repeats: '1/3' }
  const most = Math.max(4, Math.min(largestWave, Math.floor(longestWaitMs / spacingMs)))
  const rows: Row[] = []
  let [size, idleMs] = [Math.min(64, most), Math.max(restMs, 3 * spacingMs)]
  let [taken, isFull, isTwice] = [0, false, false]
  const fulls: Burst[] = []
  let free: Span = { from: 1, to: Number.POSITIVE_INFINITY }
  let isAgreed = false
  for (
    let round = 0;
    round < mostWaves && !(isTwice && isAgreed && free.from === free.to);
    round++
  ) {
    const wave = yield* asking.burst(asking.now + idleMs, size, { inFlight: size })
    const row = rowOf(wave)
    if (row) rows.push(row)
    if (row) {
      const next = within(free, row.free)
      isAgreed = rows.length > 1 && next.from >= free.from && next.to <= free.to
      free = next
    }
    isFull = wave.refused !== undefined
    // What waited before the first may not have gone on yet.
    if (isFull && round > 0) fulls.push(wave)
    const whole = heldBy(fulls, spacingMs)
    isTwice = isFull
      ? fulls.length >= fewestFull && whole.from === whole.to
      : wave.accepted === taken && size === most
    taken = fulls.length > 0 && isFull ? whole.to : wave.accepted
    size = isFull ? Math.min(most, taken + 8) : most
    idleMs = Math.max(restMs, 1.5 * (Math.min(free.to, taken) + 2) * spacingMs)
  }
  const everyMs = rows.length === 0 ? spacingMs : middleOf(rows.map((one) => one.spacingMs))
  // Its pace is the same, however many wait.
  if (everyMs < spacingMs / 2 || everyMs > 2 * spacingMs) return
  if (isOther(rows)) return
  const rate = `one every ${inMs(everyMs)}, the others wait`
  const found = { algorithm: 'leaky-queue' as const, perSecond: 1_000 / everyMs }
  if (!isAgreed || free.from !== free.to) {
    return { ...found, because: `${rate}; how many at once is not clear`, repeats: '1/3' }
  }
  const often = wholes[isLate(fulls, spacingMs) ? 'late' : 'prompt']
  const held = isTwice && isFull ? yield* takenWhole(asking, { taken, idleMs, often }) : taken
  if (!isTwice || held === undefined) {
    const part = `${free.from} at once, then ${rate}; how many of them is not clear`
    return { ...found, burst: free.from, because: part, repeats: '2/3' }
  }
  const [burst, queue] = [free.from, held - free.from]
  const end = isFull ? 'wait at most, the next is refused' : 'waited, and none was refused'
  return {
    ...{ ...found, burst, ...(isFull && { queue, status: asking.status }) },
    because: `${burst} at once, then ${rate}: ${queue.toLocaleString('en')} ${end}`,
    repeats: '3/3'
  }
}

/** How often as many as it seems to hold have to be taken whole, and how many fewer are tried. */
const wholes = { prompt: 3, late: 10, fewer: 3 }

/** Whether some answers took so long that a question may come late enough to find room. */
function isLate(fulls: readonly Burst[], spacingMs: number): boolean {
  const refused = fulls.flatMap(({ seen }) => seen.filter(({ kind }) => kind === 'rejected'))
  return refused.some(({ sent, answered }) => answered - sent > spacingMs / 3)
}

/**
 * How many a queue takes whole each time: one that came late, after others were refused, may have
 * found room that was made meanwhile, so that it seemed to hold one more. Undefined where none is.
 */
function* takenWhole(
  asking: RateAsker,
  { taken, idleMs, often }: { taken: number; idleMs: number; often: number }
): Questions<number | undefined> {
  let [many, whole] = [taken, 0]
  while (whole < often && many > taken - wholes.fewer && many > 0) {
    const wave = yield* asking.burst(asking.now + idleMs, many, { inFlight: many })
    whole = wave.refused ? 0 : whole + 1
    if (wave.refused) many = Math.min(many - 1, wave.accepted)
  }
  return whole === often ? many : undefined
}

/** Whether one row went on faster than another, as none of the same queue does. */
function isOther(rows: readonly Row[]): boolean {
  const paces = rows.map((one) => one.spacingMs)
  return Math.max(...paces) > mostOther * Math.min(...paces)
}

/**
 * How many a queue takes at once, by waves that it refused some of: no more than in any. What is
 * let through while the last are on their way makes room for as many more, in any of them; there
 * was none for it in a wave that was refused sooner.
 */
function heldBy(fulls: readonly Burst[], spacingMs: number): Span {
  const rooms = fulls.map(({ seen, first }) => {
    const refused = seen.filter(({ kind }) => kind === 'rejected')
    const tookMs = Math.max(...refused.map(({ answered }) => answered - first.from))
    return Math.floor(tookMs / spacingMs)
  })
  const accepted = fulls.map((wave) => wave.accepted)
  const to = Math.min(...accepted)
  const sure = accepted.filter((count, index) => count === to && rooms[index] === 0)
  if (sure.length >= fewestSure) return { from: to, to }
  return { from: Math.max(...accepted) - Math.max(...rooms), to }
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

/** The answers that a queue gave one after another, and how many it may have given before them. */
type Row = { spacingMs: number; free: Span }

/**
 * The row in a wave: that of its last third first, and then of all that were let through after
 * those which may have been at once. Undefined where that are too few.
 */
function rowOf(wave: Burst): Row | undefined {
  const most = wave.accepted
  const end = fitted(wave, Math.min(Math.ceil((2 * most) / 3), most - least))
  return end && fitted(wave, Math.max(1, Math.min(Math.ceil(end.free.to), most - least)))
}

/** The row of those from a place in the order of answers on. */
function fitted(wave: Burst, from: number): Row | undefined {
  const accepted = acceptedOf(wave)
  const times = accepted.map(({ answered }) => answered).sort((a, b) => a - b)
  const late = times.slice(from).map((time, index) => ({ nth: from + index + 1, time }))
  if (from < 1 || late.length < least) return
  // Those that a busy machine answers late are to move neither the pace nor the place.
  const slopes = late.flatMap((one, index) => {
    return late.slice(index + 1).map((other) => (other.time - one.time) / (other.nth - one.nth))
  })
  const spacingMs = middleOf(slopes)
  // What waits for a window is let through with others, however evenly the rest of them came.
  const offs = late.map((one) => one.time - one.nth * spacingMs)
  const usualMs = middleOf(offs)
  const odd = offs.filter((off) => Math.abs(off - usualMs) > spacingMs + unevenMs)
  if (odd.length > mostUneven * late.length) return
  // Whatever happens on the way makes an answer later: the soonest are when they were let through.
  const begins = offs.toSorted((a, b) => a - b)
  const begun = begins[Math.floor(soonest * begins.length)]!
  // Between the first request and its answer the first was let through, and with it all at once.
  const place = (at: number) => (at - begun) / spacingMs
  const [sent, answered] = [Math.min(...accepted.map(({ sent }) => sent)), times[0]!]
  return { spacingMs, free: { from: place(sent), to: place(answered) } }
}

function middleOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
}

/** The whole numbers that both allow; those of the newer where they have none in common. */
function within(before: Span, { from, to }: Span): Span {
  const own = {
    from: Math.max(1, Math.ceil(from - slack)),
    to: Math.max(1, Math.floor(to + slack))
  }
  const both = { from: Math.max(before.from, own.from), to: Math.min(before.to, own.to) }
  return both.from <= both.to ? both : own
}

/** Those of a burst that were accepted. */
export function acceptedOf({ seen }: Burst): Sighting[] {
  return seen.filter(({ kind }) => kind === 'accepted')
}
