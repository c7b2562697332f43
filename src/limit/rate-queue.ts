import type { RateLimit } from './rate-limit.ts'
import type { Burst, Questions, RateAsker } from './rate-question.ts'
import { logged } from './rate-queued-log.ts'
import { acceptedOf, atOnceIn, type QueueRow, rowOf } from './rate-row.ts'
import { inMs, middleOf, type Span } from './rate-span.ts'

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

/** By what part of one how many are let through at once may be off. */
const slack = 0.1

/**
 * By how many more, and by as many as come in how many ms, one burst has to be ahead of the row to
 * show that it was none of a queue: what a busy machine answers late begins a row too late.
 */
const beyond = { part: 0.75, ms: 60 }

/**
 * A queue that lets one through at a time: how fast, how many at once, and how many may wait. It is
 * filled until it takes as many twice; how many of these were let through at once is where the row
 * of the others would have begun.
 */
export function* queued(
  asking: RateAsker,
  { single, before }: { single: Burst; before: Burst }
): Questions<RateLimit | undefined> {
  const spacingMs = spacingOf(single)
  if (spacingMs === undefined) return
  asking.soFar = { algorithm: 'unclear', because: rateIn(spacingMs), repeats: '1/3' }
  const most = Math.max(4, Math.min(largestWave, Math.floor(longestWaitMs / spacingMs)))
  const rows: QueueRow[] = []
  const asked = [before]
  let [size, idleMs] = [Math.min(64, most), Math.max(restMs, 3 * spacingMs)]
  let [taken, isFull, isTwice] = [0, false, false]
  const fulls: Burst[] = []
  let free: Span = { from: 1, to: Number.POSITIVE_INFINITY }
  let isAgreed = false
  for (let round = 0; round < mostWaves; round++) {
    if (isAgreed && ((isTwice && free.from === free.to) || aheadOf(asked, { rows, free }))) break
    const wave = yield* asking.burst(asking.now + idleMs, size, { inFlight: size })
    asked.push(wave)
    const row = rowOf(wave)
    if (row) {
      rows.push(row)
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
  const everyMs = paceOf(rows) ?? spacingMs
  // Its pace is the same, however many wait.
  if (everyMs < spacingMs / 2 || everyMs > 2 * spacingMs || isOther(rows)) return
  if (isTogether(asked.slice(1), { everyMs, free })) return someTogether(everyMs)
  const ahead = aheadOf(asked, { rows, free })
  if (ahead) return yield* notQueued(asking, ahead, everyMs)
  const rate = rateIn(everyMs)
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

function rateIn(everyMs: number): string {
  return `one every ${inMs(everyMs)}, the others wait`
}

/** How far apart those of most rows are, in ms; undefined of none. */
function paceOf(rows: readonly QueueRow[]): number | undefined {
  return rows.length === 0 ? undefined : middleOf(rows.map(({ spacingMs }) => spacingMs))
}

function someTogether(everyMs: number): RateLimit {
  const some = `one every ${inMs(everyMs)} on the whole, but some of them come together`
  return { algorithm: 'unclear', because: `${some}: no queue of one at a time`, repeats: '0/2' }
}

/** Whether many of those that waited came together, as from a window of few. */
function isTogether(
  waves: readonly Burst[],
  { everyMs, free }: { everyMs: number; free: Span }
): boolean {
  if (everyMs < together.leastMs) return false
  const gaps = waves.flatMap((wave) => {
    const times = acceptedOf(wave).map(({ answered }) => answered)
    const late = times.sort((a, b) => a - b).slice(Math.min(free.to, times.length))
    return late.slice(1).map((time, nth) => time - late[nth]!)
  })
  const close = gaps.filter((gap) => gap < together.gap * everyMs)
  return close.length > (everyMs < together.sureMs ? together.part * gaps.length : 1)
}

/** The first burst that was further ahead of rows than any of the same queue. */
function aheadOf(
  asked: readonly Burst[],
  { rows, free }: { rows: readonly QueueRow[]; free: Span }
): Burst | undefined {
  const everyMs = paceOf(rows)
  return everyMs === undefined
    ? undefined
    : asked.find((one) => atOnceIn(one, everyMs) > free.to + beyond.part + beyond.ms / everyMs)
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
function isOther(rows: readonly QueueRow[]): boolean {
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

/** The whole numbers that both allow; those of the newer where they have none in common. */
function within(before: Span, { from, to }: Span): Span {
  const own = {
    from: Math.max(1, Math.ceil(from - slack)),
    to: Math.max(1, Math.floor(to + slack))
  }
  const both = { from: Math.max(before.from, own.from), to: Math.min(before.to, own.to) }
  return both.from <= both.to ? both : own
}
