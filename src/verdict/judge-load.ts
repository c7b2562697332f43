import type { Bounds } from '../load/bounds.ts'
import type { LoadSummary } from '../load/summary.ts'
import { smallestSample } from '../statistics/order-statistic.ts'
import type { Conclusion } from './verdict.ts'

/** What a load must achieve. */
export type Objectives = Bounds & {
  /** Complete responses a second, at least. */
  perSecond?: number
  /** What each stretch of so many seconds must keep to, besides the whole. */
  every?: Bounds & { seconds: number }
}

/** One objective against what was measured. */
type Comparison = { holds: boolean; text: string }

const latencies = {
  p50Ms: 'p50',
  p90Ms: 'p90',
  p99Ms: 'p99',
  p999Ms: 'p999',
  maxMs: 'max'
} as const

const quantiles = { p50Ms: 0.5, p90Ms: 0.9, p99Ms: 0.99, p999Ms: 0.999 } as const

/** The first latency objective that so few requests say nothing of, in words. */
function tooFewFor(objectives: Objectives, requests: number): string | undefined {
  const named = Object.entries(quantiles) as [keyof typeof quantiles, number][]
  for (const [key, q] of named) {
    const fewest = smallestSample({ q, confidence: 0.95 })
    if (objectives[key] === undefined || requests >= fewest) continue
    return `${requests} requests cannot tell a ${latencies[key]}: that takes ${fewest}`
  }
  return undefined
}

/** The objectives as a sentence: `p99 within 20 ms, errors at most 0.1 %`. */
export function objectivesText(objectives: Objectives): string {
  const { errorRatio, droppedRatio, perSecond, every } = objectives
  const named = Object.entries(latencies) as [keyof typeof latencies, string][]
  const parts = named.flatMap(([key, name]) =>
    objectives[key] === undefined ? [] : [`${name} within ${objectives[key]} ms`]
  )
  if (errorRatio !== undefined) parts.push(`errors at most ${percent(errorRatio)}`)
  if (droppedRatio !== undefined) parts.push(`dropped at most ${percent(droppedRatio)}`)
  if (perSecond !== undefined) parts.push(`at least ${perSecond} responses a second`)
  if (every !== undefined) parts.push(`in every ${every.seconds} s ${objectivesText(every)}`)
  return parts.join(', ')
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toPrecision(3))} %`
}

function compare(objectives: Objectives, summary: LoadSummary): Comparison[] {
  const { requests, errors, timeouts, dropped, rps, response } = summary
  const failed = Object.values(errors).reduce((sum, count) => sum + count, timeouts)
  const { errorRatio = 1, droppedRatio = 1, perSecond = 0 } = objectives
  const ratio = failed / requests
  const lost = dropped / (requests + dropped)
  const named = Object.entries(latencies) as [keyof typeof latencies, 'p50'][]
  return [
    ...named.flatMap(([key, name]) => {
      const most = objectives[key]
      if (most === undefined) return []
      const ms = response[name]! / 1_000
      return [{ holds: ms <= most, text: `${name} ${ms} ms` }]
    }),
    { holds: ratio <= errorRatio, text: `${percent(ratio)} errors` },
    { holds: lost <= droppedRatio, text: `${percent(lost)} dropped` },
    { holds: rps >= perSecond, text: `${Math.round(rps)} responses a second` }
  ]
}

/**
 * Judges a load by its objectives; `broken` says what it broke on the way. One whose generator was
 * the bottleneck says nothing about the target and is an `error`; one that was never answered, or
 * met its objectives with fewer requests than they take, is `inconclusive`.
 */
export function judgeLoad(
  objectives: Objectives,
  summary: LoadSummary,
  broken: readonly string[]
): Conclusion {
  const { generator, requests, statuses } = summary
  if (requests === 0 || Object.keys(statuses).length === 0) {
    return {
      outcome: 'inconclusive',
      observed: `${requests} requests, none of them answered`,
      because: 'the target never answered, so there is nothing to judge'
    }
  }
  if (!generator.valid) {
    return {
      outcome: 'error',
      observed: 'the generator was the bottleneck',
      because: generator.reasons.join('; ')
    }
  }
  const comparisons = compare(objectives, summary)
  const observed = comparisons.map(({ text }) => text).join(', ')
  const whole = comparisons.filter(({ holds }) => !holds).map(({ text }) => text)
  const missed = [...whole, ...broken]
  if (missed.length > 0)
    return { outcome: 'fail', observed, because: `missed: ${missed.join(', ')}` }
  const tooFew = tooFewFor(objectives, requests)
  if (tooFew !== undefined) return { outcome: 'inconclusive', observed, because: tooFew }
  const because = `every objective is met: ${objectivesText(objectives)}`
  return { outcome: 'pass', observed, because }
}
