import type { ClockStart } from './course.ts'
import { ageAt, commonest, toleranceMs, type WaitReading } from './wait-reading.ts'
import type { WaitSighting } from './wait-sighting.ts'

/** By how much later an end may be seen than the byte that it came with, in ms. */
const onTheWayMs = 100

/** What part of all ends have to have come so, and how many there have to be. */
const most = { part: 0.85, count: 3 }

/** When the last byte before the end was said; undefined where there was no end. */
function lastByteAt({ marks, ending }: WaitSighting): number | undefined {
  if (!ending) return
  return marks.findLast(({ at, starts }) => at <= ending.at && starts.includes('last byte'))?.at
}

/**
 * Whether a target ends only with a byte what takes too long, as Apache does, which looks at its
 * clock when something is there to be read. Of bytes that come at many ages, as an end by a clock
 * of its own would not follow all.
 */
export function endsWithBytes(sightings: readonly WaitSighting[]): boolean {
  const waits = sightings.flatMap((one) => {
    return one.ending ? [one.ending.at - (lastByteAt(one) ?? Number.NEGATIVE_INFINITY)] : []
  })
  const prompt = waits.filter((ms) => ms <= onTheWayMs).length
  return prompt >= most.count && prompt >= most.part * waits.length
}

/**
 * After how long a byte ends what came one at a time, and since when that counts: a byte that came
 * sooner was taken on every connection.
 */
export function readByBytes(
  sightings: readonly WaitSighting[],
  starts: readonly ClockStart[]
): WaitReading {
  const ended = sightings.flatMap(({ ending }) => ending ?? [])
  const all = starts.map((start) => {
    const agesOf = (isLast: boolean) => {
      return sightings.flatMap((one) => {
        const last = lastByteAt(one)
        const bytes = one.marks.filter(({ starts }) => starts.includes('last byte'))
        const own = bytes.filter(({ at }) => (at === last) === isLast)
        return own.flatMap(({ at }) => ageAt(one, start, at) ?? [])
      })
    }
    const [least, spared] = [Math.min(...agesOf(true)), Math.max(0, ...agesOf(false))]
    return { start, least, spared }
  })
  const possible = all.filter(({ least, spared }) => spared <= least + toleranceMs(least) / 3)
  const [first] = possible
  if (first === undefined) {
    const because = 'ended with a byte, and sooner than others that were taken'
    return { kind: 'unclear', because }
  }
  const { status, how } = commonest(ended)
  const ms = Math.round(Math.min(...possible.map(({ least }) => least)))
  const belowMs = Math.max(0, Math.round(ms - first.spared))
  const since = possible.map(({ start }) => start)
  return { kind: 'found', ms, lateMs: 0, belowMs, since, status, how, isWithByte: true }
}
