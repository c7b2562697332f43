// How often the interval of `capacity` holds what a target holds, or says why it cannot, where the
// target is not the same all the time: in virtual time, the same every time for the same seeds.
// `node capacity-models.ts [--count 40] [--first 0] [--time 120] [--only hysteresis]`
import { type Random, random } from '../../src/random.ts'
import { lanes, searching, type VirtualServer } from '../engine/virtual-capacity.ts'
import { normals } from '../statistics/noise.ts'
import { flagsOf } from '../usage.ts'

const { values } = flagsOf(import.meta.url, {
  options: {
    count: { type: 'string', default: '40' },
    first: { type: 'string', default: '0' },
    time: { type: 'string', default: '120' },
    only: { type: 'string', default: '' }
  }
})
const seconds = Number(values.time)

/** One lane that takes 5 ms at a factor of 1, and so holds 200/s; by the moment it is asked. */
type Factor = (now: number, rate: number) => number

/** What a factor wanders by: a deviation in logs, and what a second keeps of it. */
function wandering(sd: number, keptSeconds: number, next: Random): Factor {
  const normal = normals(next)
  let [value, at] = [normal(), 0]
  return (now) => {
    const kept = Math.exp(-(now - at) / 1_000 / keptSeconds)
    value = kept * value + Math.sqrt(1 - kept ** 2) * normal()
    at = now
    return Math.exp(sd * value)
  }
}

/** For so long after more than it holds was asked for, a target holds a quarter less. */
function hysteresis(holdSeconds: number): Factor {
  let until = -Infinity
  return (now, rate) => {
    const factor = now < until ? 1 / 0.75 : 1
    if (rate * factor > 205) until = now + holdSeconds * 1_000
    return factor
  }
}

/** Kinds of targets: what they hold when they are themselves is 200 a second. */
const models: Record<string, (next: Random) => Factor> = {
  steady: () => () => 1,
  'from trial to trial, 2 %': (next) => {
    const normal = normals(next)
    return () => Math.exp(0.02 * normal())
  },
  'from trial to trial, 5 %': (next) => {
    const normal = normals(next)
    return () => Math.exp(0.05 * normal())
  },
  'AR(1) of 3 % that lasts 10 s': (next) => wandering(0.03, 10, next),
  'AR(1) of 5 % that lasts 30 s': (next) => wandering(0.05, 30, next),
  'warm-up: a fifth slower at first, for 15 s': () => (now) => 1 + 0.2 * Math.exp(-now / 15_000),
  'warm-up for 40 s': () => (now) => 1 + 0.2 * Math.exp(-now / 40_000),
  'falls by a tenth on the way': (next) => {
    const at = (0.1 + 0.25 * next()) * seconds * 1_000
    return (now) => (now < at ? 1 : 1 / 0.9)
  },
  'falls by a quarter on the way': (next) => {
    const at = (0.1 + 0.25 * next()) * seconds * 1_000
    return (now) => (now < at ? 1 : 1 / 0.75)
  },
  'hysteresis of 10 s': () => hysteresis(10),
  'hysteresis of 40 s': () => hysteresis(40)
}

/** Targets that fail more requests the more are asked: one in a thousand at 111 a second. */
const failing: Record<string, (rate: number) => number> = {
  'errors rise as the 2nd power of the rate': (rate) => 0.001 * (rate / 111) ** 2,
  'errors rise as its 4th power': (rate) => 0.001 * (rate / 111) ** 4,
  'errors rise as its 8th power': (rate) => 0.001 * (rate / 111) ** 8
}

/**
 * Lanes whose requests take another time each, by chance: how many, within which p99 in
 * milliseconds, and at most how many requests a second in the long run (of four million of them
 * each, even arrivals, one queue).
 */
type Varying = { lanes: number; p99Ms: number; truth: number; ms: (next: Random) => number }

const exponential = (mean: number) => (next: Random) => -mean * Math.log(1 - next())
const tenthSlow = (most: number) => (next: Random) => (next() < 0.1 ? 5 * most : most)
/** Of a deviation as large as its mean. */
const lognormal = (mean: number) => (next: Random) => {
  const z = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return mean * Math.exp(Math.sqrt(Math.LN2) * z - Math.LN2 / 2)
}

const varying: Record<string, Varying> = {
  'exponential, 5 ms': { lanes: 1, p99Ms: 100, truth: 175.9, ms: exponential(5) },
  'exponential, two lanes of 10 ms': { lanes: 2, p99Ms: 100, truth: 174.4, ms: exponential(10) },
  'exponential, four lanes of 20 ms': { lanes: 4, p99Ms: 200, truth: 187.3, ms: exponential(20) },
  'lognormal, 5 ms': { lanes: 1, p99Ms: 100, truth: 171.9, ms: lognormal(5) },
  'a tenth takes 18 ms for 3.6': { lanes: 1, p99Ms: 100, truth: 181.7, ms: tenthSlow(5 / 1.4) },
  'a tenth takes 25 ms for 5': { lanes: 1, p99Ms: 500, truth: 139.6, ms: tenthSlow(5) }
}

