import { mostWaiting, standstillShare, waitShare } from '../health/health.ts'
import { sumCounts } from './counts.ts'
import {
  type Distribution,
  mergeDistributions,
  noPercentiles,
  type Percentiles,
  percentiles,
  percentileUs
} from './histogram.ts'
import type { LostParts } from './lost-parts.ts'
import { requestsIn } from './metrics.ts'
import { type OwnFigure, ownFigures } from './own-metrics.ts'
import type { LoadResult } from './result.ts'
import { unanswered } from './unanswered.ts'

/** The `--json` document of `plimsoll load`; latencies in microseconds. */
export type LoadSummary = {
  /** Requests that ended, however they did. */
  requests: number
  rps: number
  /** Requests that failed, by class: `4xx`, `5xx`, or how the connection ended; timeouts apart. */
  errors: Record<string, number>
  timeouts: number
  /** Arrivals that were due and could not be sent. */
  dropped: number
  bytes: { sent: number; received: number }
  durationMs: number
  /** From the due moment, and from the send, to the end of the response; null in an invalid run. */
  response: Percentiles
  service: Percentiles
  generator: {
    valid: boolean
    /** Arrivals that came due, and those of them that were let go; 0 in a closed load. */
    offered: number
    achieved: number
    lagP99Us: number
    cpuUsPerRequest: number
    eventLoopUtilization: number
    reasons: string[]
    /**
     * Largest share of the time that a worker waited for a processor, or stood still, and that one
     * stood still alone; absent without any.
     */
    waitShare?: number
    standstillShare?: number
    /** Where arrivals were notably late: between what response times would have been. */
    bounds?: Partial<Record<'p50' | 'p90' | 'p99', [low: number, high: number]>>
  }
  firstByte: Percentiles
  connect: Percentiles
  statuses: Record<string, number>
  connections: LoadResult['connections']
  /** What sent, and why it was not what was asked for. */
  transport: string
  begun: number
  unfinished: number
  workers: number
  /** Why nothing was answered, in words; absent where anything was. */
  unanswered?: string
  /** What the scenario's own code threw, and how often; absent where it threw nothing. */
  faults?: Record<string, number>
  /** What the scenario recorded besides; absent where it declares nothing. */
  own?: Record<string, OwnFigure>
  /** What was heard of workers that were lost; no other figure counts it. */
  told?: LostParts
}

const isStatus = (result: string) => /^\d+$/.test(result)

/** How many of the results were complete responses. */
export function answeredIn(results: Record<string, number>): number {
  const answered = Object.entries(results).filter(([result]) => isStatus(result))
  return answered.reduce((sum, [, count]) => sum + count, 0)
}

/**
 * Which class of failure a result is: `4xx`, `5xx`, or how the connection ended; none if it is
 * none.
 */
function failureOf(result: string): string | undefined {
  if (!isStatus(result)) return result
  return Number(result) >= 400 ? `${result[0]}xx` : undefined
}

function failuresIn({ tally }: LoadResult): Record<string, number> {
  const failures = Object.entries(tally.results).flatMap(([result, count]) => {
    const failure = failureOf(result)
    return failure === undefined || failure === 'timeout' ? [] : [{ [failure]: count }]
  })
  return sumCounts(failures)
}

const round = (value: number) => Math.round(value * 1_000) / 1_000

/** Lateness of less than this share of a figure is not worth a word. */
const notable = 0.02

/**
 * Bounds of response times: each is too long by at most what its arrival was late, of which one in
 * a hundred may be later than the 99th percentile of lateness, and so counts for none.
 */
function boundsOf(
  { tally: { response } }: LoadResult,
  lag: Distribution
): LoadSummary['generator']['bounds'] {
  const lagUs = percentileUs(lag, 99) ?? 0
  const found = ([50, 90, 99] as const).flatMap((percent) => {
    const high = percentileUs(response, percent)
    const low = percentileUs(response, percent - 1)
    if (high === null || low === null || lagUs <= notable * high) return []
    return [[`p${percent}`, [Math.max(0, low - lagUs), high]]]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

function generatorOf(result: LoadResult): LoadSummary['generator'] {
  const { workers, health, tally } = result
  const lag = mergeDistributions(workers.map((worker) => worker.lag))
  const cpuMs = workers.reduce((sum, worker) => sum + worker.cpuMs, 0)
  const waiting = round(Math.max(0, ...workers.map(waitShare)))
  const still = round(Math.max(0, ...workers.map(standstillShare)))
  // What waited for the thread itself is late by more than its arrivals were.
  const isBounded = health.valid && lag.count > 0 && waiting <= mostWaiting
  const bounds = isBounded ? boundsOf(result, lag) : undefined
  return {
    valid: health.valid,
    offered: lag.count,
    achieved: Math.max(0, lag.count - tally.dropped),
    lagP99Us: percentileUs(lag, 99) ?? 0,
    cpuUsPerRequest: round((cpuMs * 1_000) / Math.max(1, requestsIn(tally))),
    eventLoopUtilization: round(
      Math.max(0, ...workers.map((worker) => worker.eventLoopUtilization))
    ),
    reasons: health.reasons,
    ...(waiting > 0 && { waitShare: waiting }),
    ...(still > 0 && { standstillShare: still }),
    ...(bounds && { bounds })
  }
}

/**
 * A load's result in a few numbers. An invalid one publishes no latency: it would not be the
 * target's.
 */
export function summary(result: LoadResult): LoadSummary {
  const { tally, health, durationMs, connections, begun, unfinished, told } = result
  const because = unanswered(result)
  const published = (distribution: typeof tally.response) =>
    health.valid ? percentiles(distribution) : noPercentiles
  return {
    requests: requestsIn(tally),
    rps: durationMs > 0 ? round((answeredIn(tally.results) * 1_000) / durationMs) : 0,
    errors: failuresIn(result),
    timeouts: tally.results.timeout ?? 0,
    dropped: tally.dropped,
    bytes: tally.bytes,
    durationMs: Math.round(durationMs),
    response: published(tally.response),
    service: published(tally.service),
    generator: generatorOf(result),
    firstByte: published(tally.firstByte),
    connect: published(tally.connect),
    statuses: Object.fromEntries(
      Object.entries(tally.results).filter(([result]) => isStatus(result))
    ),
    connections,
    transport: connections.transport,
    begun,
    unfinished,
    workers: result.workers.length,
    ...(because !== undefined && { unanswered: because }),
    ...(Object.keys(result.faults).length > 0 && { faults: result.faults }),
    ...(tally.own && health.valid && { own: ownFigures(tally.own, durationMs) }),
    told
  }
}
