import type { Random } from '../../src/random.ts'

/** Standard normal values (Box & Muller). */
export function normals(next: Random): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

/** So many values, each by its place. */
export function series<Value>(count: number, value: (place: number) => Value): Value[] {
  return Array.from({ length: count }, (_, place) => value(place))
}

/** Values of unit variance that remember a share of the one before. */
export function remembering(memory: number, next: Random): () => number {
  const normal = normals(next)
  let value = normal()
  return () => {
    value = memory * value + Math.sqrt(1 - memory ** 2) * normal()
    return value
  }
}

/**
 * Log-ratios of pairs on a drifting machine, B slower by `slowdown`: the environment wanders by 3 %
 * with a memory of 0.95, one trial in 20 is hit by something that costs 8 %, and each trial has
 * noise of its own. The order within a pair is random, as in a comparison.
 */
export function pairs(
  count: number,
  { slowdown, sd, next }: { slowdown: number; sd: number; next: Random }
): number[] {
  const normal = normals(next)
  const environment = remembering(0.95, next)
  const trial = () => 0.03 * environment() + sd * normal() + (next() < 0.05 ? 0.08 : 0)
  return series(count, () => {
    const isFirst = next() < 0.5
    const [one, other] = [trial(), trial()]
    return Math.log1p(slowdown) + (isFirst ? one - other : other - one)
  })
}

/**
 * Memory in MB by the hour, one floor a minute: a warm-up of 20 MB, noise of 1.2 MB that remembers,
 * and what is asked for: a leak per hour, a cache that fills, or a step of so many MB.
 */
export function memory(
  minutes: number,
  {
    leak = 0,
    fill = 0,
    step = 0,
    memory = 0.6,
    next
  }: { leak?: number; fill?: number; step?: number; memory?: number; next: Random }
): { time: number; value: number }[] {
  const noise = remembering(memory, next)
  return series(minutes, (minute) => minute + 1).map((minute) => ({
    time: minute / 60,
    value:
      100 +
      20 * (1 - Math.exp(-minute / 5)) +
      (leak * minute) / 60 +
      fill * (1 - Math.exp((-4 * minute) / minutes)) +
      (minute > 0.6 * minutes ? step : 0) +
      1.2 * noise()
  }))
}

/**
 * What became of a load on a target that can do `capacity`, give or take `sd`, with one glitch in
 * 20.
 */
export function serving({
  capacity,
  sd,
  next
}: {
  capacity: number
  sd: number
  next: Random
}): (load: number) => { outcome: 'held' | 'missed'; lossRatio: number } {
  const normal = normals(next)
  return (load) => {
    const isMissed = next() < 0.05 || load > capacity * Math.exp(sd * normal())
    return isMissed ? { outcome: 'missed', lossRatio: 0.1 } : { outcome: 'held', lossRatio: 0 }
  }
}
