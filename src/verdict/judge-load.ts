import { type Bounds, exceeds } from '../load/figures/bounds.ts'
import { countAboveUs } from '../load/figures/histogram.ts'
import type { LoadResult } from '../load/figures/result.ts'
import type { LoadSummary } from '../load/figures/summary.ts'
import { percent } from '../number.ts'
import { drawsNeeded } from '../statistics/early-stopping.ts'
import { type FinalSilence, silenceText } from './final-silence.ts'
import type { Conclusion } from './outcome.ts'
import { redirectsIn } from './redirects.ts'
import {
  answeredNo,
  failuresIn,
  isStarved,
  mayHaveBroken,
  mayHaveFailed,
  unattributed
} from './starved-generator.ts'

/** What a load must achieve. */
export type Objectives = Bounds & {
  /** Complete responses a second, at least. */
  perSecond?: number
  /** Largest share of answers that may lead elsewhere (3xx but 304): of more nothing is told. */
  redirectRatio?: number
  /** What each stretch of so many seconds must keep to, besides the whole. */
  every?: Bounds & { seconds: number }
  /** What came of the scenario's own metrics, as `orders per second`, in their units. */
  metrics?: Record<string, { atLeast?: number; atMost?: number }>
}

/** One objective against what was measured, and whether a miss may be the generator's doing. */
type Comparison = { holds: boolean; text: string; isOurs?: boolean }

const latencies = {
  p50Ms: 'p50',
  p90Ms: 'p90',
  p95Ms: 'p95',
  p99Ms: 'p99',
  p999Ms: 'p999',
  maxMs: 'max'
} as const

const quantiles = { p50Ms: 0.5, p90Ms: 0.9, p95Ms: 0.95, p99Ms: 0.99, p999Ms: 0.999 } as const

type Quantile = keyof typeof quantiles
type Latency = (typeof latencies)[keyof typeof latencies]

/**
 * How many responses were slower than each objective for a percentile, by its key. For one about a
 * metric, by its name (`wait p99`), how many values were higher, and (`wait count`) of how many.
 */
export type Slower = Partial<Record<string, number>>

const named = Object.keys(quantiles) as Quantile[]

/** Counts the responses that were slower than each objective for a percentile. */
export function slowerThan(objectives: Objectives, { tally }: Pick<LoadResult, 'tally'>): Slower {
  const counts = named.flatMap((key) => {
    const most = objectives[key]
    return most === undefined ? [] : [[key, countAboveUs(tally.response, most * 1_000)]]
  })
  const own = ceilings(objectives).flatMap(({ full, name, most }) => {
    const { count = 0, values } = tally.own?.[name] ?? {}
    if (values === undefined) return []
    return [
      [full, countAboveUs(values, most * 1_000)],
      [`${name} count`, count]
    ]
  })
  return Object.fromEntries([...counts, ...own])
}

/** Percentiles of metrics that may be so high at most. */
function ceilings({ metrics = {} }: Objectives) {
  return Object.entries(metrics).flatMap(([full, { atMost }]) => {
    const [, name, percent] = /^(\S+) p(50|90|99)$/.exec(full) ?? []
    if (name === undefined || atMost === undefined) return []
    return [{ full, name, most: atMost, percent: Number(percent) }]
  })
}

/** The first percentile that so few requests could keep within its objective by luck, in words. */
function tooFewFor(objectives: Objectives, requests: number, slower: Slower): string | undefined {
  for (const key of named) {
    const { [key]: beyond = 0 } = slower
    const fewest = drawsNeeded({ q: quantiles[key], beyond, confidence: 0.99 })
    if (objectives[key] === undefined || requests >= fewest) continue
    const slow = beyond > 0 ? `, of which ${beyond} were slower,` : ''
    return `${requests} requests${slow} cannot tell a ${latencies[key]}: that takes ${fewest}`
  }
  for (const { full, name, percent } of ceilings(objectives)) {
    const { [`${name} count`]: values = Infinity, [full]: beyond = 0 } = slower
    const fewest = drawsNeeded({ q: percent / 100, beyond, confidence: 0.99 })
    if (values >= fewest) continue
    const high = beyond > 0 ? `, of which ${beyond} were higher,` : ''
    return `${values} values of ${name}${high} cannot tell its p${percent}: that takes ${fewest}`
  }
  return undefined
}

