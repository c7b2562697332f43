import type { Random } from '../../src/random.ts'
import type { Block, Pair, Trial } from '../../src/verdict/trial.ts'

/** A clean trial with the given median latency; the other numbers follow from it. */
export function trialOfUs(p50Us: number | null, changes: Partial<Trial> = {}): Trial {
  const times = (factor: number) => (p50Us === null ? null : p50Us * factor)
  return {
    p50Us,
    p90Us: times(1.5),
    p99Us: times(3),
    meanUs: times(1.1),
    perSecond: p50Us === null ? 0 : 1e6 / p50Us,
    requests: 100,
    failures: 0,
    errors: {},
    reasons: [],
    ...changes
  }
}

/** A pair on whose log-ratio B/A of latency is given. */
export function pairWith(difference: number, changes: Partial<Trial> = {}): Pair {
  return { a: trialOfUs(1_000), b: trialOfUs(1_000 * Math.exp(difference), changes) }
}

/** Blocks of one pair each, evenly noisy about a difference. */
export function blocksAbout(difference: number, count: number, next: Random, noise = 0.02) {
  return Array.from({ length: count }, (): Block => {
    return [pairWith(difference + noise * 2 * (next() - 0.5))]
  })
}
