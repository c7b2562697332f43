import { capacityPosterior } from './capacity-posterior.ts'
import type { Interval } from './interval.ts'
import type { LoadTrial } from './load-class.ts'

/** Whether trials tell of one capacity, and the interval that holds it either way. */
export type CapacitySteadiness = {
  /** Intervals of the trials before and after some moment that have nothing in common. */
  changed?: { before: Interval; after: Interval }
  interval: Interval
}

/** Shares of the trials' time at which they may have changed. */
const moments = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]

/** How sure each side is where they are held apart. */
const apart = 0.98

/** Trials on each side without which nothing is said of it. */
const fewest = 4

/** The interval of a capacity by some trials, at a confidence. */
type IntervalOf<Trial> = (trials: readonly Trial[], confidence: number) => Interval

/** Whether trials have a capacity between them: some were held, some missed. */
function isTelling(trials: readonly LoadTrial[]): boolean {
  const held = trials.filter(({ outcome }) => outcome === 'held').length
  return trials.length >= fewest && held > 0 && held < trials.length
}

/** The trials before and after a share of their time. */
function parted<Trial extends LoadTrial>(
  trials: readonly Trial[],
  share: number
): [Trial[], Trial[]] {
  const whole = trials.reduce((sum, { seconds }) => sum + seconds, 0)
  let passed = 0
  const isBefore = trials.map(({ seconds }) => {
    passed += seconds
    return passed <= share * whole
  })
  return [trials.filter((_, at) => isBefore[at]), trials.filter((_, at) => !isBefore[at])]
}

/** The moment at which what is before and after lies farthest apart, if it does. */
function changeIn<Trial extends LoadTrial>(
  trials: readonly Trial[],
  of: IntervalOf<Trial>
): CapacitySteadiness['changed'] {
  const gap = ({ before, after }: { before: Interval; after: Interval }) =>
    Math.max(before.low / after.high, after.low / before.high)
  const parts = moments.flatMap((share) => {
    const [early, late] = parted(trials, share)
    if (!isTelling(early) || !isTelling(late)) return []
    return [{ before: of(early, apart), after: of(late, apart) }]
  })
  const [most] = parts.toSorted((one, other) => gap(other) - gap(one))
  return most !== undefined && gap(most) > 1 ? most : undefined
}

/**
 * The interval of a capacity, or, where trials before and after some moment tell of two, one that
 * reaches over both. Noise that lasts from trial to trial and comes back is not seen. Assumes as
 * `capacityPosterior`, or what else tells intervals, on each side. Errors: README.
 */
export function capacitySteadiness<Trial extends LoadTrial>(
  trials: readonly Trial[],
  confidence: number,
  of: IntervalOf<Trial> = capacityPosterior
): CapacitySteadiness {
  const told = trials.filter(({ outcome }) => outcome !== 'unoffered')
  const whole = of(told, confidence)
  const changed = changeIn(told, of)
  if (changed === undefined) return { interval: whole }
  const all = [whole, changed.before, changed.after]
  const low = Math.min(...all.map((one) => one.low))
  const high = Math.max(...all.map((one) => one.high))
  return { changed, interval: { low, high } }
}
