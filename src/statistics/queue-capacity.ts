import type { CapacityPosterior } from './capacity-posterior.ts'
import type { Interval } from './interval.ts'
import { normalCdf, normalDensity } from './normal.ts'
import { root } from './root.ts'

/** How long requests take without a queue: seconds, and how many of them did. */
export type ServiceTimes = readonly { seconds: number; count: number }[]

/** What was offered to an empty queue, and what came of it. */
export type QueueTrial = {
  /** Requests a second, evenly, and for how long. */
  load: number
  seconds: number
  /** Share of requests that took longer than the bound. */
  lateShare: number
  /** Seconds from the end of the trial to the last response. */
  behind: number
}

/** Within how many seconds all but a share of the requests have to be. */
export type QueueBound = { seconds: number; share: number }

/** By what share of a capacity it may differ from trial to trial besides. */
const ownSpread = 0.01

/** How far off the law of large queues may be in how much service varies (SD of its log). */
const lawError = 0.2

/** And in how far below the rate served the capacity lies, as a share of that, at 95 %. */
const lawShift = 0.25

/** How often a trial says nothing, for reasons of its own. */
const glitch = 0.002

/** Rates looked at in one pass, and variations in each pass, of which the next looks closer. */
const [places, passes] = [32, [5, 5, 11]]

/** So many standard errors off is how much service varies looked for, with Student's chances. */
const farthest = 6

/** Moments of a trial at which the queue is looked at. */
const moments = [0.125, 0.375, 0.625, 0.875]

const meanOf = (service: ServiceTimes, of: (seconds: number) => number) => {
  const total = service.reduce((sum, { count }) => sum + count, 0)
  return service.reduce((sum, { seconds, count }) => sum + count * of(seconds), 0) / total
}

/** The squared coefficient of variation of service times, and the standard error of its log. */
export function variationOf(service: ServiceTimes): { scv: number; logError: number } {
  const mean = meanOf(service, (seconds) => seconds)
  const moment = (power: number) => meanOf(service, (seconds) => (seconds - mean) ** power)
  const count = service.reduce((sum, one) => sum + one.count, 0)
  const [second, fourth] = [moment(2), moment(4)]
  const logError = second > 0 ? Math.sqrt(Math.max(0, fourth / second ** 2 - 1) / count) : 0
  return { scv: second / mean ** 2, logError }
}

/** Where chance in service moves what a trial holds by less, it is as good as steady. */
const leastSpread = 0.02

/**
 * By what share what is held differs from trial to trial by chance in service, or lies below what
 * is served for it; undefined where that is too little to matter.
 */
export function spreadOf(
  scv: number,
  { rate, seconds }: { rate: number; seconds: number },
  { seconds: bound, share }: QueueBound
): number | undefined {
  const spread = Math.sqrt(scv / (rate * seconds))
  const below = (-Math.log(share) * scv) / (2 * rate * bound)
  return Math.max(spread, below) < leastSpread ? undefined : spread
}

/** The longest of so many requests at once, as a rule: what the last ones to leave take. */
function longestOf(service: ServiceTimes, lanes: number): number {
  const total = service.reduce((sum, { count }) => sum + count, 0)
  let [below, longest] = [0, 0]
  for (const { seconds, count } of service.toSorted((one, other) => one.seconds - other.seconds)) {
    const upTo = below + count / total
    longest += seconds * (upTo ** lanes - below ** lanes)
    below = upTo
  }
  return longest
}

/** How fast the chance to wait falls with how long, 1/s, where the bound is just kept. */
function decayOf(
  service: ServiceTimes,
  { seconds: bound, share, lanes }: QueueBound & { lanes: number }
): number | undefined {
  const late = (decay: number) =>
    meanOf(service, (own) => Math.exp(-decay * Math.max(0, bound - own))) /
    meanOf(service, (own) => Math.exp((decay * own) / lanes))
  if (meanOf(service, (own) => (own > bound ? 1 : 0)) >= share) return
  return root((decay) => share - late(decay), { low: 0, high: 1e4 / bound })
}

/** A queue's work: how much more of it there is each second, and the variance of that. */
type Flow = { drift: number; variance: number }

/** P(work ≤ x) after so long, begun with none: Brownian motion that is reflected at zero. */
function workCdf(x: number, after: number, { drift, variance }: Flow): number {
  if (x < 0) return 0
  const sd = Math.sqrt((variance + ownSpread ** 2 * after) * after)
  const far = (x + drift * after) / sd
  const near = (x - drift * after) / sd
  // e^(2·drift·x/variance)·Φ(−far), which is more than a number holds times next to nothing.
  const mirrored =
    far > 5
      ? normalDensity(near) / far
      : Math.exp((2 * drift * x * after) / sd ** 2) * normalCdf(-far)
  return Math.max(0, normalCdf(near) - mirrored)
}

/** What of the requests that are served is the same for all capacities that are looked at. */
type Known = { bound: number; drained: number; grain: number }

/** ln P of what a trial showed, for a rate served and how much service varies. */
function logChance(
  { load, seconds, lateShare, behind }: QueueTrial,
  { served, varies }: { served: number; varies: number },
  { bound, drained, grain }: Known
): number {
  const flow = { drift: load / served - 1, variance: varies / served }
  const left = behind + 1 / load - drained
  const half = Math.max(grain, 0.0025 * seconds)
  const seen =
    workCdf(Math.max(left, 0) + half, seconds, flow) - workCdf(left - half, seconds, flow)
  const log = Math.log(glitch + (1 - glitch) * Math.max(0, seen))
  // Late requests come in clusters: a stretch is worth one look for each time a queue is renewed.
  if (flow.drift >= 0) return log
  const looks = (seconds * flow.drift ** 2) / (3 * flow.variance)
  const late =
    moments.reduce((sum, at) => sum + 1 - workCdf(bound, at * seconds, flow), 0) / moments.length
  const share = Math.min(1 - glitch, Math.max(glitch / 10, late))
  return log + looks * (lateShare * Math.log(share) + (1 - lateShare) * Math.log1p(-share))
}

