import type { Burst } from './rate-question.ts'
import { acceptedOf } from './rate-row.ts'
import type { Span } from './rate-span.ts'

/** By how many more waves one number has to be allowed than any other, and by what part of all. */
const ahead = 4
const most = 0.7

/** How far from the likeliest numbers are looked at that some waves allow. */
const near = 2

/** What is known of a queue: its pace, how many go on at once, and how late most are at most. */
type Room = { spacingMs: number; free?: number | undefined; lateMs?: number }

/**
 * How many a queue that lets one through every so many ms holds, by a wave that it refused some of:
 * it was full as the first was refused, and had room as the last was accepted, but for those that
 * it had let through by then. Each is decided on between when it was sent and its answer; one that
 * waits no later than the latest of those that did not.
 */
export function roomIn(wave: Burst, { spacingMs, free = 1, lateMs = 0 }: Room): Span | undefined {
  const refused = wave.seen.filter(({ kind }) => kind === 'rejected')
  const accepted = acceptedOf(wave)
  const [first] = accepted
  if (refused.length === 0 || first === undefined) return
  const begun = { from: first.sent, to: Math.min(...accepted.map(({ answered }) => answered)) }
  const through = (ms: number) => Math.floor(Math.max(0, ms) / spacingMs)
  const mosts = refused.map(({ sent, answered }) => {
    const before = accepted.filter((one) => one.sent < answered).length
    // Who stands still may have let through fewer than there was time for.
    const gone = accepted.filter((one) => one.answered < sent).length
    return before - Math.max(0, Math.min(through(sent - begun.to), gone - free))
  })
  const last = Math.max(...accepted.map(({ sent }) => sent))
  const lastMs = last + Math.max(lateMs, lateIn(wave))
  return { from: accepted.length - through(lastMs - begun.from), to: Math.min(...mosts) }
}

/** How late those of a wave were at most that did not wait, in ms. */
export function lateIn(wave: Burst): number {
  const firstMs = Math.min(...acceptedOf(wave).map(({ answered }) => answered)) - wave.first.from
  const refused = wave.seen.filter(({ kind }) => kind === 'rejected')
  // Who stands still for a while is late with all that come meanwhile.
  return Math.max(firstMs, ...refused.map(({ sent, answered }) => answered - sent))
}

/** The whole number that most of some spans allow; undefined where that is not clear yet. */
export function agreedOn(spans: readonly Span[], lead = ahead): number | undefined {
  const numbers = [...new Set(spans.flatMap(({ from, to }) => wholesIn(from, to)))]
  const votes = (number: number) => {
    return spans.filter(({ from, to }) => from <= number && number <= to).length
  }
  const [best, next] = numbers.toSorted((a, b) => votes(b) - votes(a))
  if (best === undefined || votes(best) < most * spans.length) return
  const other = next === undefined ? 0 : votes(next)
  return votes(best) >= other + lead ? best : undefined
}

/** The whole numbers from one to another that are near an end of it. */
function wholesIn(from: number, to: number): number[] {
  const whole = Array.from({ length: Math.max(0, to - from + 1) }, (_, nth) => from + nth)
  return whole.filter((number) => number <= from + near || number >= to - near)
}
