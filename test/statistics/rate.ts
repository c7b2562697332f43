import { type Random, random } from '../../src/random.ts'
import type { Interval } from '../../src/statistics/interval.ts'
import { series } from './noise.ts'

/** How often a procedure does something in simulation, and how often it may. */
export type Rate = {
  what: string
  /** Repetitions in the suite, and the bounds that the share of them must keep. */
  count: number
  least: number
  most: number
  once: (next: Random) => boolean
}

/** Whether the truth is outside. */
export const misses = ({ low, high }: Interval, truth: number) => truth < low || truth > high

/** The share of seeded repetitions in which it happened. */
export function measured({ what, once }: Rate, count: number): number {
  return series(count, (seed) => once(random(seed, what))).filter(Boolean).length / count
}
