import { type Distribution, percentileUs } from '../figures/histogram.ts'
import type { Tally } from '../figures/metrics.ts'
import { unanswered } from '../figures/unanswered.ts'
import type { Load } from '../load.ts'
import type { Connections } from '../transports/transport.ts'
import type { Observed } from './generator-health.ts'

/** How one worker fared: what its thread observed, and how far it kept to the schedule. */
export type WorkerHealth = Observed & {
  /** How long after its due moment each arrival was let go; open loads only. */
  lag: Distribution
}

/** Whether a load was the one asked for, and what it measured the target's doing. */
export type Health = {
  valid: boolean
  /** Why it is not, in words; empty if it is. */
  reasons: string[]
}

/** What health is judged by. */
export type HealthInput = {
  model: Load['model']
  workers: readonly WorkerHealth[]
  /** Length of what was measured. */
  durationMs: number
  tally: Pick<Tally, 'response' | 'results'>
  connections: Connections
  /** Iterations that had not ended when time was up. */
  unfinished: number
  /** What the scenario's own code threw, and how often. */
  faults: Record<string, number>
}

/** Event loops busier than this are what sets the pace of a closed load. */
const busiestLoop = 0.95

/** Arrivals let go later than this, at the 99th percentile, are no longer the schedule's. */
const longestLagUs = 10_000

/** In less time, or with fewer arrivals, a program that has just started is busy with itself. */
const shortestMs = 1_000
const fewestArrivals = 100
const fewestLooks = 100

/** A garbage collection this long shows in the latencies. */
const longestGcMs = 100

/** How far the wall clock may stray; more means that it was set, or that the machine was asleep. */
const longestStrayMs = 500

/** How far Little's law may be off: by half, and by more than two requests in flight. */
const little = { ratio: 0.5, inFlight: 2 }

const ms = (value: number) => `${value.toFixed(1)} ms`

function workerReasons(health: WorkerHealth, index: number, model: Load['model']): string[] {
  const lagP99Us = percentileUs(health.lag, 99) ?? 0
  const { eventLoopUtilization: busy, gcLongestMs, clockStrayMs } = health
  const found: [boolean, string][] = [
    [
      model === 'closed' && health.wallMs >= shortestMs && busy > busiestLoop,
      `was busy ${(busy * 100).toFixed(0)} % of the time: it, and not the target, set the pace`
    ],
    [
      health.lag.count >= fewestArrivals && lagP99Us > longestLagUs,
      `let 1 in 100 arrivals go more than ${ms(lagP99Us / 1_000)} late`
    ],
    [gcLongestMs > longestGcMs, `stood still ${ms(gcLongestMs)} to collect garbage`],
    [Math.abs(clockStrayMs) > longestStrayMs, `saw the clock jump by ${ms(clockStrayMs)}`]
  ]
  return found.flatMap(([holds, what]) => (holds ? `worker ${index} ${what}` : []))
}

/**
 * Little's law: as many are in flight, on average, as arrive in the time that one takes. Whatever a
 * target never answered was in flight as well, and took no time that is known.
 */
function littleReason({ workers, tally, durationMs, unfinished }: HealthInput): string[] {
  if (durationMs <= 0 || workers.some(({ looks }) => looks < fewestLooks)) return []
  const looked = workers.reduce((sum, { meanInFlight }) => sum + meanInFlight, 0)
  const expected = tally.response.sumUs / 1_000 / durationMs
  const gap = looked > expected ? Math.max(0, looked - unfinished - expected) : expected - looked
  if (gap <= little.inFlight || gap <= little.ratio * Math.max(looked, expected)) return []
  return [
    `${looked.toFixed(1)} requests were in flight where the latencies account for ` +
      `${expected.toFixed(1)}: some of the time is unaccounted for`
  ]
}

function faultReasons({ faults }: HealthInput): string[] {
  return Object.entries(faults).map(
    ([fault, times]) => `the scenario threw ${times} times: ${fault}`
  )
}

function exhaustionReason({ tally, connections }: HealthInput): string[] {
  const times = (tally.results.exhausted ?? 0) + (connections.failed.exhausted ?? 0)
  if (times === 0) return []
  return [`this machine ran out of ports or descriptors ${times} times`]
}

function withheldReason({ tally }: HealthInput): string[] {
  const { withheld = 0 } = tally.results
  return withheld > 0 ? [`${withheld} requests were not sent: no more is authorised`] : []
}

/**
 * Why a load was not the one asked for, or its measurements not the target's doing; ideally empty.
 */
export function invalidReasons(input: HealthInput): string[] {
  const { workers, model } = input
  // Where nothing was answered there are no figures that the generator could have spoilt.
  if (unanswered(input) !== undefined) return faultReasons(input)
  return [
    ...workers.flatMap((health, index) => workerReasons(health, index, model)),
    ...littleReason(input),
    ...exhaustionReason(input),
    ...withheldReason(input),
    ...faultReasons(input)
  ]
}
