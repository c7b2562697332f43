import { sumCounts } from '../load/figures/counts.ts'
import { countAboveUs, percentiles } from '../load/figures/histogram.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { type LoadSummary, summary } from '../load/figures/summary.ts'
import { invalidReasons, type WorkerHealth, waitShare } from '../load/health/health.ts'
import { percent } from '../number.ts'
import { median } from '../statistics/quantile.ts'
import { spreadOf } from '../statistics/queue-capacity.ts'

/** What a rate must be held with. */
export type Objective = {
  /** Response time that 99 in 100 requests stay within. */
  p99Us: number
  /** Largest share of requests that may fail. */
  errorRatio: number
  /** Largest share of answers to little load that may lead elsewhere; any where absent. */
  redirectRatio?: number
}

/** An objective's bound in seconds, and the share of requests that may take longer. */
export const boundOf = ({ p99Us }: Objective) => ({ seconds: p99Us / 1e6, share: 0.01 })

/** What keeps a rate from being held. */
export type Binding = 'latency' | 'errors' | 'generator'

/** What a rate is tried for. */
export type Purpose = 'search' | 'sharpen' | 'confirm' | 'recheck' | 'degradation'

/** A rate to be offered for so long. */
export type RateTask = { purpose: Purpose; rate: number; seconds: number }

/** What came of it. `unoffered`: the generator could not make the rate, so it tells nothing. */
export type RateTrial = RateTask & {
  outcome: 'held' | 'missed' | 'unoffered'
  binding?: Binding
  /** Why it was not held, in words. */
  because: string
  /** Share of arrivals that were not served as the objective asks. */
  lossRatio: number
  /** Requests served as the objective asks, a second. */
  goodput: number
  p50Us: number | null
  p99Us: number | null
  errorShare: number
  /** How many ended; absent in what was saved before it was kept. */
  requests?: number
  /** How long after the end of the trial the last response came; absent likewise. */
  behindMs?: number
  /**
   * Share of the time that a part of the generator had no processor, for others or for the host;
   * absent where it is next to nothing.
   */
  waitShare?: number
}

/** Below this share a wait for a processor is nothing that is worth a word. */
const leastWait = 0.01

/** The largest share of the time that a worker was ready and had no processor. */
export function waitIn({ workers }: LoadResult): number {
  return Math.max(0, ...workers.map((one) => Math.max(waitShare(one), one.stealShare ?? 0)))
}

/** What little load showed: everything that is there before any queue. */
export type RateBaseline = { p50Us: number; p99Us: number }

/**
 * What several stretches of little load show as a rule: in one of them the machine may have had
 * something else to do. A reason in words when the target does not answer.
 */
export function baselineOf(seen: readonly LoadSummary[]): RateBaseline | string {
  const requests = seen.reduce((sum, one) => sum + one.requests + one.unfinished, 0)
  // What has no answer when a stretch is cut short has waited for one as well.
  const ended = sumCounts(
    seen.map(({ errors, timeouts, unfinished }) => {
      return { ...errors, timeout: timeouts, unfinished }
    })
  )
  const failed = Object.values(ended).reduce((sum, count) => sum + count, 0)
  const middle = (of: 'p50' | 'p99') => median(seen.flatMap(({ response }) => response[of] ?? []))
  const baseline = { p50Us: middle('p50'), p99Us: middle('p99') }
  if (baseline.p50Us > 0 && failed <= requests / 2) return baseline
  const [first] = seen.flatMap((one) => one.unanswered ?? [])
  if (first !== undefined && seen.every((one) => one.unanswered !== undefined)) return first
  const found = Object.entries(ended).filter(([, times]) => times > 0)
  return `of ${requests} requests ${found.map(([what, times]) => `${what} ${times}`).join(', ')}`
}

/**
 * A target that finishes later than this share of a trial, besides the time one response may take,
 * falls behind; what it is allowed is what its capacity is overestimated by.
 */
const backlog = { share: 0.0025, responses: 1.25 }

/** How much later than its own end a trial of so long may end and still be held. */
const allowedLate = (lastingMs: number, { p99Us }: RateBaseline) =>
  lastingMs * backlog.share + (backlog.responses * p99Us) / 1_000

/** What a trial is judged by: with how much requests vary by chance, where they do. */
export type RateTerms = { objective: Objective; baseline: RateBaseline; scv?: number | undefined }

/** By how many deviations of a queue by chance it may end later, within the objective. */
const byChance = 2

