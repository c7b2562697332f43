import type { Burst, Sighting } from './rate-question.ts'
import { middleOf, type Span } from './rate-span.ts'

/** How many have to wait before they make a row. */
const least = 3

/** What part of all answers may seem to be too soon, as the pace is not known exactly. */
const soonest = 0.1

/** By how many ms beyond its spacing one may be off its place in a row, and what part of all. */
const unevenMs = 60
const mostUneven = 0.3

/** By what part of itself a spacing may be too long where many seem to have been at once. */
const exact = 0.97

/** The answers that a queue gave one after another, and how many it may have given before them. */
export type QueueRow = {
  spacingMs: number
  free: Span
  /** When the first was sent and answered, and each of the row: as which of all, in ms. */
  first: Span
  late: readonly { nth: number; time: number }[]
}

/**
 * The row in a wave: that of its last third first, and then of all that were let through after
 * those which may have been at once. Undefined where that are too few.
 */
export function rowOf(wave: Burst): QueueRow | undefined {
  const most = wave.accepted
  const end = fitted(wave, Math.min(Math.ceil((2 * most) / 3), most - least))
  return end && fitted(wave, Math.max(1, Math.min(Math.ceil(end.free.to), most - least)))
}

/** How much longer than the quickest one takes that waits, as a part of a spacing. */
const waiting = 0.75

/** The row in a wave of those sent one by one: of all after the last that did not wait. */
export function rowOfWaiting(wave: Burst, spacingMs: number): QueueRow | undefined {
  const accepted = acceptedOf(wave).sort((one, other) => one.answered - other.answered)
  const waits = accepted.map(({ sent, answered }) => answered - sent)
  const leastMs = Math.min(...waits)
  const last = waits.findLastIndex((ms) => ms <= leastMs + waiting * spacingMs)
  return fitted(wave, Math.max(1, last + 1))
}

/** The row of those from a place in the order of answers on. */
export function fitted(wave: Burst, from: number): QueueRow | undefined {
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
  const begun = soonestOf(offs)
  // What came long before the row does is none of it, as of those at once.
  if (usualMs - begun > spacingMs / 2 + unevenMs) return fitted(wave, from + 1)
  const first = { from: Math.min(...accepted.map(({ sent }) => sent)), to: times[0]! }
  return { spacingMs, free: freeAt({ first, late }, spacingMs), first, late }
}

/** By how many of a row it is told where it began. */
const soonMost = 8

/** How many were let through at once before a row, if that is one of such a pace. */
export function freeAt({ first, late }: Pick<QueueRow, 'first' | 'late'>, everyMs: number): Span {
  // What is not known of the pace adds up in those that came long after it began.
  const soon = late.slice(0, soonMost)
  const begun = soonestOf(soon.map(({ nth, time }) => time - nth * everyMs))
  // Between the first request and its answer the first was let through, and with it all at once.
  return { from: (first.from - begun) / everyMs, to: (first.to - begun) / everyMs }
}

/** When a row begins, by how far off each is. */
function soonestOf(offs: readonly number[]): number {
  return offs.toSorted((a, b) => a - b)[Math.floor(soonest * offs.length)]!
}

/**
 * How many at least were let through at once in a burst, if all others came one every so many ms:
 * what happens on the way makes answers later, and none sooner.
 */
export function atOnceIn(burst: Burst, spacingMs: number): number {
  const accepted = acceptedOf(burst)
  const begun = Math.min(...accepted.map(({ sent }) => sent))
  const times = accepted.map(({ answered }) => answered).sort((a, b) => a - b)
  return Math.max(...times.map((time, at) => at + 1 - (time - begun) / (exact * spacingMs)))
}

/** Those of a burst that were accepted. */
export function acceptedOf({ seen }: Burst): Sighting[] {
  return seen.filter(({ kind }) => kind === 'accepted')
}
