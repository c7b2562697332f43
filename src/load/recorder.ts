import type { Live } from './live.ts'
import type { Phase } from './load.ts'
import type { Metrics } from './metrics.ts'
import { isMeasured } from './pacer.ts'
import type { Sample } from './sample.ts'

/** Takes down what happens, and of that only what is to be measured into the metrics. */
export type Recorder = {
  record(sample: Sample): void
  drop(due: number): void
  /** When the last measured request ended; 0 without any. */
  lastEnd(): number
}

/** A recorder of a load with the given phases. */
export function createRecorder(options: {
  phases: readonly Phase[]
  metrics: Metrics
  live: Live
}): Recorder {
  const { phases, metrics, live } = options
  const isAllMeasured = phases.every(({ measured }) => measured)
  const counts = (due: number) => isAllMeasured || isMeasured(phases, due)
  let lastEnd = 0
  return {
    record(sample) {
      live.record(sample)
      if (!counts(sample.due)) return
      metrics.record(sample)
      lastEnd = sample.end
    },
    drop(due) {
      live.drop()
      if (counts(due)) metrics.drop(1)
    },
    lastEnd: () => lastEnd
  }
}
