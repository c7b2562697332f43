import type { Point } from '../statistics/theil-sen.ts'
import { latencies, type Stretch } from './stretch.ts'

/** One number of a stretch that may drift, and how. */
export type DriftMetric = {
  of: (stretch: Stretch) => number | null | undefined
  unit: string
  worse: 'more' | 'less'
  /** Growth in an hour that is let through even where a share of the level would be less. */
  leastMargin: number
  /** Whether it is told by the target, and not by what the target answers. */
  isFigure: boolean
  /** Whether it decides unless the metrics that do are named. */
  gates: boolean
}

/** Names under which figures of any process are known, with their units. */
const figureUnits: Record<string, Pick<DriftMetric, 'unit' | 'leastMargin'>> = {
  rss: { unit: 'bytes', leastMargin: 0 },
  heap: { unit: 'bytes', leastMargin: 0 },
  descriptors: { unit: 'descriptors', leastMargin: 1 },
  threads: { unit: 'threads', leastMargin: 1 }
}

const unknownFigure = { unit: 'units', leastMargin: 0 }

function figure(name: string): DriftMetric {
  const known = Object.hasOwn(figureUnits, name) ? figureUnits[name]! : unknownFigure
  const { unit, leastMargin } = known
  const of = ({ floors }: Stretch) => (Object.hasOwn(floors, name) ? floors[name] : undefined)
  return { of, unit, leastMargin, worse: 'more', isFigure: true, gates: true }
}

const answers: Record<string, Omit<DriftMetric, 'isFigure'>> = {
  p50: {
    of: (stretch) => latencies(stretch)?.p50,
    ...{ unit: 'µs', worse: 'more', leastMargin: 0, gates: true }
  },
  p99: {
    of: (stretch) => latencies(stretch)?.p99,
    ...{ unit: 'µs', worse: 'more', leastMargin: 0, gates: false }
  },
  errors: {
    of: ({ load }) => load && load.failures / Math.max(1, load.requests),
    ...{ unit: 'of requests', worse: 'more', leastMargin: 0.001, gates: true }
  },
  throughput: {
    of: ({ load }) => load && (load.requests - load.failures) / load.seconds,
    ...{ unit: 'requests/s', worse: 'less', leastMargin: 0, gates: false }
  },
  cpu: {
    of: ({ load }) =>
      load?.cpuUs === undefined ? undefined : load.cpuUs / Math.max(1, load.requests),
    ...{ unit: 'µs/request', worse: 'more', leastMargin: 0, gates: false }
  }
}

/** The names of what every soak measures by itself; `cpu` only where the target tells of it. */
export const answerMetrics: readonly string[] = Object.keys(answers)

/** How a metric is read; every name that is none of ours is a figure the target tells. */
export function driftMetric(name: string): DriftMetric {
  return Object.hasOwn(answers, name) ? { ...answers[name]!, isFigure: false } : figure(name)
}

/** The names of everything that was read in some stretch. */
export function measuredIn(stretches: readonly Stretch[]): string[] {
  const figures = new Set(stretches.flatMap(({ floors }) => Object.keys(floors)))
  const names = [...figures, ...Object.keys(answers)]
  return names.filter((name) => series(stretches, name).length > 0)
}

const presentOf = (stretches: readonly Stretch[]) =>
  stretches.findLast(({ process }) => process !== undefined)?.process

/** Whether a stretch is of a process that another one replaced: its figures say nothing of that. */
const isOfOther = ({ process }: Stretch, present: string | undefined) =>
  process !== undefined && process !== present

/**
 * A metric over the hours under load. A figure is followed from where its present process began:
 * that another one held more memory says nothing of this one.
 */
export function series(stretches: readonly Stretch[], name: string): Point[] {
  const { of, isFigure } = driftMetric(name)
  const present = presentOf(stretches)
  let hours = 0
  return stretches.flatMap((stretch) => {
    hours += stretch.seconds / 3_600
    const value = of(stretch)
    const isOther = isFigure && isOfOther(stretch, present)
    return value === undefined || value === null || isOther ? [] : [{ time: hours, value }]
  })
}

/** In which share of the time a metric was seen: of a figure, of that of its present process. */
export function seenShare(stretches: readonly Stretch[], name: string): number {
  const { of, isFigure } = driftMetric(name)
  const present = presentOf(stretches)
  const those = stretches.filter((stretch) => !isFigure || !isOfOther(stretch, present))
  const sum = (some: readonly Stretch[]) => some.reduce((all, { seconds }) => all + seconds, 0)
  return sum(those.filter((stretch) => (of(stretch) ?? null) !== null)) / Math.max(1e-9, sum(those))
}
