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
      /** How far above `ms` it may be set, where that was not seen more exactly, in ms. */
      aboveMs?: number
      /** What the clock starts at; several where that made no difference. */
      since: ClockStart[]
      /** Status of what is said then; 0 for nothing. */
      status: number
      how: WaitEnding['how']
      /** Only the next byte ends it. */
      isWithByte?: true
    }
  | { kind: 'unlimited'; ms: number }
  | { kind: 'unclear'; because: string }

/** By how much the ends of a clock that is looked at all the time differ at most, in ms. */
const exactMs = 50

/** By how much what is the same may differ, in ms, as busy machines are late. */
export function toleranceMs(ms: number): number {
  return Math.max(150, ms / 500)
}

/** What part of all sightings a busy machine may show late. */
const odd = 0.15

/** How long ago something began at a time, the last time it did; undefined where it had not. */
export function ageAt(sighting: WaitSighting, start: ClockStart, at: number): number | undefined {
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
  /** The age by which all had ended: a look later, of a target that looks only now and then. */
  latest: number
  /** The greatest age at which something was left alone while other things ended. */
  spared: number
}

/** How old what began at `start` was as each ended, the youngest first, and what that spans. */
function agesAtEnds(sightings: readonly WaitSighting[], start: ClockStart) {
  const ages = sightings.flatMap((one) => (one.ending ? [ageAt(one, start, one.ending.at)] : []))
  if (ages.length === 0 || ages.some((age) => age === undefined)) return
  const sorted = (ages as number[]).toSorted((a, b) => a - b)
  const part = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  // An answer is seen late now and then, so that what follows seems short; all else seems long.
  const least = part(start === 'answer' ? odd : 0)
  return { start, ages: sorted, least, spread: part(1 - odd) - least }
}

/** A clock that starts at `start`, if no sighting contradicts that; `best` is the least spread. */
function candidate(
  sightings: readonly WaitSighting[],
  seen: NonNullable<ReturnType<typeof agesAtEnds>>,
  best: number
): Candidate | undefined {
  const { start, ages, least, spread } = seen
  const ends = sightings.flatMap(({ ending }) => (ending ? [ending.at] : []))
  const slack = toleranceMs(least)
  const isExact = spread <= slack
  // What ends at one look may be seen to end one after another, and looks are further apart.
  const oneLookMs = Math.max(slack, Math.min(oneLook.part * best, oneLook.mostMs))
  const apartMs = isExact ? exactMs : oneLookMs
  const looks = looksOf(ends, apartMs)
  // Whoever looks now and then looks at all: what was left alone then was younger.
  const sparedAges = sightings.flatMap((one) => {
    const until = one.ending ? one.ending.at - apartMs : one.until
    return looks.filter((at) => at < until).map((at) => ageAt(one, start, at) ?? 0)
  })
  const spared = Math.max(0, ...sparedAges)
  const hasStayed = sightings.some((one) => {
    return one.ending === undefined && (ageAt(one, start, one.until) ?? 0) > least + slack
  })
  if (isExact ? hasStayed : spared > least + slack) return
  const gaps = looks.slice(1).map((at, index) => at - looks[index]!)
  const greatest = Math.max(ages.at(-1)!, gaps.length > 1 ? least + medianOf(gaps) : 0)
  return { ...seen, spared, latest: isExact ? least + spread : greatest }
}

/** For how long it may be seen what ends at one look, of the time between two, and in ms. */
const oneLook = { part: 0.4, mostMs: 500 }

/** When a target looked, by when things ended: those that ended together at one look. */
function looksOf(ends: readonly number[], apartMs: number): number[] {
  const looks: number[] = []
  let before = Number.NEGATIVE_INFINITY
  for (const at of ends.toSorted((a, b) => a - b)) {
    if (at - before > apartMs) looks.push(at)
    before = at
  }
  return looks
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
  const all = starts.flatMap((start) => agesAtEnds(sightings, start) ?? [])
  const least = Math.min(...all.map(({ spread }) => spread))
  const possible = all.flatMap((one) => candidate(sightings, one, least) ?? [])
  const best = Math.min(...possible.map(({ spread }) => spread))
  const isExact = possible.some(({ spread, least }) => spread <= toleranceMs(least))
  const likely = possible.filter(({ spread }) => !isExact || spread <= 2 * best + 30)
  const [first] = likely
  if (first === undefined) return { kind: 'unclear', because: scattered(sightings) }
  const { status, how } = commonest(ended)
  // Where it may be one start or another, all that is told has to be true of each.
  const soonest = isExact ? first.least : Math.min(...likely.map((one) => one.least))
  const ms = first.start === 'answer' && isExact ? medianOf(first.ages) : soonest
  const latest = isExact ? first.latest : Math.max(...likely.map((one) => one.latest))
  const lateMs = first.spread <= exactMs ? 0 : Math.round(latest - soonest)
  const belowMs = lateMs === 0 ? 0 : Math.max(0, Math.round(ms - first.spared))
  const since = likely.map(({ start }) => start)
  return { kind: 'found', ms: Math.round(ms), lateMs, belowMs, since, status, how }
}

/** The ending that was seen most often. */
export function commonest(ended: readonly WaitEnding[]): WaitEnding {
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
