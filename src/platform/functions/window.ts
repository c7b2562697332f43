/** Takes one for a key: 0 when that was allowed, else the milliseconds until it would be. */
export type Window = (key: string, now: number) => number

type Recent = { times: number[]; taken: number }

/** Keys that are remembered before those are looked for that need not be. */
const manyKeys = 1_000

/**
 * A limit that slides: in no stretch of `windowMs` are more than `most` taken for a key. What was
 * refused does not count.
 */
export function slidingWindow({ most, windowMs }: { most: number; windowMs: number }): Window {
  const recent = new Map<string, Recent>()
  const isOver = ({ times, taken }: Recent, now: number) =>
    now - times[(taken - 1) % most]! >= windowMs

  return (key, now) => {
    const known = recent.get(key) ?? { times: [], taken: 0 }
    // A ring: where the next is written there is the one that was taken `most` before it.
    const place = known.taken % most
    const waitMs = known.taken < most ? 0 : Math.max(0, windowMs - (now - known.times[place]!))
    if (waitMs > 0) return waitMs
    known.times[place] = now
    known.taken++
    recent.set(key, known)
    if (recent.size > manyKeys)
      for (const [other, those] of recent) if (isOver(those, now)) recent.delete(other)
    return 0
  }
}
