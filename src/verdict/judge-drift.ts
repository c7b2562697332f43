import { percent } from '../number.ts'
import { random } from '../random.ts'
import { type DriftDecision, driftDecision } from '../statistics/drift-decision.ts'
import { median } from '../statistics/quantile.ts'
import type { Point } from '../statistics/theil-sen.ts'
import { driftMetric, measuredIn, seenShare, series } from './drift-metric.ts'
import { isSilent, type Stretch } from './stretch.ts'

/** How much may drift, and what decides. */
export type DriftTerms = {
  /** Growth in an hour that is not let through, as a share of the level after warm-up. */
  budget: number
  /** The metrics that decide, with budgets of their own; without it, those meant to. */
  budgets?: Record<string, number>
  seed: number
}

/** Whether one metric drifts; slopes are of the metric itself, in its unit an hour. */
export type MetricDrift = {
  verdict: DriftDecision['verdict']
  /** Whether it counts for the verdict of the whole. */
  gates: boolean
  slope: number
  interval: [low: number, high: number]
  unit: string
  /** The growth that is not let through, and the middle value after warm-up. */
  margin: number
  level: number
  halves: [first: number, second: number]
  /** Hours under load after which the level shifted once. */
  stepAt?: number
  /** After how many hours under load it began to rise, and how fast, where it was level before. */
  begun?: { since: number; slope: number }
  /** Share of the time in which it was seen, where that is too little to conclude anything. */
  seenShare?: number
  /** How much longer it would take to tell. */
  furtherSeconds: number
}

/** What a soak says. */
export type DriftConclusion = {
  verdict: DriftDecision['verdict']
  because: string
  seconds: number
  /** Share of the time in which the generator was at fault. */
  voidShare: number
  metrics: Record<string, MetricDrift>
  /** How much longer it would take to tell; 0 when it has been told. */
  furtherSeconds: number
}

/** Share of the time at the beginning that is warm-up. */
export const warmUp = 1 / 3

/** Beyond this share of time with the generator at fault, latencies are not the target's. */
export const mostVoid = 0.2

/** A metric that is seen in a smaller share of the time than this is not judged by it. */
const leastSeen = 0.8

/** Beyond this share of time without answers, what was answered says too little. */
const mostSilent = 0.2

