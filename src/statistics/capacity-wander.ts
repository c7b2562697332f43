import { capacityPosterior } from './capacity-posterior.ts'
import type { Interval } from './interval.ts'
import type { LoadTrial } from './load-class.ts'
import { normalQuantile } from './normal.ts'

/**
 * By how much what is held may wander about its centre, as a share, and for how much of the time
 * it remembers where it is; a target that does not wander is as likely beforehand as all that do.
 */
const wanders = { sds: [0.015, 0.03, 0.06], memories: [0.1, 0.35] }

/** As in `capacity-posterior.ts`: the band in which a trial goes either way, and glitches. */
const blurs = [0.003, 0.006, 0.012, 0.025]
const glitches = [0.02]

/** Places at which a deviation from the centre is looked at, each as likely as the others. */
const states = 9

/** Centres looked at, in a range so much wider than where a target that does not wander has its. */
const centres = 41
const wider = { confidence: 0.998, by: 1.12 }

const deviations = Float64Array.from({ length: states }, (_, at) =>
  normalQuantile((at + 0.5) / states)
)

/** Chances to go from each deviation to each other one, where so much of one is kept. */
function passages(kept: number): Float64Array {
  const sd = Math.sqrt(Math.max(1e-6, 1 - kept ** 2))
  const chances = new Float64Array(states * states)
  for (let from = 0; from < states; from++) {
    let sum = 0
    for (let to = 0; to < states; to++) {
      const chance = Math.exp(-0.5 * ((deviations[to]! - kept * deviations[from]!) / sd) ** 2)
      chances[from * states + to] = chance
      sum += chance
    }
    for (let to = 0; to < states; to++) chances[from * states + to]! /= sum
  }
  return chances
}

type Told = { above: Float64Array; isHeld: Uint8Array; passages: Float64Array[] }

/** ln P(trials) for one centre, where it wanders like that: forward through all of them. */
function logChance(
  { above, isHeld, passages }: Told,
  { centre, sd, blur, glitch }: { centre: number; sd: number; blur: number; glitch: number }
): number {
  let [now, next] = [new Float64Array(states).fill(1 / states), new Float64Array(states)]
  let log = 0
  for (let at = 0; at < above.length; at++) {
    if (at > 0) {
      const chances = passages[at]!
      next.fill(0)
      for (let from = 0; from < states; from++) {
        const weight = now[from]!
        for (let to = 0; to < states; to++) next[to]! += weight * chances[from * states + to]!
      }
      ;[now, next] = [next, now]
    }
    let sum = 0
    for (let state = 0; state < states; state++) {
      const beyond = above[at]! - centre - sd * deviations[state]!
      const chance = glitch + (1 - 2 * glitch) / (1 + Math.exp(beyond / blur))
      sum += now[state]! *= isHeld[at] === 1 ? chance : 1 - chance
    }
    log += Math.log(sum)
    for (let state = 0; state < states; state++) now[state]! /= sum
  }
  return log
}

/** The same of a target that does not wander. */
function logSteady(
  { above, isHeld }: Told,
  { centre, blur, glitch }: { centre: number; blur: number; glitch: number }
): number {
  let log = 0
  for (let at = 0; at < above.length; at++) {
    const chance = glitch + (1 - 2 * glitch) / (1 + Math.exp((above[at]! - centre) / blur))
    log += Math.log(isHeld[at] === 1 ? chance : 1 - chance)
  }
  return log
}

/** Where the capacity lies on the whole, and how likely it is that it wanders at all. */
export type WanderingCapacity = Interval & { wandering: number }

/**
 * The capacity on the whole of a target that may hold more in one minute than in the next: trials
 * next to each other then tell the same, and are worth less than as many that are independent. By
 * Bayes' rule over a centre, a deviation from it that comes back (Ornstein and Uhlenbeck's), its
 * spread and memory, blur and glitches. Assumes trials in the order made, alike in length. Source:
 * forward algorithm, Rabiner 1989; errors: README.
 */
export function wanderingCapacity(
  trials: readonly LoadTrial[],
  confidence: number
): WanderingCapacity {
  const told = trials.filter(({ outcome }) => outcome !== 'unoffered')
  const steady = capacityPosterior(told, wider.confidence)
  if (!Number.isFinite(steady.high) || steady.low <= 0) return { ...steady, wandering: 0 }
  const whole = trials.reduce((sum, { seconds }) => sum + seconds, 0)
  const above = Float64Array.from(told, ({ load }) => Math.log(load))
  const isHeld = Uint8Array.from(told, ({ outcome }) => (outcome === 'held' ? 1 : 0))
  const [low, high] = [Math.log(steady.low / wider.by), Math.log(steady.high * wider.by)]
  const places = Array.from(
    { length: centres },
    (_, at) => low + ((high - low) * at) / (centres - 1)
  )
  const rest: Told = { above, isHeld, passages: [] }
  const shapes = blurs.flatMap((blur) => glitches.map((glitch) => ({ blur, glitch })))
  const own = shapes.map((shape) => places.map((centre) => logSteady(rest, { centre, ...shape })))
  const others = wanders.memories.flatMap((memory) => {
    const each = told.map(({ seconds }) => passages(Math.exp(-seconds / (memory * whole))))
    const known = { ...rest, passages: each }
    return wanders.sds.flatMap((sd) =>
      shapes.map((shape) => places.map((centre) => logChance(known, { centre, sd, ...shape })))
    )
  })
  const most = Math.max(...own.flat(), ...others.flat())
  const sum = (logs: number[][], at: number) =>
    logs.reduce((total, each) => total + Math.exp(each[at]! - most), 0) / logs.length
  const steadily = places.map((_, at) => sum(own, at))
  const wandering = places.map((_, at) => sum(others, at))
  const weights = places.map((_, at) => steadily[at]! + wandering[at]!)
  const total = (some: readonly number[]) => some.reduce((all, one) => all + one, 0)
  const all = total(weights)
  /** Between places as if a weight were spread evenly about its own. */
  const at = (share: number) => {
    let left = share * all
    const place = weights.findIndex((weight) => {
      left -= weight
      return left <= 0
    })
    const part = 1 + left / Math.max(Number.MIN_VALUE, weights[place]!)
    return Math.exp(places[place]! + (part - 0.5) * (places[1]! - places[0]!))
  }
  const ends = { low: at((1 - confidence) / 2), high: at((1 + confidence) / 2) }
  return { ...ends, wandering: total(wandering) / all }
}
