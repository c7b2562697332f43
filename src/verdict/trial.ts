import { shapeOf } from '../load/figures/histogram.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { summary } from '../load/figures/summary.ts'

/**
 * What a process spent while it was asked; `waitUs` is how long its threads were ready without a
 * processor, 0 where the system does not tell.
 */
export type Usage = { cpuUs: number; waitUs: number; rssBytes: number }

/** One measured stretch on one of two targets, as the numbers a comparison looks at. */
export type Trial = {
  /** Response times in microseconds; null when nothing came back. */
  p50Us: number | null
  p90Us: number | null
  p99Us: number | null
  /** The mean of them, which sees what leaves every quantile alone. */
  meanUs?: number | null
  /** How many response times there are in each cell of `shapeOf`; absent when invalid. */
  shape?: Record<number, number>
  /** Of the first trial of a start those of its warm-up, from when its process had settled. */
  warmShape?: Record<number, number>
  /** Complete responses a second. */
  perSecond: number
  requests: number
  /** Requests without a response, or with a status from 400. */
  failures: number
  /** How many answers have which status, and the bytes of all with their headers. */
  statuses?: Record<string, number>
  receivedBytes?: number
  /** What became of failures, by class: `5xx`, `timeout`, `refused`, `unfinished` at its end … */
  errors: Record<string, number>
  /** Why nothing was answered, in words; absent where anything was. */
  unanswered?: string
  /** Of the target's process, where it is one of ours: what a request cost, and what it held. */
  cpuUsPerRequest?: number
  /** Of its processor time, as long as this share was it ready without a processor. */
  waited?: number
  rssBytes?: number
  /** Why the trial says nothing about the target; empty when it does. */
  reasons: string[]
}

/**
 * Two trials, one on each target, in turns with each other or one right after the other, of which
 * `tookMs` is how long each took.
 */
export type Pair = { a: Trial; b: Trial; tookMs?: { a: number; b: number } }

/** A pair, and at which millisecond of its comparison it was begun, where that was kept. */
export type TimedPair = Pair & { atMs?: number }

/**
 * Pairs that share what might set them apart from others, such as the processes they were taken
 * on: the unit from which anything is concluded.
 */
export type Block = readonly TimedPair[]

/** Load threads of a closed load that are busier than this are what sets its pace. */
const busiest = 0.95

/** What a trial too short for the engine's own judgement shows: threads without a pause. */
function saturation({ model }: LoadResult, busy: number): string[] {
  if (model !== 'closed' || busy <= busiest) return []
  return [`the load threads were busy ${(busy * 100).toFixed(0)} % of the time`]
}

/** What a thread that never got a core in the whole of a trial leaves behind. */
function unsent({ begun }: LoadResult): string[] {
  return begun > 0 ? [] : ['nothing could be sent in time']
}

/** The trial a load made; `usage` is what the target's process spent on it. */
export function trialOf(result: LoadResult, usage?: Usage): Trial {
  const { rps, errors, timeouts, unfinished, response, generator, ...summed } = summary(result)
  const { statuses, bytes, unanswered } = summed
  const failed = {
    ...errors,
    ...(timeouts > 0 && { timeout: timeouts }),
    ...(unfinished > 0 && { unfinished })
  }
  const requests = summed.requests + unfinished
  return {
    p50Us: response.p50,
    p90Us: response.p90,
    p99Us: response.p99,
    meanUs: response.mean,
    ...(response.p50 !== null && { shape: shapeOf(result.tally.response) }),
    perSecond: rps,
    requests,
    failures: Object.values(failed).reduce((sum, count) => sum + count, 0),
    errors: failed,
    statuses,
    receivedBytes: bytes.received,
    ...(usage && requests > 0 && { cpuUsPerRequest: usage.cpuUs / requests }),
    ...(usage && usage.cpuUs > 0 && { waited: usage.waitUs / usage.cpuUs }),
    ...(usage && { rssBytes: usage.rssBytes }),
    ...(unanswered !== undefined && { unanswered }),
    reasons:
      unanswered !== undefined
        ? generator.reasons
        : [
            ...generator.reasons,
            ...unsent(result),
            ...saturation(result, generator.eventLoopUtilization)
          ]
  }
}
