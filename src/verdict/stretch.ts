import { type Distribution, mergeDistributions, percentiles } from '../load/figures/histogram.ts'
import type { LoadResult } from '../load/figures/result.ts'
import { answeredIn, summary } from '../load/figures/summary.ts'

/** What was asked in a stretch, and what came of it. */
export type Answered = {
  seconds: number
  requests: number
  /** Requests without a response or with a status from 400, and arrivals that were dropped. */
  failures: number
  /** Requests with a response, whatever it said; absent where a journal does not tell. */
  answers?: number
  response: Distribution
  /** Processor time the target's process spent on it, where that is known. */
  cpuUs?: number
}

/** What one stretch of a soak came to: plain data of a size that does not grow with its length. */
export type Stretch = {
  seconds: number
  /** So much of it with the generator at fault. */
  voidSeconds: number
  /** Absent where the generator was at fault: nothing is known of the target's answers then. */
  load?: Answered
  /** Lowest value of each figure that was read; what a collector can free hides above it. */
  floors: Record<string, number>
  /** Which process the figures are of; another one begins anew. */
  process?: string
}

/** What is read of the target's process in a stretch. */
export type StretchFigures = Pick<Stretch, 'floors' | 'process'> & { cpuUs?: number }

/** The stretch that a load made which lasted so long. */
export function stretchOf(result: LoadResult, seconds: number, read: StretchFigures): Stretch {
  const { floors, process, cpuUs } = read
  const common = { seconds, floors, ...(process !== undefined && { process }) }
  const summed = summary(result)
  const { errors, timeouts, dropped, unfinished, durationMs, generator } = summed
  if (!generator.valid) return { ...common, voidSeconds: seconds }
  // What has had no answer by the end has failed as well.
  const missing = timeouts + dropped + unfinished
  const failures = Object.values(errors).reduce((sum, count) => sum + count, missing)
  const requests = summed.requests + unfinished
  const { response, results } = result.tally
  const answers = answeredIn(results)
  const load = { seconds: durationMs / 1_000, requests, failures, answers, response }
  return { ...common, voidSeconds: 0, load: { ...load, ...(cpuUs !== undefined && { cpuUs }) } }
}

function joinLoads(one: Answered, other: Answered): Answered {
  const { cpuUs: ours, ...earlier } = one
  const { cpuUs: theirs, ...later } = other
  const isKnown = ours !== undefined && theirs !== undefined
  const isTold = earlier.answers !== undefined && later.answers !== undefined
  return {
    seconds: earlier.seconds + later.seconds,
    requests: earlier.requests + later.requests,
    failures: earlier.failures + later.failures,
    ...(isTold && { answers: earlier.answers! + later.answers! }),
    response: mergeDistributions([earlier.response, later.response]),
    ...(isKnown && { cpuUs: ours + theirs })
  }
}

function joinFloors(one: Stretch['floors'], other: Stretch['floors']): Stretch['floors'] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const lower = (name: string) => Math.min(one[name] ?? Infinity, other[name] ?? Infinity)
  return Object.fromEntries([...names].map((name) => [name, lower(name)]))
}

/** Two stretches as one. Figures of a process that another one replaced are dropped. */
export function join(earlier: Stretch, later: Stretch): Stretch {
  const load =
    earlier.load && later.load ? joinLoads(earlier.load, later.load) : (later.load ?? earlier.load)
  const isReplaced = later.process !== undefined && later.process !== earlier.process
  const process = later.process ?? earlier.process
  return {
    seconds: earlier.seconds + later.seconds,
    voidSeconds: earlier.voidSeconds + later.voidSeconds,
    ...(load && { load }),
    floors: isReplaced ? later.floors : joinFloors(earlier.floors, later.floors),
    ...(process !== undefined && { process })
  }
}

/** Stretches kept at least, once there are that many; never twice as many. */
const kept = 40

/** Stretches of a soak, joined so that there are never many, however long it lasts. */
export type Stretches = {
  add(stretch: Stretch): void
  /** All of one length and in order; what is left over at the end is not among them. */
  all(): readonly Stretch[]
}

/**
 * Takes stretches in, one after the other. Whenever there are too many, neighbours are joined in
 * pairs, so that memory stays what it is and every stretch is as long as the others.
 */
export function createStretches(): Stretches {
  let whole: Stretch[] = []
  let span = 1
  let begun: Stretch | undefined
  let joined = 0
  const halve = () => {
    whole = whole.flatMap((stretch, place) =>
      place % 2 === 0 ? join(stretch, whole[place + 1]!) : []
    )
    span *= 2
  }
  return {
    add(stretch) {
      begun = begun ? join(begun, stretch) : stretch
      if (++joined < span) return
      whole.push(begun)
      begun = undefined
      joined = 0
      if (whole.length === 2 * kept) halve()
    },
    all: () => whole
  }
}

/** Whether most of what was asked in a stretch has no answer: too little is known of it then. */
export function isSilent({ load }: Stretch): boolean {
  return load?.answers !== undefined && 2 * load.answers < Math.max(load.requests, load.failures)
}

/** Percentiles of a stretch's response times; undefined where there are none. */
export function latencies({ load }: Stretch): ReturnType<typeof percentiles> | undefined {
  return load && percentiles(load.response)
}
