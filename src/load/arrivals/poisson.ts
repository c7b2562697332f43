import { type Random, random } from '../../random.ts'

/** Time to the next of the events that come once a unit of time on average, by chance. */
export function exponential(next: Random): number {
  // 1 − x lies in (0, 1], where x itself may be 0, which has no logarithm.
  return -Math.log(1 - next())
}

/**
 * Positions of arrivals on the axis of expected arrivals: one apart where they are even,
 * exponentially far apart where `isChance` says so. Asking for a higher n is a walk onwards, for a
 * lower one a walk from the start: the answer depends on n and the seed only.
 */
export function poissonMasses(options: {
  seed: number
  isChance: (mass: number) => boolean
}): (n: number) => number {
  const { seed, isChance } = options
  let next: Random
  let reached: number
  let mass: number
  const gap = (from: number) => (isChance(from) ? exponential(next) : 1)
  const restart = () => {
    next = random(seed, 'arrivals')
    reached = 0
    mass = isChance(0) ? exponential(next) : 0
  }
  restart()
  return (n) => {
    if (n < reached) restart()
    for (; reached < n; reached++) mass += gap(mass)
    return mass
  }
}
