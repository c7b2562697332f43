import { type Load, type Phase, peak } from '../load.ts'
import { poissonMasses } from './poisson.ts'

/** When the n-th arrival is due: milliseconds after the start, Infinity when there is no n-th. */
export type Pacer = (n: number) => number

/** A phase placed on both axes: when it begins, and how many arrivals were expected before it. */
type Placed = Phase & { startMs: number; startMass: number; mass: number }

/** Sums of many small parts stray by less than this; an arrival is never that close to a border. */
const tolerance = 1e-6

function place(phases: readonly Phase[]): Placed[] {
  let startMs = 0
  let startMass = 0
  return phases.map((phase) => {
    const mass = ((phase.from + phase.to) / 2) * phase.seconds
    const placed = { ...phase, startMs, startMass, mass }
    startMs += phase.seconds * 1_000
    startMass += mass
    return placed
  })
}

/**
 * Milliseconds into the phase at which `mass` arrivals were expected: the root of `from·t +
 * (to−from)·t²/2·seconds = mass`, in the form that loses no digits when the two are close.
 */
function crossing({ from, to, seconds }: Phase, mass: number): number {
  if (mass <= 0) return 0
  const bend = seconds === Infinity ? 0 : (2 * (to - from)) / seconds
  return (2_000 * mass) / (from + Math.sqrt(Math.max(0, from * from + bend * mass)))
}

/** The phases' schedule as a pacer; the same phases and seed give the same one everywhere. */
export function createPacer(options: { phases: readonly Phase[]; seed: number }): Pacer {
  const placed = place(options.phases).filter(({ mass }) => mass > 0)
  const last = placed.at(-1)
  const total = last ? last.startMass + last.mass : 0
  let at = 0
  const phaseOf = (mass: number): Placed => {
    if (mass < placed[at]!.startMass) at = 0
    while (at < placed.length - 1 && mass >= placed[at + 1]!.startMass - tolerance) at++
    return placed[at]!
  }
  const isChance = (mass: number) => phaseOf(mass).arrivals === 'poisson'
  const massOf = placed.some(({ arrivals }) => arrivals === 'poisson')
    ? poissonMasses({ seed: options.seed, isChance })
    : (n: number) => n
  return (n) => {
    const mass = total > 0 ? massOf(n) : Infinity
    if (mass >= total - tolerance) return Infinity
    const phase = phaseOf(mass)
    return phase.startMs + crossing(phase, mass - phase.startMass)
  }
}

/** As many arrivals by chance are counted one by one, which takes some 30 ms. */
const mostCounted = 1e6

/** How many iterations a load has at most; Infinity when only time, or nothing, ends it. */
export function plannedIterations(load: Load, seed: number): number {
  const { phases, iterations } = load
  if (load.model === 'closed') {
    return Math.min(iterations, Math.ceil(peak(phases)) * load.iterationsEach)
  }
  if (phases.at(-1)!.seconds === Infinity) return iterations
  const total = phases.reduce((sum, { from, to, seconds }) => sum + ((from + to) / 2) * seconds, 0)
  if (phases.every(({ arrivals }) => arrivals === 'even')) {
    return Math.min(iterations, Math.max(0, Math.ceil(total - tolerance)))
  }
  // Chance brings eight standard deviations more than expected once in 10¹⁵ loads.
  if (total > mostCounted) return Math.min(iterations, Math.ceil(total + 8 * Math.sqrt(total)))
  const pacer = createPacer({ phases, seed })
  let count = 0
  while (count < iterations && pacer(count) < Infinity) count++
  return count
}

/** The level at a moment, in milliseconds after the start; 0 once all phases are over. */
export function levelAt(phases: readonly Phase[], ms: number): number {
  let startMs = 0
  for (const { from, to, seconds } of phases) {
    const share = (ms - startMs) / (seconds * 1_000)
    if (share < 1) return from === to ? from : from + (to - from) * share
    startMs += seconds * 1_000
  }
  return 0
}

/** Whether a moment, in milliseconds after the start, lies in a phase that is measured. */
export function isMeasured(phases: readonly Phase[], ms: number): boolean {
  let endMs = 0
  for (const phase of phases) {
    endMs += phase.seconds * 1_000
    if (ms < endMs) return phase.measured
  }
  return phases.at(-1)?.measured ?? false
}
