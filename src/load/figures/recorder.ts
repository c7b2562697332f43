import { messageOf } from '../../fault.ts'
import { isMeasured } from '../arrivals/pacer.ts'
import type { LiveCounters } from '../health/live-counters.ts'
import { durationMs, type Phase } from '../load.ts'
import type { Tracer } from '../requests/tracer.ts'
import { countKind } from './counts.ts'
import { createHistogram, type Distribution } from './histogram.ts'
import type { Metrics } from './metrics.ts'
import { type Sample, unansweredEndings } from './sample.ts'
import type { StreamMetric } from './stream-metrics.ts'
import { createWaits, type Waits } from './waits.ts'

/** Takes down what happens, and of that only what is to be measured into the metrics. */
export type Recorder = {
  /** A request that is due then is sent. */
  begin(due: number): void
  record(sample: Sample): void
  /** A request's part has ended, and another follows: nothing of it is measured yet. */
  part(sample: Sample): void
  /** An arrival due then could not be begun. */
  drop(due: number): void
  /** An arrival due then was let go, or dropped, so much later. */
  lag(due: number, ms: number): void
  /** An iteration of several requests has ended. */
  iterate(due: number, end: number): void
  /** An iteration due then records a metric of the scenario's own; may throw a TypeError. */
  measure(due: number, name: string, value: number): void
  /** A stream of an iteration due then comes to a value of what streams are measured by. */
  stream(due: number, name: StreamMetric, value: number): void
  /** The scenario's own code threw, in an iteration due then where it was in one. */
  fault(cause: unknown, due?: number): void
  /** How often it threw, by message. */
  faults(): Record<string, number>
  /** What an iteration due then asked for ended before its answer, or had to be, in words. */
  ended(due: number, how: string): void
  /** How often what iterations asked for ended so. */
  ends(): Record<string, number>
  lags(): Distribution
  /** When the last measured request ended; 0 without any. */
  lastEnd(): number
  /** How long measured requests and iterations took after all phases were over, added up. */
  after(): After
  /** How many requests waited for what never came; see `Waits`. */
  waits: Waits['unanswered']
  /** What still happens is taken down no more. */
  end(): void
}

/** What was under way when a load was over still took so long. */
export type After = { requestsMs: number; iterationsMs: number }

/** What is told in words, and how often. */
function createReasons(
  counts: (due: number) => boolean
): Pick<Recorder, 'fault' | 'faults' | 'ended' | 'ends'> {
  const faults: Record<string, number> = {}
  const ends: Record<string, number> = {}
  return {
    fault(cause, due) {
      if (due !== undefined && !counts(due)) return
      countKind(faults, messageOf(cause))
    },
    faults: () => faults,
    ended(due, how) {
      if (counts(due)) countKind(ends, how)
    },
    ends: () => ({ ...ends })
  }
}

/** A recorder of a load with the given phases. */
export function createRecorder(options: {
  phases: readonly Phase[]
  metrics: Metrics
  live: LiveCounters
  /** Told of every request, where some are traced. */
  tracer?: Tracer
}): Recorder {
  const { phases, metrics, live, tracer } = options
  const isAllMeasured = phases.every(({ measured }) => measured)
  let isOver = false
  const counts = (due: number) => !isOver && (isAllMeasured || isMeasured(phases, due))
  const lags = createHistogram()
  const waits = createWaits()
  const overMs = durationMs(phases)
  const afterMs = (due: number, end: number) => Math.max(0, end - Math.max(due, overMs))
  const after: After = { requestsMs: 0, iterationsMs: 0 }
  let lastEnd = 0
  return {
    begin(due) {
      live.begin()
      waits.begin(due)
    },
    record(sample) {
      // What was asked in the warm-up, and kept waiting beyond it in vain, failed then.
      const isLate = unansweredEndings.includes(sample.ending) && counts(sample.end)
      const isCounted = counts(sample.due) || isLate
      live.record(sample, isCounted)
      waits.end(sample)
      tracer?.end(sample, isCounted)
      if (!isCounted) return
      metrics.record(sample)
      lastEnd = sample.end
      after.requestsMs += afterMs(sample.due, sample.end)
    },
    part: (sample) => tracer?.end(sample, false),
    drop(due) {
      if (!counts(due)) return
      live.drop()
      metrics.drop(1)
    },
    lag(due, ms) {
      if (!counts(due)) return
      live.arrive()
      lags.record(ms)
    },
    lags: lags.distribution,
    iterate(due, end) {
      if (!counts(due)) return
      metrics.recordIteration(end - due)
      after.iterationsMs += afterMs(due, end)
    },
    measure(due, name, value) {
      if (counts(due)) metrics.recordOwn(name, value)
    },
    stream(due, name, value) {
      if (counts(due)) metrics.recordStream(name, value)
    },
    ...createReasons(counts),
    lastEnd: () => lastEnd,
    after: () => after,
    waits: waits.unanswered,
    end() {
      isOver = true
    }
  }
}