/** The objectives as a sentence: `p99 within 20 ms, errors at most 0.1 %`. */
export function objectivesText(objectives: Objectives): string {
  const { errorRatio, droppedRatio, perSecond, every, metrics = {} } = objectives
  const parts = asked(objectives).map(([key, name]) => `${name} within ${objectives[key]} ms`)
  if (errorRatio !== undefined) parts.push(`errors at most ${percent(errorRatio)}`)
  if (droppedRatio !== undefined) parts.push(`dropped at most ${percent(droppedRatio)}`)
  if (perSecond !== undefined) parts.push(`at least ${perSecond} responses a second`)
  if (every !== undefined) parts.push(`in every ${every.seconds} s ${objectivesText(every)}`)
  for (const [name, { atLeast, atMost }] of Object.entries(metrics)) {
    if (atLeast !== undefined) parts.push(`${name} at least ${atLeast}`)
    if (atMost !== undefined) parts.push(`${name} at most ${atMost}`)
  }
  return parts.join(', ')
}

/** The latencies that have an objective. */
function asked(objectives: Objectives): [keyof typeof latencies, Latency][] {
  const all = Object.entries(latencies) as [keyof typeof latencies, Latency][]
  return all.filter(([key]) => objectives[key] !== undefined)
}

/** A rate in whole numbers, or as exactly as it takes to tell it from what was demanded. */
function perSecondText(rps: number, demanded: number): number {
  const whole = Math.round(rps)
  return rps < demanded && whole >= demanded ? rps : whole
}

/** A share in words, as exactly as it takes to tell it from what may be, where it is more. */
function shareText(share: number, most: number): string {
  if (share <= most) return percent(share)
  const exact = [3, 4, 6, 8, 12].map((digits) => percent(share, digits))
  return exact.find((text) => text !== percent(most, 12)) ?? percent(share)
}

function compare(objectives: Objectives, summary: LoadSummary): Comparison[] {
  const { requests, dropped, rps, response, generator } = summary
  const failed = failuresIn(summary)
  const { errorRatio = Infinity, droppedRatio = Infinity, perSecond = 0 } = objectives
  // One arrival may ask for any number of requests; what was kept long ago does not tell.
  const arrivals = Math.max(generator.offered, dropped)
  const late = asked(objectives).map(([key, name]) => {
    const ms = response[name]! / 1_000
    const isOurs = isStarved(summary) || lowest(summary, name) <= objectives[key]! * 1_000
    return { holds: ms <= objectives[key]!, text: `${name} ${ms} ms`, isOurs }
  })
  return [
    ...late,
    {
      holds: !exceeds(failed, errorRatio, requests),
      text: `${shareText(failed / requests, errorRatio)} errors`,
      isOurs: mayHaveFailed(summary, errorRatio)
    },
    {
      holds: !exceeds(dropped, droppedRatio, arrivals),
      text: `${shareText(dropped / Math.max(1, arrivals), droppedRatio)} dropped`,
      isOurs: isStarved(summary)
    },
    {
      holds: rps >= perSecond,
      text: `${perSecondText(rps, perSecond)} responses a second`,
      isOurs: isStarved(summary)
    },
    ...compareOwn(objectives, summary)
  ]
}

/** What a latency is at least in microseconds, where arrivals were late. */
function lowest({ generator: { bounds = {} } }: LoadSummary, name: Latency): number {
  return (bounds as Partial<Record<Latency, [low: number, high: number]>>)[name]?.[0] ?? Infinity
}

/** A share of answers that say no which is too large, in words: on a busy machine too they do. */
function refusedIn({ errorRatio = Infinity }: Objectives, summary: LoadSummary) {
  const { requests } = summary
  const refused = answeredNo(summary)
  if (!exceeds(refused, errorRatio, requests)) return undefined
  return `${shareText(refused / requests, errorRatio)} errors`
}

/** What came of the scenario's own metrics, against what it may be. */
function compareOwn({ metrics = {} }: Objectives, { own = {} }: LoadSummary): Comparison[] {
  return Object.entries(metrics).flatMap(([name, { atLeast = -Infinity, atMost = Infinity }]) => {
    if (!Object.hasOwn(own, name)) return []
    const { value, unit } = own[name]!
    const holds = value >= atLeast && value <= atMost
    return [{ holds, text: `${name} ${Number(value.toPrecision(6))} ${unit}`.trim() }]
  })
}

/** The first objective of which nothing is known: no such latency, or nothing was recorded. */
function untoldIn(objectives: Objectives, { response, own = {} }: LoadSummary): string | undefined {
  const latency = asked(objectives).find(([, name]) => typeof response[name] !== 'number')
  return (
    latency?.[1] ?? Object.keys(objectives.metrics ?? {}).find((name) => !Object.hasOwn(own, name))
  )
}