const time = (seconds: number) =>
  seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`

/** What was measured, and what always has to be: a soak without answers is none. */
const expected = (names: readonly string[]) => [...new Set([...names, 'p50', 'errors'])]

/** The middle values before and after a moment. */
function around(points: readonly Point[], moment: number): [before: number, after: number] {
  const middle = (some: readonly Point[]) => median(some.map(({ value }) => value))
  return [
    middle(points.filter(({ time }) => time < moment)),
    middle(points.filter(({ time }) => time >= moment))
  ]
}

/** Whether a target has begun to fail: a step up in errors is no cache, and does not pass. */
function hasBegunToFail(kept: readonly Point[], { stepAt }: DriftDecision, margin: number) {
  if (stepAt === undefined) return false
  const [before, after] = around(kept, stepAt)
  return after - before > margin
}

/** Judges one metric by its points over the hours; undefined with fewer than two. */
function driftOf(
  name: string,
  points: readonly Point[],
  terms: { budget: number; gates: boolean; seed: number; seen: number }
): MetricDrift | undefined {
  if (points.length < 2) return
  const { worse, unit, leastMargin } = driftMetric(name)
  const begin = points[0]!.time + warmUp * (points.at(-1)!.time - points[0]!.time)
  const kept = points.filter(({ time }) => time >= begin)
  const level = median(kept.map(({ value }) => value))
  const margin = Math.max(leastMargin, terms.budget * Math.abs(level))
  // Only rises count, so what must not fall is turned over and back.
  const sign = worse === 'more' ? 1 : -1
  const turned = points.map(({ time, value }) => ({ time, value: sign * value }))
  const decision = driftDecision(turned, { margin, warmUp, next: random(terms.seed, name) })
  const { begun, trend } = decision
  const { low, high } = trend.interval
  const isFailing = name === 'errors' && hasBegunToFail(kept, decision, margin)
  const isBegun = begun !== undefined && !isFailing
  const isRare = terms.seen < leastSeen
  const verdict = isFailing ? 'drift' : decision.verdict
  return {
    verdict: isRare ? 'inconclusive' : verdict,
    gates: terms.gates,
    slope: sign * trend.slope,
    interval: sign > 0 ? [low, high] : [-high, -low],
    ...{ unit, margin, level },
    halves: [sign * decision.halves.first, sign * decision.halves.second],
    ...(decision.stepAt !== undefined && !isBegun && { stepAt: decision.stepAt }),
    ...(isBegun && { begun: { since: begun.since, slope: sign * begun.slope } }),
    ...(isRare && { seenShare: terms.seen }),
    // Of what was not looked at, more of the same tells nothing.
    furtherSeconds: isFailing || isRare ? 0 : decision.further * 3_600
  }
}

const secondsIn = (some: readonly Stretch[]) => some.reduce((sum, { seconds }) => sum + seconds, 0)

/**
 * Says that a target was gone at the end, or for too much of the time, which is any where the rest
 * would pass; undefined where it was not. Why it had gone nobody knows: that is no drift, and does
 * not pass.
 */
function absence(
  stretches: readonly Stretch[],
  rest: DriftConclusion['verdict']
): string | undefined {
  const loaded = stretches.filter(({ load }) => load !== undefined)
  const silent = loaded.filter(isSilent)
  const gone = secondsIn(silent)
  const came = silent.some(({ load }) => load!.answers! > 0) ? 'hardly anything' : 'nothing'
  const since = secondsIn(loaded.slice(loaded.findLastIndex((stretch) => !isSilent(stretch)) + 1))
  if (since > 0) return `the target answers no longer: ${came} came back in the last ${time(since)}`
  if (gone <= (rest === 'stable' ? 0 : mostSilent) * secondsIn(loaded)) return
  return `the target was gone for ${time(gone)}: ${came} came back`
}

/**
 * What little can be said of a target that does not answer, or whose answers are mostly failures:
 * that it never did as it should, that it was gone, or that it fails now; undefined where it does.
 */
function outOfOrder(
  stretches: readonly Stretch[],
  rest: DriftConclusion['verdict']
): Pick<DriftConclusion, 'verdict' | 'because'> | undefined {
  const sum = (of: 'requests' | 'failures', some: readonly Stretch[]) =>
    some.reduce((total, { load }) => total + (load?.[of] ?? 0), 0)
  const share = (some: readonly Stretch[]) =>
    sum('failures', some) / Math.max(1, sum('requests', some))
  const isBroken = share(stretches) > 1 / 2
  const counts = `${sum('failures', stretches)} of ${sum('requests', stretches)} requests failed`
  const first = stretches.filter(({ load }) => load !== undefined).slice(0, 1)
  // One that failed about as often from the start has not changed.
  if (isBroken && share(first) > share(stretches) / 2) {
    return {
      verdict: 'inconclusive',
      because: `the target does not answer as it should: ${counts}`
    }
  }
  const because = absence(stretches, rest)
  if (because !== undefined) return { verdict: 'inconclusive', because }
  if (!isBroken) return
  return { verdict: 'drift', because: `the target answered at first, and then did not: ${counts}` }
}

/** The stretches without the answers of those that had hardly any. */
function known(stretches: readonly Stretch[]): Stretch[] {
  return stretches.map((stretch) => {
    if (!isSilent(stretch)) return stretch
    const { load: _, ...rest } = stretch
    return rest
  })
}

/** A slope's size in words, as a share of the level where there is one. */
function hourly({ slope, level, unit }: Pick<MetricDrift, 'slope' | 'level' | 'unit'>): string {
  const isRelative = Math.abs(level) > Math.abs(slope) / 100
  const much = isRelative
    ? percent(Math.abs(slope / level), 2)
    : `${Math.abs(Number(slope.toPrecision(2)))} ${unit}`
  return `${much} an hour`
}

/** By how much a metric moves in an hour. */
function movement(name: string, { slope, level, unit, stepAt, verdict }: MetricDrift): string {
  if (name === 'errors' && verdict === 'drift' && stepAt !== undefined) {
    return `requests began to fail after ${stepAt.toPrecision(2)} h`
  }
  return `${name} ${slope < 0 ? 'falls' : 'rises'} by ${hourly({ slope, level, unit })}`
}

/** Why a metric cannot be told yet; undefined where its interval alone is too wide. */
function doubt(
  name: string,
  drift: MetricDrift | undefined,
  voidShare: number
): string | undefined {
  if (drift === undefined && voidShare > mostVoid && !driftMetric(name).isFigure) {
    return `${name} was the generator's own in ${percent(voidShare, 2)} of the time`
  }
  if (drift === undefined) return `${name} was not read often enough`
  const { verdict, stepAt, interval, seenShare, begun, level, unit } = drift
  if (seenShare !== undefined) return `${name} was seen in ${percent(seenShare, 2)} of the time`
  if (verdict === 'settling') return `${name} rises ever more slowly, as a cache that fills`
  if (verdict === 'stepped') {
    const when = stepAt === undefined ? '' : `, after ${stepAt.toPrecision(2)} h`
    return `${name} rose at once and not steadily${when}`
  }
  if (begun !== undefined) {
    const { since, slope } = begun
    const how = `${slope < 0 ? 'falls' : 'rises'} since ${since.toPrecision(2)} h`
    return `${name} ${how}, by ${hourly({ slope, level, unit })}, too short to call it a leak`
  }
  if (verdict === 'cyclic') return `${name} rises and falls, and was as high before`
  if (!interval.every(Number.isFinite)) return `too little is known of ${name}`
  return undefined
}

