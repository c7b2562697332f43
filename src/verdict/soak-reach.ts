import { warmUp } from './judge-drift.ts'

/**
 * How many times its own noise something has to grow in what is judged for a soak to find it in
 * nine of ten: by simulation, `npm run bench:soak-models`.
 */
const growthByNoise = 20

/** Stretches of a second each, of which 20 remain after warm-up. */
export const leastSoakSeconds = 30

/** Noise of a floor that is usual of a heap, as a share of its level. */
const usual = 0.01

/** What a soak can tell, before anything is known of the target. */
export type SoakReach = {
  isTooShort: boolean
  /** Noise, as a share of the level, under which growth by twice the budget is found. */
  noise: number
  /** How long it takes under noise of one per cent. */
  typical: { noise: number; seconds: number }
}

/** What so long a soak can tell of growth by twice a budget, a share of a level an hour. */
export function soakReach(seconds: number, budget: number): SoakReach {
  const grown = (hours: number) => 2 * budget * (1 - warmUp) * hours
  return {
    isTooShort: seconds < leastSoakSeconds,
    noise: grown(seconds / 3_600) / growthByNoise,
    typical: { noise: usual, seconds: (3_600 * usual * growthByNoise) / grown(1) }
  }
}