/**
 * Judges a load by its objectives; `broken` says what it broke on the way, `slower` how closely it
 * kept to them. One whose generator was the bottleneck, or whose own code threw, says nothing about
 * the target and is an `error`, but for answers that say no, which are the target's on any machine.
 * Where an open load missed nothing but times, and its arrivals were late, it is `inconclusive`;
 * where the generator had no processor, all else that was missed is an `error`. One that never
 * connected is `blocked`; one that was never answered, or met its objectives with so few requests
 * that it may have been luck, or was led elsewhere, is `inconclusive`; one of which nothing was
 * asked is `observed`. Of a target that answers no longer that is said besides, and it does not
 * pass.
 */
export function judgeLoad(
  objectives: Objectives,
  summary: LoadSummary,
  { silence, ...told }: Told & { silence?: FinalSilence | undefined }
): Conclusion {
  const conclusion = judgeAnswers(objectives, summary, told)
  const gone = silence && silenceText(silence)
  // Whether a generator at fault is why nothing came back is not known; where others were answered
  // meanwhile it is not.
  if (gone === undefined || (conclusion.outcome === 'error' && silence?.of === undefined))
    return conclusion
  if (conclusion.outcome === 'pass')
    return { ...conclusion, outcome: 'inconclusive', because: gone }
  return { ...conclusion, because: `${conclusion.because}; ${gone}` }
}

type Told = { broken: readonly string[]; slower?: Slower }

/** Judges what came, as `judgeLoad` does, whatever became of the target. */
function judgeAnswers(
  objectives: Objectives,
  summary: LoadSummary,
  { broken, slower = {} }: Told
): Conclusion {
  const { generator, requests, statuses, faults = {} } = summary
  const threw = Object.entries(faults).map(([what, times]) => `threw ${times} times: ${what}`)
  if (threw.length > 0) {
    return {
      outcome: 'error',
      observed: "the scenario's own code threw",
      because: threw.join('; ')
    }
  }
  if (generator.valid && (requests === 0 || Object.keys(statuses).length === 0)) {
    const { unanswered = 'the target never answered, so there is nothing to judge' } = summary
    return {
      outcome: summary.unanswered && summary.connections.opened === 0 ? 'blocked' : 'inconclusive',
      observed: `${requests} requests, none of them answered`,
      because: unanswered
    }
  }
  if (!generator.valid) {
    const refused = refusedIn(objectives, summary)
    if (refused !== undefined) {
      const why = `its times are not judged: ${generator.reasons.join('; ')}`
      const because = `missed: ${refused}; ${why}`
      return { outcome: 'fail', observed: refused, because }
    }
    return {
      outcome: 'error',
      observed: 'the generator was the bottleneck',
      because: generator.reasons.join('; ')
    }
  }
  const untold = untoldIn(objectives, summary)
  if (untold !== undefined) {
    const because = `its ${untold} is not told`
    return { outcome: 'inconclusive', observed: `${requests} requests`, because }
  }
  const comparisons = compare(objectives, summary)
  const observed = comparisons.map(({ text }) => text).join(', ')
  const whole = comparisons.filter(({ holds }) => !holds)
  const missed = [...whole.map(({ text }) => text), ...broken]
  // A stretch of a load that was met as a whole has no bounds of its own.
  const mayBeOurs = missed.length > 0 && (isStarved(summary) || whole.length > 0)
  const isOurs = whole.every((one) => one.isOurs)
  if (mayBeOurs && isOurs && mayHaveBroken(summary, broken, objectives.errorRatio)) {
    return unattributed(summary, observed, `missed: ${missed.join(', ')}`)
  }
  if (missed.length > 0)
    return { outcome: 'fail', observed, because: `missed: ${missed.join(', ')}` }
  if (objectivesText(objectives) === '') {
    return { outcome: 'observed', observed, because: 'no objective was set, so none is judged' }
  }
  const elsewhere = redirectsIn(summary.statuses, objectives.redirectRatio)
  if (elsewhere !== undefined) return { outcome: 'inconclusive', observed, because: elsewhere }
  const tooFew = tooFewFor(objectives, requests, slower)
  if (tooFew !== undefined) return { outcome: 'inconclusive', observed, because: tooFew }
  const because = `every objective is met: ${objectivesText(objectives)}`
  return { outcome: 'pass', observed, because }
}
