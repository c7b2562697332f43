import type { ClockStart } from './course.ts'
import type { WaitEnding, WaitSighting } from './wait-sighting.ts'

/** What sightings of one way to keep a target waiting come to. */
export type WaitReading =
  | {
      kind: 'found'
      /** After how long it ends, in ms. */
      ms: number
      /** By how much later it may end, as the target looks now and then; 0 where it is exact. */
      lateMs: number
      /** How far below `ms` it may be: what was that much younger was left alone, in ms. */
      belowMs: number
      /** What the clock starts at; several where that made no difference. */
      since: ClockStart[]
      /** Status of what is said then; 0 for nothing. */
      status: number
      how: WaitEnding['how']
    }
  | { kind: 'unlimited'; ms: number }
  | { kind: 'unclear'; because: string }

/** By how much the ends of a clock that is looked at all the time differ at most, in ms. */
const exactMs = 50

/** By how much what is the same may differ, in ms, as busy machines are late. */
function toleranceMs(ms: number): number {
  return Math.max(150, ms / 500)
}

/** What part of all sightings a busy machine may show late. */
const odd = 0.15

/** How long ago something began at a time, the last time it did; undefined where it had not. */
function ageAt(sighting: WaitSighting, start: ClockStart, at: number): number | undefined {
  const began = sighting.marks
    .filter((mark) => mark.starts.includes(start) && mark.at <= at)
    .map((mark) => mark.at)
  return began.length === 0 ? undefined : at - Math.max(...began)
}

type Candidate = {
  start: ClockStart
  ages: number[]
  least: number
  spread: number
  /** The greatest age at which something was left alone while other things ended. */
  spared: number
}

/** A clock that starts at `start`, if no sighting contradicts that. */
function candidate(sightings: readonly WaitSighting[], start: ClockStart): Candidate | undefined {
  const ends = sightings.flatMap(({ ending }) => (ending ? [ending.at] : []))
  const ages = sightings.flatMap((one) => (one.ending ? [ageAt(one, start, one.ending.at)] : []))
  if (ages.length === 0 || ages.some((age) => age === undefined)) return
  const known = ages as number[]
  const sorted = known.toSorted((a, b) => a - b)
  const part = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  // An answer is seen late now and then, so that what follows seems short; all else seems long.
  const least = part(start === 'answer' ? odd : 0)
  const spread = part(1 - odd) - least
  const slack = toleranceMs(least)
  // Whoever looks now and then looks at all: what was left alone then was younger.
  const sparedFor = (lateMs: number) => {
    const sparedAges = sightings.flatMap((one) => {
      const until = one.ending ? one.ending.at - lateMs : one.until
      return ends.filter((at) => at < until).map((at) => ageAt(one, start, at) ?? 0)
    })
    return Math.max(0, ...sparedAges)
  }
  const hasStayed = sightings.some((one) => {
    return one.ending === undefined && (ageAt(one, start, one.until) ?? 0) > least + slack
  })
  // What ends at one look may be seen to end one after another.
  const isContradicted = spread <= slack ? hasStayed : sparedFor(slack) > least + slack
  if (isContradicted) return
  return { start, ages: known, least, spread, spared: sparedFor(exactMs) }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)]!
}

/**
 * Reads after how long a target ends something, and since when it counts: one start has to explain
 * all sightings of a variant.
 */
export function readWait(
  sightings: readonly WaitSighting[],
  starts: readonly ClockStart[]
): WaitReading {
  const ended = sightings.flatMap(({ ending }) => ending ?? [])
  const untils = sightings.map((one) => ageAt(one, starts.at(-1)!, one.until) ?? 0)
  if (ended.length === 0) return { kind: 'unlimited', ms: Math.min(...untils) }
  const possible = starts.flatMap((start) => candidate(sightings, start) ?? [])
  const best = Math.min(...possible.map(({ spread }) => spread))
  const isExact = possible.some(({ spread, least }) => spread <= toleranceMs(least))
  const likely = possible.filter(({ spread }) => !isExact || spread <= 2 * best + 30)
  const [first] = likely
  if (first === undefined) return { kind: 'unclear', because: scattered(sightings) }
  const { status, how } = commonest(ended)
  const ms = first.start === 'answer' && isExact ? medianOf(first.ages) : first.least
  const lateMs = first.spread <= exactMs ? 0 : Math.round(first.spread)
  const belowMs = lateMs === 0 ? 0 : Math.max(0, Math.round(ms - first.spared))
  const since = likely.map(({ start }) => start)
  return { kind: 'found', ms: Math.round(ms), lateMs, belowMs, since, status, how }
}

/** The ending that was seen most often. */
function commonest(ended: readonly WaitEnding[]): WaitEnding {
  const alike = Map.groupBy(ended, ({ status, how }) => `${status} ${how}`)
  const groups = [...alike.values()].toSorted((a, b) => b.length - a.length)
  return groups[0]![0]!
}

function scattered(sightings: readonly WaitSighting[]): string {
  const ages = sightings.flatMap((one) => {
    return one.ending ? [Math.round(one.ending.at - one.marks[0]!.at)] : []
  })
  const stayed = sightings.length - ages.length
  const others = stayed > 0 ? `, ${stayed} did not` : ''
  const [least, most] = [Math.min(...ages), Math.max(...ages)]
  return `${ages.length} ended ${least} to ${most} ms after they were made${others}`
}