/** Names as a list in a sentence. */
function listed(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)!].filter(Boolean).join(' and ')
}

function concluded(
  metrics: Record<string, MetricDrift>,
  { gating, voidShare }: { gating: readonly string[]; voidShare: number }
): Pick<DriftConclusion, 'verdict' | 'because'> {
  const those = (verdict: string) => gating.filter((name) => metrics[name]?.verdict === verdict)
  const drifting = those('drift')
  if (drifting.length > 0) {
    const because = drifting.map((name) => movement(name, metrics[name]!)).join(', ')
    return { verdict: 'drift', because }
  }
  const stable = those('stable')
  const open = gating.filter((name) => !stable.includes(name))
  if (open.length === 0) {
    return { verdict: 'stable', because: `${stable.join(', ')} surely stay within their budgets` }
  }
  const doubts = new Map(open.map((name) => [name, doubt(name, metrics[name], voidShare)]))
  const wide = open.filter((name) => doubts.get(name) === undefined)
  const said = [...doubts.values()].filter((text) => text !== undefined)
  if (wide.length > 0) {
    const budget = wide.length === 1 ? 'its budget' : 'their budgets'
    said.push(`${listed(wide)} may rise by as much as ${budget}, or not at all`)
  }
  const because = said.join(', ')
  const [one, ...others] = new Set(open.map((name) => metrics[name]?.verdict ?? 'inconclusive'))
  return { verdict: others.length === 0 ? one! : 'inconclusive', because }
}

/**
 * Judges the stretches of a soak: `drift` when a metric that decides surely rises by more than its
 * budget and goes on to, `stable` when none does by as much, else `inconclusive`, with how much
 * longer it would take. Rests on the stretches alone, so that a saved soak is judged alike.
 */
export function judgeDrift(stretches: readonly Stretch[], terms: DriftTerms): DriftConclusion {
  const { budget, budgets, seed } = terms
  const sum = (of: 'seconds' | 'voidSeconds') =>
    stretches.reduce((total, stretch) => total + stretch[of], 0)
  const seconds = sum('seconds')
  const voidShare = seconds > 0 ? sum('voidSeconds') / seconds : 0
  const isKnown = (name: string) => driftMetric(name).isFigure || voidShare <= mostVoid
  const gates = (name: string) => (budgets ? Object.hasOwn(budgets, name) : driftMetric(name).gates)
  const told = known(stretches)
  const names = measuredIn(told)
  const metrics = Object.fromEntries(
    names.filter(isKnown).flatMap((name) => {
      const seen = seenShare(told, name)
      const own = { budget: budgets?.[name] ?? budget, gates: gates(name), seed, seen }
      const drift = driftOf(name, series(told, name), own)
      return drift ? [[name, drift] as const] : []
    })
  )
  const gating = budgets ? Object.keys(budgets) : expected(names).filter(gates)
  const found = concluded(metrics, { gating, voidShare })
  const broken = outOfOrder(stretches, found.verdict)
  const { verdict } = broken ?? found
  // What had drifted before is worth knowing, whatever became of the target.
  const isBesides = broken?.verdict === 'inconclusive' && found.verdict === 'drift'
  const because = isBesides
    ? `${broken.because}; of what was read, ${found.because}`
    : (broken ?? found).because
  const further = gating.map((name) => metrics[name]?.furtherSeconds ?? 0)
  const isOpen = verdict === 'inconclusive' && broken === undefined
  const furtherSeconds = isOpen ? further.reduce((most, one) => Math.max(most, one), 0) : 0
  return { verdict, because, seconds, voidShare, metrics, furtherSeconds }
}
