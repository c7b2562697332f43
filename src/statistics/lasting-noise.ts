import { root } from './root.ts'
import { studentCdf } from './student.ts'

/** A difference of one pair of trials, and when it was taken. */
export type TimedDifference = { atMs: number; value: number }

/** Those that were taken on the same processes, in the order of time. */
export type TimedBlock = readonly TimedDifference[]

/** Blocks of which some may be asked about, and all tell how they vary. */
export type Timed = { of: readonly TimedBlock[]; all: readonly TimedBlock[] }

/**
 * What differences vary by beside noise that each pair has of its own, in multiples of its
 * variance: the luck of a start, one for all pairs of a block, and what comes and goes (an
 * Ornstein–Uhlenbeck process that forgets in `memoryMs`), of each process by itself, or of an arm,
 * which outlives its processes.
 */
type Source = { luck: number; wandering: number; memoryMs: number; outlives: boolean }

/** How well a source explains all pairs, and what it makes of the error of a mean. */
type Explanation = { logLikelihood: number; error: number; freedom: number }

/** What is left of a pair by all those before: of its value, and of a one in place of each. */
type Innovation = { value: number; one: number; variance: number }

/** One after the other (Kalman's filter), so that no covariance of all pairs is written down. */
function innovations(
  blocks: readonly TimedBlock[],
  { luck, wandering, memoryMs, outlives }: Source
): Innovation[] {
  const found: Innovation[] = []
  let [place, before] = [{ value: 0, one: 0, variance: wandering }, 0]
  for (const block of blocks) {
    if (!outlives) place = { value: 0, one: 0, variance: wandering }
    const start = { value: 0, one: 0, variance: luck }
    let shared = 0
    for (const { atMs, value } of block) {
      const kept = wandering === 0 ? 0 : Math.exp((before - atMs) / memoryMs)
      before = atMs
      place.value *= kept
      place.one *= kept
      place.variance = wandering + kept ** 2 * (place.variance - wandering)
      shared *= kept
      const [ofPlace, ofStart] = [place.variance + shared, start.variance + shared]
      const variance = ofPlace + ofStart + 1
      const left = { value: value - place.value - start.value, one: 1 - place.one - start.one }
      found.push({ ...left, variance })
      for (const [state, share] of [
        [place, ofPlace],
        [start, ofStart]
      ] as const) {
        state.value += (share / variance) * left.value
        state.one += (share / variance) * left.one
        state.variance -= share ** 2 / variance
      }
      shared -= (ofPlace * ofStart) / variance
    }
  }
  return found
}

/** A sum of what is left of pairs, each by what is known of it. */
const weighted = (found: readonly Innovation[], of: (one: Innovation) => number) =>
  found.reduce((sum, one) => sum + of(one) / one.variance, 0)

/** Explains all pairs by a source, whatever their mean and the noise of a pair are. */
function explanation({ all, of }: Timed, source: Source): Explanation {
  const found = innovations(all, source)
  const freedom = found.length - 1
  const known = weighted(found, ({ one }) => one ** 2)
  const mean = weighted(found, ({ value, one }) => value * one) / known
  const squares = weighted(found, ({ value, one }) => (value - mean * one) ** 2)
  const spread = found.reduce((sum, { variance }) => sum + Math.log(variance), 0)
  const logLikelihood = -(spread + Math.log(known) + freedom * Math.log(squares)) / 2
  const some = of === all ? known : weighted(innovations(of, source), ({ one }) => one ** 2)
  return { logLikelihood, error: Math.sqrt(squares / freedom / some), freedom }
}

/** What is tried; how long something is remembered as shares of the time that all pairs took. */
const tried = {
  luck: [0, 0.05, 0.2, 0.6, 2, 6],
  wandering: [0.3, 1, 3, 9],
  memory: [0.07, 0.18, 0.45]
}

/**
 * How likely it is, before anything is measured, that something comes and goes with a process, or
 * outlives it: so unlikely that of starts which differ by luck no interval gets wider than what
 * neighbours have in common by chance made it.
 */
const prior = { process: 0.1, arm: 0.03 }

/** Everything that is tried for pairs that took so long, each with how likely it is before. */
function sources(lastsMs: number): (Source & { likely: number })[] {
  const wandering = tried.wandering.flatMap((wandering) =>
    tried.memory.map((share) => ({ wandering, memoryMs: share * lastsMs }))
  )
  const each = 1 / wandering.length
  const kinds = [
    { wandering: 0, memoryMs: lastsMs, outlives: false, likely: 1 - prior.process - prior.arm },
    ...wandering.map((one) => ({ ...one, outlives: false, likely: each * prior.process })),
    ...wandering.map((one) => ({ ...one, outlives: true, likely: each * prior.arm }))
  ]
  return tried.luck.flatMap((luck) => kinds.map((kind) => ({ ...kind, luck })))
}

/** How far to either side of a mean the truth may be, as all explanations have it together. */
function reach(explained: readonly (Explanation & { likely: number })[], confidence: number) {
  const top = Math.max(...explained.map(({ logLikelihood }) => logLikelihood))
  const weighed = explained.map((one) => ({
    ...one,
    weight: one.likely * Math.exp(one.logLikelihood - top)
  }))
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0)
  const outside = (far: number) =>
    weighed.reduce((sum, { weight, error, freedom }) => {
      return sum + 2 * (weight / all) * studentCdf(-far / error, freedom)
    }, 0)
  const most = 100 * Math.max(...explained.map(({ error }) => error))
  return root((far) => 1 - confidence - outside(far), { low: 0, high: most, tolerance: most / 1e6 })
}

/**
 * By how much an interval for the mean of blocks is too narrow that takes them for independent, 1
 * or more: all that may lie in the pairs is weighed by how well it explains them. What outlives
 * processes shows in how pairs on the same ones differ, and in what neighbouring blocks have in
 * common; the luck of a start shows in neither. Assumes pairs in the order of time. Sources:
 * Kalman, "A New Approach to Linear Filtering and Prediction Problems" (1960); Harville, "Bayesian
 * Inference for Variance Components Using Only Error Contrasts" (1974).
 */
export function lastingWidening(timed: Timed, confidence: number): number {
  const pairs = timed.all.flat()
  const lastsMs = pairs.at(-1)!.atMs - pairs[0]!.atMs
  const isVaried = pairs.some(({ value }) => value !== pairs[0]!.value)
  if (lastsMs === 0 || !isVaried) return 1
  const explained = sources(lastsMs).map((source) => {
    return { ...source, ...explanation(timed, source) }
  })
  const alone = explained.filter(({ outlives }) => !outlives)
  return Math.max(1, reach(explained, confidence) / reach(alone, confidence))
}