const serverFor =
  (factor: Factor, { next, fails }: { next: Random; fails?: (rate: number) => number }) =>
  (now: () => number): VirtualServer =>
  (load) => {
    const rate = Math.max(...load.phases.map(({ to }) => to))
    return lanes(() => {
      const ms = 5 * factor(now(), rate)
      return fails && next() < fails(load.phases.at(-1)!.to) ? { ms, status: 500 } : ms
    })()(load)
  }

/** A factor, and what its logarithm was on the whole, by time, up to the last moment asked. */
function averaged(factor: Factor): { factor: Factor; mean: () => number } {
  const seen: { now: number; log: number }[] = []
  return {
    factor(now, rate) {
      const value = factor(now, rate)
      seen.push({ now, log: Math.log(value) })
      return value
    },
    mean() {
      const spans = seen.slice(1).map(({ now }, at) => now - seen[at]!.now)
      const sum = spans.reduce((total, span, at) => total + span * seen[at]!.log, 0)
      return sum / spans.reduce((total, span) => total + span, 0)
    }
  }
}

/** What a target holds in the end. */
function truthOf(name: string): number {
  if (name in varying) return varying[name]!.truth
  if (name in failing) return 111
  return 200 * (name.includes('tenth') ? 0.9 : name.includes('quarter') ? 0.75 : 1)
}

console.log(
  `one lane of 200/s in ${seconds} s; ${values.count} searches each, from ${values.first}\n`
)
const columns = 'inside  said so  silently wrong, of them meanwhile right   width   confirmed, %'
console.log(`${'target'.padEnd(46)}${columns}`)
const steady = models.steady!
const likeSteady = Object.keys({ ...failing, ...varying }).map((name) => [name, steady])
const all: typeof models = { ...models, ...Object.fromEntries(likeSteady) }
for (const [name, model] of Object.entries(all)) {
  if (!name.includes(values.only)) continue
  const tally = { inside: 0, said: 0, wrong: 0, meanwhile: 0 }
  const widths: number[] = []
  const confirmed: number[] = []
  const words = new Map<string, number>()
  for (let nth = 0; nth < Number(values.count); nth++) {
    const seed = Number(values.first) + nth
    const various = varying[name]
    const shape = { connections: various?.lanes ?? 1, pipelining: 1, timeoutMs: 5_000 }
    const next = random(seed, 'errors')
    const { factor, mean } = averaged(model(random(seed, 'capacity model')))
    const server = various
      ? () => lanes(() => various.ms(next))()
      : serverFor(factor, { next, fails: failing[name] })
    const objective = { p99Us: 1_000 * (various?.p99Ms ?? 50), errorRatio: 0.001 }
    const { outcome } = await searching(server, { seed, seconds, shape, objective })
    const found = outcome.capacity
    const [low, high] = found?.interval ?? [NaN, NaN]
    const unsteady = found?.unsteady
    const isTold = unsteady !== undefined || found?.undecided !== undefined
    const truth = truthOf(name)
    const isInside = low <= truth && high >= truth
    if (isInside) tally.inside++
    if (isTold) tally.said++
    if (!isInside && !isTold && outcome.ended === 'searched') {
      tally.wrong++
      // What it held while it was asked, on the whole: more than that no search can know.
      const meanwhile = 200 / Math.exp(mean())
      if (low <= meanwhile && high >= meanwhile) tally.meanwhile++
    }
    if (unsteady !== undefined) words.set(unsteady.kind, (words.get(unsteady.kind) ?? 0) + 1)
    widths.push(high / low - 1)
    if (found?.confirmed !== undefined) confirmed.push((100 * found.confirmed) / truth)
  }
  const middle = (some: number[]) => some.toSorted((one, other) => one - other)[some.length >> 1]
  const said = [...words].map(([kind, times]) => `${kind} ${times}`).join(', ')
  const cells = [tally.inside, tally.said, tally.wrong, tally.meanwhile].map((count) =>
    String(count).padStart(8)
  )
  console.log(
    name.padEnd(44) + cells.join(''),
    `${(100 * (middle(widths) ?? NaN)).toFixed(1)} %`.padStart(15),
    `${(middle(confirmed) ?? NaN).toFixed(1)} of ${confirmed.length}`.padStart(16),
    `  ${said}`
  )
}