/** How much later a trial may end where a queue comes and goes by chance. */
function chanceMs({ rate, seconds }: RateTask, { objective, scv = 0 }: RateTerms): number {
  const boundMs = objective.p99Us / 1_000
  const spread = spreadOf(scv, { rate, seconds }, boundOf(objective))
  return spread === undefined ? 0 : Math.min(boundMs, byChance * spread * seconds * 1_000)
}

/**
 * By what share a rate that was held may be more than the target serves: a queue grows for as long
 * as a trial lasts, and up to here it looks like one response that takes its time. The last arrival
 * comes a space before the end.
 */
export function unseenShare(
  { rate, seconds }: Pick<RateTask, 'rate' | 'seconds'>,
  { objective, baseline }: RateTerms
): number {
  const lastingMs = seconds * 1_000
  const late = allowedLate(lastingMs, baseline) + 1_000 / rate
  const most = Math.min(late, objective.p99Us / 1_000) - baseline.p50Us / 1_000
  return Math.max(0, most) / lastingMs
}

const ms = (us: number) => `${Number((us / 1_000).toPrecision(3))} ms`

/**
 * Whether nothing is wrong with the generator but that it was late. Response times count from when
 * a request was due, so what is late looks slower than it is, and never quicker. A part that was
 * lost was not sent at all.
 */
function isOnlyLate(result: LoadResult): boolean {
  const punctual = ({ lag, ...health }: WorkerHealth) => {
    return { ...health, gcLongestMs: 0, lag: { ...lag, count: 0 } }
  }
  const workers = result.workers.map(punctual)
  return result.lost === undefined && invalidReasons({ ...result, workers }).length === 0
}

/** What an objective is held against. */
type Seen = {
  requests: number
  dropped: number
  errorShare: number
  p99Us: number | null
  /** How long after the end the last response came. */
  behindMs: number
}

/** Why the objective was missed, in order of what says most; empty when it was met. */
function misses(
  { requests, dropped, errorShare, p99Us, behindMs }: Seen,
  { objective, allowedMs }: { objective: Objective; allowedMs: number }
): [Binding, string][] {
  const found: [boolean, Binding, string][] = [
    [errorShare > objective.errorRatio, 'errors', `${percent(errorShare)} of requests failed`],
    [requests === 0 || p99Us === null, 'latency', 'nothing came back'],
    [(p99Us ?? 0) > objective.p99Us, 'latency', `p99 was ${ms(p99Us ?? 0)}`],
    [dropped > 0, 'latency', `${dropped} arrivals found too many unfinished ones`],
    [behindMs > allowedMs, 'latency', `the last response came ${ms(behindMs * 1_000)} late`]
  ]
  return found.flatMap(([holds, binding, because]) => (holds ? [[binding, because]] : []))
}

/**
 * Judges one trial at one rate. A target that keeps within the objective but needs ever longer to
 * work off what arrived misses it too: the trial was only too short to show. A generator that was
 * late takes nothing from an objective that was met all the same, and is to blame for a missed one.
 */
export function judgeRate(task: RateTask, result: LoadResult, terms: RateTerms): RateTrial {
  const { objective, baseline } = terms
  const { requests, errors, timeouts, dropped, durationMs, generator } = summary(result)
  const { p50, p99 } = percentiles(result.tally.response)
  const failures = Object.values(errors).reduce((sum, count) => sum + count, timeouts)
  const arrivals = Math.max(1, requests + dropped)
  const errorShare = failures / Math.max(1, requests)
  const late = countAboveUs(result.tally.response, objective.p99Us)
  const lossRatio = Math.min(1, (failures - timeouts + dropped + late) / arrivals)
  const lastingMs = task.seconds * 1_000
  const allowedMs = Math.max(allowedLate(lastingMs, baseline), chanceMs(task, terms))
  const seen = { requests, dropped, errorShare, p99Us: p99, behindMs: durationMs - lastingMs }
  const [miss] = misses(seen, { objective, allowedMs })
  const waited = waitIn(result)
  const isOffered = generator.valid || (miss === undefined && isOnlyLate(result))
  const [binding, because] = isOffered
    ? (miss ?? [])
    : (['generator', generator.reasons.join('; ')] as const)
  return {
    ...task,
    outcome: !isOffered ? 'unoffered' : miss ? 'missed' : 'held',
    ...(binding && { binding }),
    because: because ?? '',
    lossRatio,
    goodput: ((1 - lossRatio) * arrivals) / (Math.max(lastingMs, durationMs) / 1_000),
    ...{ p50Us: p50, p99Us: p99, errorShare, requests, behindMs: seen.behindMs },
    ...(waited >= leastWait && { waitShare: Number(waited.toPrecision(3)) })
  }
}