/** Where the capacity lies, and what else is known of the queue. */
export type QueueCapacity = CapacityPosterior & {
  /** The highest rate served, whatever the bound, at best estimate. */
  served: number
  /** ln of how likely the trials are where they are likeliest, up to a constant. */
  fit: number
  /** How much longer queues were than service explains, in standard errors of how it varies. */
  odd: number
  /** Seconds after which a queue has forgotten how it began, at the capacity. */
  renewal: number
}

/** What service and a bound say of a queue, for a rate that is served at most. */
type Law = Known & { varies: number; decay: number }

function lawOf(service: ServiceTimes, bound: QueueBound, served: number): Law | undefined {
  const mean = meanOf(service, (seconds) => seconds)
  const lanes = Math.max(1, Math.round(served * mean))
  const decay = decayOf(service, { ...bound, lanes })
  if (decay === undefined) return
  // With the tail of service as well; what it has to vary for the same effect.
  const load = decay / Math.log(meanOf(service, (own) => Math.exp((decay * own) / lanes)))
  const { scv } = variationOf(service)
  return {
    ...{ bound: -Math.log(bound.share) / decay, grain: mean, decay },
    drained: longestOf(service, lanes) - mean / lanes,
    varies: Math.max(scv / 2, (2 * (lanes / mean - load)) / decay)
  }
}

type Weighted = { served: number; capacity: number; weight: number; log: number; odd: number }

/** Weights of rates served and of so many variations, by all trials. */
function weighted(
  trials: readonly QueueTrial[],
  { low, high }: Interval,
  { logError, variations, ...law }: Law & { logError: number; variations: number }
): Weighted[] {
  const logs = Array.from({ length: places }, (_, at) => {
    const served = low * (high / low) ** (at / (places - 1))
    return Array.from({ length: variations }, (_, nth) => {
      const z = farthest * ((2 * nth) / (variations - 1) - 1)
      const varies = law.varies * Math.exp(logError * z)
      const sum = trials.reduce((all, one) => all + logChance(one, { served, varies }, law), 0)
      const log = sum - 2 * Math.log1p(z ** 2 / 3)
      return { served, capacity: served - (varies * law.decay) / 2, log, odd: z }
    })
  }).flat()
  const most = Math.max(...logs.map(({ log }) => log))
  return logs.map((one) => ({ ...one, weight: Math.exp(one.log - most) }))
}

/** The value below which a share of the weight lies. */
function quantileOf(of: 'served' | 'capacity', some: readonly Weighted[], share: number): number {
  const ordered = some.toSorted((one, other) => one[of] - other[of])
  let left = share * ordered.reduce((sum, { weight }) => sum + weight, 0)
  const found = ordered.find(({ weight }) => {
    left -= weight
    return left <= 0
  })
  return found![of]
}

/**
 * The highest load at which all but a share of the requests stay within a bound in the long run, of
 * a target whose requests take another time each by chance. By Bayes' rule over the rate it serves
 * and how much service varies: by what little load showed of that, and by the queues that trials
 * began without, as reflected Brownian motion. Undefined where service alone is beyond the bound.
 * Assumes independent service, one queue, even arrivals, and trials of an empty one. Sources:
 * Harrison, "Brownian Motion and Stochastic Flow Systems" (1985), 1.8; effective bandwidths after
 * Kelly (1996). Errors: README.
 */
export function queueCapacity(
  trials: readonly QueueTrial[],
  { service, bound, confidence }: { service: ServiceTimes; bound: QueueBound; confidence: number }
): QueueCapacity | undefined {
  const loads = trials.map(({ load }) => load)
  if (loads.length === 0) return
  const logError = Math.hypot(variationOf(service).logError, lawError)
  let range = { low: Math.min(...loads) / 2, high: 2 * Math.max(...loads) }
  let served = Math.sqrt(range.low * range.high)
  let found: Weighted[] = []
  let law: Law | undefined
  for (const variations of passes) {
    law = lawOf(service, bound, served)
    if (law === undefined) return
    found = weighted(trials, range, { ...law, logError, variations })
    served = quantileOf('served', found, 0.5)
    const step = (range.high / range.low) ** (1 / (places - 1))
    range = {
      low: quantileOf('served', found, 1e-3) / step,
      high: quantileOf('served', found, 1 - 1e-3) * step
    }
  }
  const at = (share: number) => quantileOf('capacity', found, share)
  const median = at(0.5)
  const renewal = 4 / (law!.decay * (1 - median / served))
  const shift = Math.hypot(lawShift * (served - median), ownSpread * median)
  const low = Math.max(0, median - Math.hypot(median - at((1 - confidence) / 2), shift))
  const high = median + Math.hypot(at((1 + confidence) / 2) - median, shift)
  const fit = Math.max(...found.map(({ log }) => log))
  const total = found.reduce((sum, { weight }) => sum + weight, 0)
  const odd = found.reduce((sum, one) => sum + one.weight * one.odd, 0) / total
  return { low, median, high, served, fit, renewal, odd }
}
