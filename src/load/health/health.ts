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
  tally: Pick<Tally, 'response' | 'results'> & Partial<Pick<Tally, 'iteration' | 'failedUs'>>
  connections: Connections
  /** Iterations that had not ended when time was up. */
  unfinished: number
  /** What the scenario's own code threw, and how often. */
  faults: Record<string, number>
  /** How long it went on after all phases were over, and how much of all times was in that. */
  after?: { ms: number; requestsMs: number; iterationsMs: number }
}

/** Event loops busier than this are what sets the pace of a closed load. */
const busiestLoop = 0.95

/** Arrivals let go later than this, at the 99th percentile, are no longer the schedule's. */
const longestLagUs = 10_000

/**
 * A response counts from when its request was due, so that it is at most as much too long as the
 * arrival was late: where that is less than this share of it, the figure is the target's, and told
 * with its bounds.
 */
const mostOfAFigure = 0.1

/** Which figures are published, and so must not be the generator's. */
const published = [50, 90, 99]

/**
 * Of a closed load a thread that waits for a processor delays whatever is in flight: by Little's
 * law its share of the response times is at most its share of the time. Of an open one it spoils no
 * objective that is met, since times are only longer by it.
 */
export const mostWaiting = 0.25

/** In less time a program that has just started is busy with itself; milliseconds. */
export const shortestMs = 1_000

/** With fewer arrivals it is, too: they say nothing of how far it keeps to a schedule. */
export const fewestArrivals = 100
const fewestLooks = 100

/** A garbage collection this long shows in the latencies. */
const longestGcMs = 100

/** How far the wall clock may stray; more means that it was set, or that the machine was asleep. */
const longestStrayMs = 500

/** How far Little's law may be off: by half, and by more than two requests in flight. */
const little = { ratio: 0.5, inFlight: 2 }

const ms = (value: number) => `${value.toFixed(1)} ms`

type Held = Pick<Observed, 'wallMs' | 'waitMs' | 'standstillMs'>

/** The share of the time that a worker stood still; 0 where the system tells none. */
export function standstillShare({ wallMs, standstillMs = 0 }: Held): number {
  return wallMs <= 0 ? 0 : Math.min(1, standstillMs / wallMs)
}

/**
 * The share of the time that a worker waited for a processor, or stood still; 0 where the system
 * tells none.
 */
export function waitShare({ wallMs, waitMs = 0, standstillMs = 0 }: Held): number {
  return wallMs <= 0 ? 0 : Math.min(1, (waitMs + standstillMs) / wallMs)
}

/** To stand still for less than this share of the time is not worth a word. */
const notableStill = 0.05

/** What a generator was kept by, for which share of the time, in words. */
export function waitedText(share: number, still = 0): string {
  const told = `${(share * 100).toFixed(0)} % of the time`
  if (still < notableStill) return `waited ${told} for a processor`
  return `stood still, or waited for a processor, ${told}`
}

/** The least late of the published percentiles of which lateness is too much, or none. */
function lateAt(lag: Distribution, response: Distribution): number | undefined {
  return published.find((percent) => {
    const lagUs = percentileUs(lag, percent) ?? 0
    const figureUs = percentileUs(response, percent) ?? 0
    return lagUs > longestLagUs && lagUs > mostOfAFigure * figureUs
  })
}

/** Whether the loop was late by more than it may be in the median, where waits are not told. */
function isLoopLate({ waitMs, eventLoopDelayP99Us }: WorkerHealth, response: Distribution) {
  const usualUs = percentileUs(response, 50) ?? 0
  return waitMs === undefined && eventLoopDelayP99Us > Math.max(longestLagUs, usualUs)
}

function workerReasons(
  health: WorkerHealth,
  index: number,
  { model, tally: { response } }: HealthInput
): string[] {
  const late = health.lag.count < fewestArrivals ? undefined : lateAt(health.lag, response)
  const lateUs = late === undefined ? 0 : (percentileUs(health.lag, late) ?? 0)
  const waiting = waitShare(health)
  const isLong = model === 'closed' && health.wallMs >= shortestMs
  const { eventLoopUtilization: busy, gcLongestMs, clockStrayMs } = health
  const found: [boolean, string][] = [
    [
      isLong && busy > busiestLoop,
      `was busy ${(busy * 100).toFixed(0)} % of the time: it, and not the target, set the pace`
    ],
    [
      isLong && waiting > mostWaiting,
      `${waitedText(waiting, standstillShare(health))}: up to so much of the response times is ` +
        'its own; leave it a core, or ask at a rate'
    ],
    [
      isLong && isLoopLate(health, response),
      `came back to its loop ${ms(health.eventLoopDelayP99Us / 1_000)} late, 1 in 100 times`
    ],
    [
      late !== undefined,
      `let 1 in ${Math.round(100 / (100 - (late ?? 0)))} arrivals go more than ` +
        `${ms(lateUs / 1_000)} late`
    ],
    [gcLongestMs > longestGcMs, `stood still ${ms(gcLongestMs)} to collect garbage`],
    [Math.abs(clockStrayMs) > longestStrayMs, `saw the clock jump by ${ms(clockStrayMs)}`]
  ]
  return found.flatMap(([holds, what]) => (holds ? `worker ${index} ${what}` : []))
}

/**
 * Little's law: as many are in flight, on average, as arrive in the time that one takes, however it
 * ends. What was unfinished was in flight as well, and took no time that is known. Nobody looks any
 * more when the load is over and what is under way is waited for: a target that hangs then takes
 * most of the time.
 */
function littleReason(input: HealthInput): string[] {
  const { workers, tally, durationMs, unfinished, after } = input
  const loadMs = durationMs - (after?.ms ?? 0)
  if (loadMs <= 0 || workers.some(({ looks }) => looks < fewestLooks)) return []
  const looked = workers.reduce((sum, { meanInFlight }) => sum + meanInFlight, 0)
  // What takes an iteration besides requests, such as a pause, is in flight as well.
  const { response, iteration, failedUs = 0 } = tally
  const requestsMs = (response.sumUs + failedUs) / 1_000 - (after?.requestsMs ?? 0)
  const iterationsMs = (iteration?.sumUs ?? 0) / 1_000 - (after?.iterationsMs ?? 0)
  const expected = Math.max(requestsMs, iterationsMs) / loadMs
  const gap = looked > expected ? Math.max(0, looked - unfinished - expected) : expected - looked
  if (gap <= little.inFlight || gap <= little.ratio * Math.max(looked, expected)) return []
  return [
    `${looked.toFixed(1)} requests were in flight where the times they took account for ` +
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
  const { workers } = input
  // Where nothing was answered there are no figures that the generator could have spoilt.
  if (unanswered(input) !== undefined) return faultReasons(input)
  return [
    ...workers.flatMap((health, index) => workerReasons(health, index, input)),
    ...littleReason(input),
    ...exhaustionReason(input),
    ...withheldReason(input),
    ...faultReasons(input)
  ]
}
