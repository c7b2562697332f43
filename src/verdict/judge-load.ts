import type { LoadSummary } from '../load/summary.ts'
import type { Conclusion } from './verdict.ts'

/** What a load must achieve; latencies are response times, counted from when each was due. */
export type Objectives = {
  p50Ms?: number
  p90Ms?: number
  p99Ms?: number
  p999Ms?: number
  maxMs?: number
  /** Largest share of requests that may fail or time out: 0.001 is one in a thousand. */
  errorRatio?: number
  /** Largest share of arrivals that may not be sent because too many were unfinished. */
  droppedRatio?: number
  /** Complete responses a second, at least. */
  perSecond?: number
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

/** The objectives as a sentence: `p99 within 20 ms, errors at most 0.1 %`. */
export function objectivesText(objectives: Objectives): string {
  const { errorRatio, droppedRatio, perSecond } = objectives
  const named = Object.entries(latencies) as [keyof typeof latencies, string][]
  const parts = named.flatMap(([key, name]) =>
    objectives[key] === undefined ? [] : [`${name} within ${objectives[key]} ms`]
  )
  if (errorRatio !== undefined) parts.push(`errors at most ${percent(errorRatio)}`)
  if (droppedRatio !== undefined) parts.push(`dropped at most ${percent(droppedRatio)}`)
  if (perSecond !== undefined) parts.push(`at least ${perSecond} responses a second`)
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
 * Judges a load by its objectives. One whose generator was the bottleneck says nothing about the
 * target and is an `error`; one that was never answered is `inconclusive`.
 */
export function judgeLoad(objectives: Objectives, summary: LoadSummary): Conclusion {
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
  const missed = comparisons.filter(({ holds }) => !holds).map(({ text }) => text)
  return missed.length > 0
    ? { outcome: 'fail', observed, because: `missed: ${missed.join(', ')}` }
    : {
        outcome: 'pass',
        observed,
        because: `every objective is met: ${objectivesText(objectives)}`
      }
}
