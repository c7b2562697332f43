import { percent } from '../number.ts'
import { wanderingCapacity } from '../statistics/capacity-wander.ts'
import { median } from '../statistics/quantile.ts'
import { rangeText, rateText } from './capacity-part.ts'
import type { RateTrial } from './rate-trial.ts'

/**
 * How what a target holds was not the same all the time: by itself, or by being overloaded, then
 * with the highest rate a second that was held before; or by the machine that asked, which was
 * short of processors, so that nobody knows whether it was the target.
 */
export type Unsteady = {
  kind: 'changed' | 'overload' | 'machine'
  because: string
  heldBefore?: number
}

/** What is known of a capacity: where it lies, and what is against that. */
export type CapacityKnown = { interval?: [low: number, high: number]; unsteady?: Unsteady }

/** That a capacity changed, as was seen. */
export function changed(seen: string): Unsteady {
  const because = `the target's capacity changed while it was measured: ${seen}`
  return { kind: 'changed', because }
}

/**
 * How likely wandering has to be, in what is left after a first fifth, since a target may warm up:
 * of one that is steady, or varies from trial to trial by 2 %, it is .35 at most in 40 searches.
 */
const wandering = { likely: 0.5, after: 0.2 }

const sureness = 0.95

/**
 * What is known in the light of how trials followed each other, all of one length: where those next
 * to each other are too much alike for one capacity and chance, it wandered.
 */
export function orWandering(evidence: CapacityKnown, trials: readonly RateTrial[]): CapacityKnown {
  const { interval, unsteady } = evidence
  if (interval === undefined || unsteady !== undefined) return evidence
  const whole = trials.reduce((sum, { seconds }) => sum + seconds, 0)
  let passed = 0
  const warm = trials.flatMap(({ rate, ...rest }) => {
    passed += rest.seconds
    return passed > wandering.after * whole ? [{ load: rate, ...rest }] : []
  })
  const found = wanderingCapacity(warm, sureness)
  if (found.wandering < wandering.likely) return evidence
  const [low, high] = [Math.min(interval[0], found.low), Math.max(interval[1], found.high)]
  return {
    interval: [low, high],
    unsteady: changed(`it went up and down within ${rangeText({ low, high })}`)
  }
}

/** A rate above what is held, by so much that no noise of a trial explains it. */
const farAbove = 1.1

/** By so many deviations more, where chance among its requests makes as much of a trial. */
const chance = 3

/**
 * What was held before the target was overrun for the first time, and by far never again: it is the
 * overload that it does not recover from, or not in the time between trials.
 */
export function overloadIn(
  trials: readonly RateTrial[],
  high: number,
  spread = 0
): Unsteady | undefined {
  const first = trials.findIndex(({ outcome }) => outcome === 'missed')
  const isFar = ({ rate, outcome }: RateTrial) =>
    outcome === 'held' && rate > (farAbove + chance * spread) * high
  const once = trials.slice(0, Math.max(0, first)).filter(isFar)
  if (once.length === 0 || trials.slice(first).some(isFar)) return
  const heldBefore = Math.max(...once.map(({ rate }) => rate))
  const since = trials.slice(first).reduce((sum, { seconds }) => sum + seconds, 0)
  const because =
    `${rateText(heldBefore)} was held before it was overloaded, and not since: ` +
    `it recovers slowly after overload, or not in ${Math.round(since)} s`
  return { kind: 'overload', because, heldBefore }
}

/** How short of processors a generator was: shares of the time that it waited in a trial. */
export type Shortage = { usual: number; most: number }

/** A thread that waits for so much of its time, in so many trials, shares its processors. */
const short = { share: 0.1, trials: 0.2 }

/** Whether the machine that asked was short of processors, and by how much; undefined if not. */
export function shortageIn(trials: readonly RateTrial[]): Shortage | undefined {
  const waits = trials.map(({ waitShare = 0 }) => waitShare)
  const many = waits.filter((share) => share > short.share).length
  if (many === 0 || many < short.trials * waits.length) return
  return { usual: median(waits), most: Math.max(...waits) }
}

/** A shortage in words. */
export const shortageText = ({ usual, most }: Shortage) =>
  `this machine was short of processors: the generator waited for one ${percent(usual, 2)} of ` +
  `the time as a rule, up to ${percent(most, 2)} of a trial`

/** What is said of an unsteady capacity where the machine may have to answer for it. */
export function orMachine(evidence: CapacityKnown, trials: readonly RateTrial[]): CapacityKnown {
  const { unsteady } = evidence
  const shortage = unsteady && shortageIn(trials)
  if (shortage === undefined) return evidence
  const because =
    `what was held changed while it was measured, and ${shortageText(shortage)}; ` +
    `it may be that and not the target (${unsteady!.because})`
  return { ...evidence, unsteady: { ...unsteady!, kind: 'machine', because } }
}
